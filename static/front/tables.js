// Tables that open on demand and are filled only while they are open.

import { createCsv } from "./csv.js";
import { make, setText } from "./elements.js";

/**
 * A `<details>` with a table, and a button that saves it as overlap-`name`.csv. `headings`
 * are [text, kind] pairs, the kind "text", "number" or "name" (long, not of our words).
 * `show(makeRows, makeColumns, note)` takes a function that makes the rows, each a list of
 * texts, called when they are seen; and one that makes the same rows as columns [key,
 * values] in SI units.
 */
export function createTable(name, title, headings, context) {
  const body = make("tbody");
  const head = make("tr", {}, ...headings.map(headingCell));
  const note = make("p", { class: "overlap-hint" });
  const csv = createCsv(name, title, () => columnsOf(), context);
  const scroller = make(
    "div",
    { class: "overlap-scroller", role: "region", "aria-label": title, tabindex: 0 },
    make("table", {}, make("thead", {}, head), body),
  );
  const element = make(
    "details",
    { class: `overlap-table overlap-table-${name}`, toggle: fill },
    make("summary", {}, title),
    scroller,
    note,
    csv.element,
  );
  let rowsOf = () => [];
  let columnsOf = () => [];
  let filled = null; // what the rows are of that stand there

  function fill() {
    if (!element.open || filled === rowsOf) return;
    filled = rowsOf;
    const rows = rowsOf().map((cells) => tableRow(cells, headings));
    body.replaceChildren(...rows);
    csv.refresh();
  }
  return {
    element,
    show(makeRows, makeColumns, noteText = "") {
      [rowsOf, columnsOf] = [makeRows, makeColumns];
      setText(note, noteText);
      fill();
    },
  };
}

/** Tables of which one is shown; each is made, with its headings, when it is first. */
export function createVariants(makeTable) {
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

/** Columns of equal length as rows. */
export function rowsOfColumns(...columns) {
  return columns[0].map((_, index) => columns.map((column) => column[index]));
}

/** Columns of a view as they are saved: under the same keys, or those after a colon. */
export function savedColumns(columns, ...keys) {
  return keys.map((key) => key.split(":")).map(([key, as = key]) => [as, columns[key]]);
}

function headingCell([text, kind]) {
  return make("th", { scope: "col", class: `overlap-cell-${kind}` }, text);
}

/** A row of texts under headings as those of `createTable`. */
export function tableRow(cells, headings) {
  const made = cells.map((cell, index) => {
    const text = String(cell);
    const kind = headings[index][1];
    const shown = kind === "text" ? text : make("bdi", kind === "name" ? { title: text } : {}, text);
    return make("td", { class: `overlap-cell-${kind}` }, shown);
  });
  return make("tr", {}, ...made);
}
