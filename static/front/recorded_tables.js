// The tables of a measured step: its transfers, and the kernels by name.

import { millisecondTexts, sizeText, timeText, wholeText } from "./quantities.js";
import { createTable, rowsOfColumns } from "./tables.js";

/** Every transfer of the step, up to as many as the driver sends. */
export function createMeasuredTransfersTable(words) {
  const numeric = ["size", "start", "end", "exposed"];
  const table = createTable(words("table.transfers"), [
    [words("column.number"), "text"],
    [words("column.name"), "name"],
    [words("column.collective"), "text"],
    ...numeric.map((key) => [words(`column.${key}`), "number"]),
  ]);
  const sizeOf = (bytes) => (bytes === null ? words("size.unknown") : sizeText(bytes));
  return {
    element: table.element,
    show({ transfers }) {
      const shown = transfers.number.length;
      const total = transfers.transfers_total ?? shown;
      const values = { shown: wholeText(shown), total: wholeText(total) };
      table.show(
        () => rowsOfColumns(transfers.number, transfers.name,
          transfers.collective.map((name) => words(`collective.${name}`)),
          transfers.bytes.map(sizeOf), millisecondTexts(transfers.start_s),
          millisecondTexts(transfers.end_s), millisecondTexts(transfers.exposed_s)),
        shown < total ? words("table.first", values) : "",
      );
    },
  };
}

/** The kernel names of the step with their class, as the driver orders them. */
export function createKernelsTable(words) {
  const note = ({ name: { length: shown }, kernels_total: total = shown }) => {
    const values = { shown: wholeText(shown), total: wholeText(total) };
    return shown < total ? words("table.first_names", values) : "";
  };
  const table = createTable(words("table.kernels"), [
    [words("column.name"), "name"],
    [words("column.class"), "text"],
    [words("column.count"), "number"],
    [words("column.time"), "number"],
  ]);
  return {
    element: table.element,
    show({ kernels }) {
      table.show(() => rowsOfColumns(kernels.name,
        kernels.kind.map((kind) => words(`class.${kind}`)),
        kernels.count.map(wholeText), kernels.time_s.map(timeText)), note(kernels));
    },
  };
}
