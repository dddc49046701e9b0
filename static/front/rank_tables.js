// The tables of several ranks: one row a rank, and one a process group.

import { millisecondTexts, sizeText, wholeText } from "./quantities.js";
import { saidText } from "./said.js";
import { createTable, rowsOfColumns, savedColumns } from "./tables.js";

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
export function createRanksTable(context) {
  const { words } = context;
  const table = createTable("ranks", words("table.ranks"), [
    [words("column.rank"), "text"],
    ...RANK_TIMES.map((key) => [words(`column.${key}`), "number"]),
    [words("column.arrives_last"), "number"],
  ], context);
  return {
    element: table.element,
    show({ rows }) {
      table.show(() => rowsOfColumns(rows.rank.map((_, row) => rankName(words, rows, row)),
        ...columnsOfTimes(words, RANK_TIMES, rows),
        rows.last.map((count) => (count === null ? words("size.unknown") : wholeText(count)))),
      () => savedColumns(rows, "rank", "device_number:device", ...RANK_TIMES.map((key) => `${key}_s`),
        "last:arrives_last"));
    },
  };
}

/** What the collectives of each process group cost, over all ranks. */
export function createGroupsTable(context) {
  const { words } = context;
  const table = createTable("groups", words("table.groups"), [
    [words("column.group"), "name"],
    [words("column.transfers"), "number"],
    [words("column.size"), "number"],
    ...GROUP_TIMES.map((key) => [words(`column.${key}`), "number"]),
  ], context);
  return {
    element: table.element,
    show({ groups }) {
      const names = groups.name.map((name) => (name === null ? words("group.unknown") : saidText(words, name)));
      const sizes = groups.size_bytes
        .map((size_bytes) => (size_bytes === null ? words("size.unknown") : sizeText(size_bytes)));
      table.show(() => rowsOfColumns(names, groups.transfers.map(wholeText), sizes,
        ...columnsOfTimes(words, GROUP_TIMES, groups)),
      () => [["group", names], ...savedColumns(groups, "transfers", "size_bytes:bytes",
        ...GROUP_TIMES.map((key) => `${key}_s`))]);
    },
  };
}

/** Columns of times, all with as many decimals, so that one sees that they add up. */
function columnsOfTimes(words, keys, columns) {
  const times_s = keys.flatMap((key) => columns[`${key}_s`]);
  const texts = millisecondTexts(times_s.map((time_s) => time_s ?? 0))
    .map((text, place) => (times_s[place] === null ? words("size.unknown") : text));
  const count = times_s.length / keys.length;
  return keys.map((_, place) => texts.slice(place * count, (place + 1) * count));
}
