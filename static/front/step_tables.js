// The tables of a simulated step: its transfers, its layers, and of a run what was measured.

import { layerText } from "./layer_texts.js";
import { millisecondTexts, sizeText } from "./quantities.js";
import { createTable, createVariants, rowsOfColumns, savedColumns } from "./tables.js";

const MS_TO_S = 1e3;
const MB_TO_BYTES = 1e6;
const TRANSFER_TIMES = ["ready", "waited", "late", "start", "end", "exposed"];

/** `show(columns)`: a column of the wait for the late rank only where there is one. */
export function createTransfersTable(context) {
  const { words } = context;
  const tables = createVariants((times) => createTable("transfers", words("table.transfers"), [
    ...["number", "layers"].map((key) => [words(`column.${key}`), "text"]),
    ...["size", ...times].map((key) => [words(`column.${key}`), "number"]),
  ], context));
  return {
    element: tables.element,
    show(columns) {
      const times = TRANSFER_TIMES.filter((key) => columns[`${key}_s`]);
      const keys = times.map((key) => `${key}_s`);
      const rows = () => rowsOfColumns(
        columns.number, columns.layers.map((name) => layerText(words, name)),
        columns.bytes.map(sizeText), ...keys.map((key) => millisecondTexts(columns[key])));
      tables.of(times.join(), times)
        .show(rows, () => savedColumns(columns, "number", "layers", "bytes", ...keys));
    },
  };
}

/** The layers; `show(columns)`. */
export function createLayersTable(context) {
  const { words } = context;
  const table = createSpansTable("layers", words("column.layer"), context);
  return {
    element: table.element,
    show(columns) {
      table.show(() => columns.name.map((name) => layerText(words, name)), columns,
        () => [["layer", columns.name]]);
    },
  };
}

/** The transfers of a run as they were; `show(bars)` takes the columns of their lane. */
export function createGhostTable(context) {
  const table = createSpansTable("measured-transfers", context.words("column.number"), context);
  return {
    element: table.element,
    show({ measured, size, start, end }) {
      table.element.hidden ||= measured.length === 0; // or not asked for
      const columns = {
        bytes: inSi(size, 1 / MB_TO_BYTES), start_s: inSi(start, MS_TO_S), end_s: inSi(end, MS_TO_S),
      };
      table.show(() => measured, columns, () => [["number", measured]]);
    },
  };
}

/** What moves or computes how many bytes from when to when: a name first. */
function createSpansTable(key, nameOfColumn, context) {
  const { words } = context;
  const table = createTable(key, words(`table.${key}`), [
    [nameOfColumn, "text"], ...["size", "start", "end"].map((one) => [words(`column.${one}`), "number"]),
  ], context);
  return {
    element: table.element,
    show(namesOf, columns, firstOf) {
      const { bytes, start_s, end_s } = columns;
      table.show(
        () => rowsOfColumns(namesOf(), bytes.map(sizeText), millisecondTexts(start_s), millisecondTexts(end_s)),
        () => [...firstOf(), ...savedColumns(columns, "bytes", "start_s", "end_s")],
      );
    },
  };
}

/** What a figure draws in its own unit; fifteen digits are what that leaves of a number. */
function inSi(values, perUnit) {
  return values.map((value) => Number((value / perUnit).toPrecision(15)));
}
