// The tables of a recording: its steps, the transfers of one of them, what is in view of it.

import { createBarsTable } from "./bars_table.js";
import { make } from "./elements.js";
import { stepName } from "./pickers.js";
import { millisecondTexts, sizeText, wholeText } from "./quantities.js";
import { createTable, rowsOfColumns, savedColumns } from "./tables.js";

const STEP_TIMES = ["span", "exposed", "tail"];

/** All three; `show(measured)` fills them, and the last one follows `figure`. */
export function createRecordedTables(context, figure) {
  const tables = [createStepsTable(context), createMeasuredTransfersTable(context)];
  const elements = [...tables, createBarsTable(figure, context)].map(({ element }) => element);
  return {
    element: make("div", { class: "overlap-recorded-tables" }, ...elements),
    show: (measured) => tables.forEach((table) => table.show(measured)),
  };
}

/** All steps of the recording; one alone has its numbers above. */
function createStepsTable(context) {
  const { words } = context;
  const table = createTable("steps", words("table.steps"), [
    [words("column.step"), "text"],
    ...STEP_TIMES.map((key) => [words(`column.${key}`), "number"]), [words("column.remark"), "text"],
  ], context);
  const remarkText = (remark) => (remark === "none" ? "" : words(`steps.remark.${remark}`));
  return {
    element: table.element,
    show({ steps }) {
      table.element.hidden = steps.length < 2;
      const column = (key) => steps.map((step) => step[key]);
      const times = STEP_TIMES.map((key) => [`${key}_s`, column(`${key}_s`)]);
      table.show(
        () => rowsOfColumns(column("name").map((name) => stepName(words, name)),
          ...times.map(([, times_s]) => millisecondTexts(times_s)), column("remark").map(remarkText)),
        () => [["step", column("name")], ...times, ["complete", column("complete")], ["remark", column("remark")]],
      );
    },
  };
}

/** Every transfer of the step, up to as many as the driver sends. */
function createMeasuredTransfersTable(context) {
  const { words } = context;
  const numeric = ["size", "start", "end", "exposed"];
  const table = createTable("transfers", words("table.transfers"), [
    [words("column.number"), "text"],
    [words("column.name"), "name"],
    [words("column.collective"), "text"],
    ...numeric.map((key) => [words(`column.${key}`), "number"]),
  ], context);
  const sizeOf = (bytes) => (bytes === null ? words("size.unknown") : sizeText(bytes));
  return {
    element: table.element,
    show({ transfers }) {
      const shown = transfers.number.length;
      const total = transfers.transfers_total ?? shown;
      const values = { shown: wholeText(shown), total: wholeText(total) };
      table.element.dataset.total = total;
      table.show(
        () => rowsOfColumns(transfers.number, transfers.name,
          transfers.collective.map((name) => words(`collective.${name}`)),
          transfers.bytes.map(sizeOf), millisecondTexts(transfers.start_s),
          millisecondTexts(transfers.end_s), millisecondTexts(transfers.exposed_s)),
        () => savedColumns(transfers, "number", "name", "collective", "bytes", "start_s", "end_s", "exposed_s"),
        shown < total ? words("table.first", values) : "",
      );
    },
  };
}
