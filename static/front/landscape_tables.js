// The curve and the map as tables.

import { make } from "./elements.js";
import { controlText } from "./measures.js";
import { millisecondTexts, timeText } from "./quantities.js";
import { createTable, rowsOfColumns } from "./tables.js";

const PARTS = ["tail", "queued", "overhead", "wire"];

/** The bucket sizes, with a column for the late rank only where there is one. */
export function createSizesTable(words) {
  const tables = createVariants((parts) => {
    const numbers = ["bucket_size", "transfers", ...parts].map((key) => [words(`column.${key}`), "number"]);
    return createTable(words("table.sizes"), [...numbers, [words("column.regime"), "text"]]);
  });
  const rows = (parts, sizes) => rowsOfColumns(
    sizes.bucket.map(String), sizes.transfers.map(String),
    ...parts.map((key) => millisecondTexts(sizes[`${key}_s`])),
    sizes.regime.map((name) => words(`short.${name}`)));
  return {
    element: tables.element,
    show(sizes) {
      const parts = sizes.late_s[0] > 0 ? [...PARTS, "late"] : PARTS;
      tables.of(parts.join(), parts).show(() => rows(parts, sizes));
    },
  };
}

/** The map, a row for each bucket size; another table for each axis. */
export function createMapTable(words) {
  const tables = createVariants(({ axis, values }) => {
    const heads = values.map((value) => [controlText(words, axis, value), "text"]);
    return createTable(words(`table.map.${axis}`), [[words("column.bucket_size"), "number"], ...heads]);
  });
  const cell = ({ tail_s, regime }, row, at) =>
    `${timeText(tail_s[row][at])}\n${words(`cell.${regime[row][at]}`)}`;
  return {
    element: tables.element,
    show(map) {
      const rows = () => map.bucket.map((size, row) =>
        [String(size), ...map.values.map((_, at) => cell(map, row, at))]);
      tables.of(map.axis, map).show(rows);
    },
  };
}

/** Tables of which one is shown; each is made, with its headings, when it is first. */
function createVariants(makeTable) {
  const element = make("div", { class: "overlap-tables" });
  const made = new Map();
  let shown = null;
  return {
    element,
    of(name, headings) {
      if (!made.has(name)) {
        made.set(name, makeTable(headings));
        element.append(made.get(name).element);
      }
      const table = made.get(name);
      if (shown && shown !== table) table.element.open = shown.element.open;
      for (const each of made.values()) each.element.hidden = each !== table;
      shown = table;
      return table;
    },
  };
}
