// Tables as comma-separated text: in SI units, exact, and harmless in a spreadsheet.

import { createCopy } from "./copying.js";
import { make, setText } from "./elements.js";
import { maySave, saveText } from "./saving.js";

const FORMULA = /^[=+\-@\t\r\n]/; // a spreadsheet would run such a text

/** Columns [key, values] of equal length; each key ends in the unit of its values. */
export function csvText(columns) {
  const [[, first]] = columns;
  const rows = first.map((_, row) => columns.map(([, values]) => csvCell(values[row])));
  return [columns.map(([key]) => key), ...rows].map((cells) => `${cells.join(",")}\n`).join("");
}

/** Numbers as they are, unknown as nothing, texts quoted: those like formulas behind a '. */
function csvCell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  return `"${FORMULA.test(value) ? "'" : ""}${value.replaceAll('"', '""')}"`;
}

let copies = 0; // of the page, so that no two have the same id

/**
 * A button that saves a table called `title` as overlap-`name`.csv. `columnsOf()` are its
 * columns then. Where a frame may not save, the text is shown to be copied.
 */
export function createCsv(name, title, columnsOf, context) {
  const { words } = context;
  const said = make("div", { role: "status", class: "overlap-hint" });
  const button = make("button",
    { type: "button", "aria-label": words("csv.of", { name: title }), click: save }, words("csv.save"));
  const element = make("div", { class: "overlap-csv" }, button, said);
  let copy = null; // made where it is needed

  function save() {
    const [text, may] = [csvText(columnsOf()), maySave()];
    if (may !== "no") saveText(`overlap-${name}.csv`, text);
    if (may === "yes") return;
    if (!copy) {
      copies += 1;
      copy = createCopy(`csv-${copies}`, words("csv.text", { name: title }), context);
      element.append(copy.element);
    }
    copy.show(text);
    setText(said, words(`csv.${may}`));
  }
  return {
    element,
    /** The table has changed: a text that is shown is that of before. */
    refresh() {
      if (copy) copy.show(csvText(columnsOf()));
    },
  };
}
