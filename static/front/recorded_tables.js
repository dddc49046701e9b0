// The table of a measured step’s transfers.

import { millisecondTexts, sizeText, wholeText } from "./quantities.js";
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
