// The tables of several ranks: one row a rank, and one a process group.

import { millisecondTexts, wholeText } from "./quantities.js";
import { createTable, rowsOfColumns } from "./tables.js";

const RANK_TIMES = [
  "compute", "communication", "waiting", "transfer", "untold", "exposed", "exposed_waiting", "tail",
];
const GROUP_TIMES = ["communication", "waiting", "transfer", "untold", "exposed"];

/** "Rank 3"; with its device where its file has several, which may be all that is known. */
export function rankName(words, { rank, device_number: device, devices }, row) {
  const values = { rank: rank[row], device: device[row] };
  if (rank[row] === null) return words("device.numbered", { n: device[row] });
  return words(devices[row] > 1 ? "rank.numbered.device" : "rank.numbered", values);
}

/** What each rank did in the step, and how often it came last. */
export function createRanksTable(words) {
  const table = createTable(words("table.ranks"), [
    [words("column.rank"), "text"],
    ...RANK_TIMES.map((key) => [words(`column.${key}`), "number"]),
    [words("column.arrives_last"), "number"],
  ]);
  return {
    element: table.element,
    show({ rows }) {
      table.show(() => rowsOfColumns(rows.rank.map((_, row) => rankName(words, rows, row)),
        ...RANK_TIMES.map((key) => timesOrUnknown(words, rows[`${key}_s`])),
        rows.last.map((count) => (count === null ? words("size.unknown") : wholeText(count)))));
    },
  };
}

/** What the collectives of each process group cost, over all ranks. */
export function createGroupsTable(words) {
  const table = createTable(words("table.groups"), [
    [words("column.group"), "name"],
    [words("column.transfers"), "number"],
    ...GROUP_TIMES.map((key) => [words(`column.${key}`), "number"]),
  ]);
  return {
    element: table.element,
    show({ groups }) {
      const names = groups.name.map((name) => name ?? words("group.unknown"));
      table.show(() => rowsOfColumns(names, groups.transfers.map(wholeText),
        ...GROUP_TIMES.map((key) => timesOrUnknown(words, groups[`${key}_s`]))));
    },
  };
}

function timesOrUnknown(words, times_s) {
  const texts = millisecondTexts(times_s.map((time_s) => time_s ?? 0));
  return texts.map((text, row) => (times_s[row] === null ? words("size.unknown") : text));
}
