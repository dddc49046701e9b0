// The numbers of two steps and their differences, as a table that is always open.

import { make } from "./elements.js";
import { sizeText, timeText, wholeText } from "./quantities.js";
import { tableRow } from "./tables.js";

const CELLS = ["text", "number", "number", "number"];
const NAMED = { tail: "measured_tail", size_bytes: "size" };

/** `show({name, before, after}, {before, after})`: the numbers, and what the steps are. */
export function createDifferences(words) {
  const body = make("tbody");
  const heads = ["before", "after"].map((key) => ({
    key,
    step: make("span"),
    cell: make("th", { scope: "col", class: "overlap-cell-number" }, make("b", {}, words(`compare.${key}`)), " "),
  }));
  for (const { cell, step } of heads) cell.append(step);
  const head = make("tr", {},
    make("th", { scope: "col" }, words("column.what")),
    ...heads.map(({ cell }) => cell),
    make("th", { scope: "col", class: "overlap-cell-number" }, words("column.difference")));
  return {
    element: make("div",
      { class: "overlap-scroller", role: "region", "aria-label": words("compare.numbers"), tabindex: 0 },
      make("table", { class: "overlap-differences" }, make("thead", {}, head), body)),
    show({ name, before, after }, names) {
      for (const { key, step } of heads) step.replaceChildren(names[key]);
      body.replaceChildren(...name.map((key, row) => differenceRow(words, key, before[row], after[row])));
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

/** How much more or less, in words; nothing where one of them is unknown. */
function differenceText(words, before, after, textOf) {
  if (before === null || after === null) return words("size.unknown");
  const change = textOf(Math.abs(after - before));
  if (after === before || change === textOf(0)) return words("difference.none");
  return words(after > before ? "difference.more" : "difference.less", { change });
}
