// The curve and the map as tables.

import { controlText } from "./measures.js";
import { millisecondTexts, timeText } from "./quantities.js";
import { createTable, createVariants, rowsOfColumns, savedColumns } from "./tables.js";

const PARTS = ["tail", "queued", "overhead", "wire"];

/** The bucket sizes, with a column for the late rank only where there is one. */
export function createSizesTable(context) {
  const { words } = context;
  const tables = createVariants((parts) => {
    const numbers = ["bucket_size", "transfers", ...parts].map((key) => [words(`column.${key}`), "number"]);
    return createTable("sizes", words("table.sizes"), [...numbers, [words("column.regime"), "text"]], context);
  });
  const rows = (parts, sizes) => rowsOfColumns(
    sizes.bucket.map(String), sizes.transfers.map(String),
    ...parts.map((key) => millisecondTexts(sizes[`${key}_s`])),
    sizes.regime.map((name) => words(`short.${name}`)));
  return {
    element: tables.element,
    show(sizes) {
      const parts = sizes.late_s[0] > 0 ? [...PARTS, "late"] : PARTS;
      const keys = parts.map((key) => `${key}_s`);
      tables.of(parts.join(), parts).show(() => rows(parts, sizes),
        () => savedColumns(sizes, "bucket", "transfers", ...keys, "regime"));
    },
  };
}

/** The map, a row for each bucket size; another table for each axis. */
export function createMapTable(context) {
  const { words } = context;
  const tables = createVariants(({ axis, values }) => {
    const heads = values.map((value) => [controlText(words, axis, value), "text"]);
    const size = [words("column.bucket_size"), "number"];
    return createTable(`map-${axis}`, words(`table.map.${axis}`), [size, ...heads], context);
  });
  const cell = ({ tail_s, regime }, row, at) =>
    `${timeText(tail_s[row][at])}\n${words(`cell.${regime[row][at]}`)}`;
  return {
    element: tables.element,
    show(map) {
      const rows = () => map.bucket.map((size, row) =>
        [String(size), ...map.values.map((_, at) => cell(map, row, at))]);
      tables.of(map.axis, map).show(rows, () => mapColumns(map));
    },
  };
}

/** The map as a column for each number: a row for each bucket size at each value. */
function mapColumns({ axis, bucket, values, tail_s, regime }) {
  const unit = axis === "bandwidth" ? "bytes_per_s" : "s";
  return [
    ["bucket", bucket.flatMap((size) => values.map(() => size))],
    [`${axis}_${unit}`, bucket.flatMap(() => values)],
    ["tail_s", tail_s.flat()], ["regime", regime.flat()],
  ];
}
