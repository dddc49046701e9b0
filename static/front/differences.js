// The numbers of two steps and their differences, as a table that is always open.

import { createCsv } from "./csv.js";
import { make } from "./elements.js";
import { sizeText, timeText, wholeText } from "./quantities.js";
import { savedColumns, tableRow } from "./tables.js";

const CELLS = ["text", "number", "number", "number"];
const NAMED = { tail: "measured_tail", size_bytes: "size" };

/** `show({name, before, after})` lists the numbers by name, and how far they are apart. */
export function createDifferences(context) {
  const { words } = context;
  let saved = null;
  const body = make("tbody");
  const heads = ["column.what", "compare.before", "compare.after", "column.difference"].map((key, place) =>
    make("th", { scope: "col", class: `overlap-cell-${CELLS[place]}` }, words(key)));
  const table = make("table", { class: "overlap-differences" },
    make("thead", {}, make("tr", {}, ...heads)), body);
  const title = words("compare.numbers");
  const csv = createCsv("differences", title, () => savedColumns(saved, "name:number", "before", "after"), context);
  const scroller = make("div",
    { class: "overlap-scroller", role: "region", "aria-label": title, tabindex: 0 }, table);
  return {
    element: make("div", {}, scroller, csv.element),
    show(rows) {
      const { name, before, after } = saved = rows;
      body.replaceChildren(...name.map((key, row) => differenceRow(words, key, before[row], after[row])));
      csv.refresh();
    },
  };
}

function differenceRow(words, key, before, after) {
  const textOf = key.endsWith("_s") ? timeText : key.endsWith("_bytes") ? sizeText : wholeText;
  const known = (value) => (value === null ? words("size.unknown") : textOf(value));
  const bare = key.replace(/_s$/, "");
  const texts = [words(`number.${NAMED[bare] ?? bare}`), known(before), known(after),
    differenceText(words, before, after, textOf)];
  return tableRow(texts, CELLS.map((kind) => ["", kind]));
}

/** How much more or less, in words; the same is what is written the same. */
function differenceText(words, before, after, textOf) {
  if (before === null || after === null) return words("size.unknown");
  if (textOf(after) === textOf(before)) return words("difference.none");
  const change = textOf(Math.abs(after - before));
  return words(after > before ? "difference.more" : "difference.less", { change });
}
