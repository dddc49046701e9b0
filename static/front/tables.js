// Tables that open on demand and are filled only while they are open.

import { make, setText } from "./elements.js";

/**
 * A `<details>` with a table. `headings` are [text, kind] pairs, the kind "text", "number"
 * or "name" (long, not of our words). `show(makeRows, note)` takes a function that makes
 * the rows, each a list of texts, called when they are seen.
 */
export function createTable(title, headings) {
  const body = make("tbody");
  const head = make("tr", {}, ...headings.map(headingCell));
  const note = make("p", { class: "overlap-hint" });
  const scroller = make(
    "div",
    { class: "overlap-scroller", role: "region", "aria-label": title, tabindex: 0 },
    make("table", {}, make("thead", {}, head), body),
  );
  const element = make(
    "details",
    { class: "overlap-table", toggle: fill },
    make("summary", {}, title),
    scroller,
    note,
  );
  let rowsOf = () => [];

  function fill() {
    if (!element.open) return;
    const rows = rowsOf().map((cells) => tableRow(cells, headings));
    body.replaceChildren(...rows);
  }
  return {
    element,
    show(makeRows, noteText = "") {
      rowsOf = makeRows;
      setText(note, noteText);
      fill();
    },
  };
}

/** Columns of equal length as rows. */
export function rowsOfColumns(...columns) {
  return columns[0].map((_, index) => columns.map((column) => column[index]));
}

function headingCell([text, kind]) {
  return make("th", { scope: "col", class: `overlap-cell-${kind}` }, text);
}

/** A row of texts under headings as those of `createTable`. */
export function tableRow(cells, headings) {
  const made = cells.map((cell, index) => {
    const text = String(cell);
    const kind = headings[index][1];
    const shown = kind === "name" ? make("span", { title: text }, text) : text;
    return make("td", { class: `overlap-cell-${kind}` }, shown);
  });
  return make("tr", {}, ...made);
}
