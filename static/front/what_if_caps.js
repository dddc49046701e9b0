// What if DDP's buckets had another cap: the tail of a recorded step for several of them.

import { timeText } from "./quantities.js";
import { createTable } from "./tables.js";

const MIB = 2 ** 20;
const HEADINGS = ["cap", "transfers", "cap_tail"];

/** A table that is open; hidden where no cap makes a difference. `show(fit)` fills it. */
export function createCapsTable(context) {
  const { words } = context;
  const headings = HEADINGS.map((key) => [words(`column.${key}`), "number"]);
  const table = createTable("caps", words("table.caps"), headings, context);
  table.element.open = true;
  return {
    element: table.element,
    show(fit) {
      const rows = capRows(fit);
      table.element.hidden = rows.length < 2;
      const note = [bestCapText(words, rows), words("what_if.caps")].join(" ");
      table.show(() => rows.map(({ mib, transfers, tail_s }) =>
        [mib ?? words("what_if.not_set"), transfers, timeText(tail_s)]), () => capColumns(rows), note);
    },
  };
}

/** First what DDP does where nobody sets a cap. */
function capRows({ default_transfers, default_tail_s, caps }) {
  const own = { mib: null, transfers: default_transfers, tail_s: default_tail_s };
  return [own, ...caps.cap_bytes.map((cap_bytes, at) =>
    ({ mib: cap_bytes / MIB, transfers: caps.transfers[at], tail_s: caps.tail_s[at] }))];
}

function capColumns(rows) {
  const ofRows = (valueOf) => rows.map(valueOf);
  return [
    ["cap_bytes", ofRows(({ mib }) => (mib === null ? null : mib * MIB))],
    ["transfers", ofRows(({ transfers }) => transfers)], ["tail_s", ofRows(({ tail_s }) => tail_s)],
  ];
}

/** Of those that are alike the one with the fewest transfers, and sooner without a cap. */
function bestCapText(words, rows) {
  const best = rows.reduce((one, other) => {
    const longer_s = other.tail_s - one.tail_s || other.transfers - one.transfers;
    return longer_s < 0 ? other : one;
  });
  const key = best.mib === null ? "what_if.best_not_set" : "what_if.best_cap";
  const transfers = words.count("transfers", best.transfers);
  return words(key, { cap: best.mib, tail: timeText(best.tail_s), transfers });
}
