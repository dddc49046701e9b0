// What the figures say, in the words of the page: their items and columns hold none.

import { layerText } from "./layer_texts.js";
import { sizeText } from "./quantities.js";
import { saidText } from "./said.js";

const WORDED_AS = {
  bytes: (words, size_bytes) => (size_bytes === null ? words("size.unknown") : sizeText(size_bytes)),
  caption: saidText,
  collective: (words, name) => words(`collective.${name}`),
  layers: layerText,
  name: saidText,
  phase: (words, name) => words(`phase.${name}`),
  text: saidText,
};

/** A copy of a figure's item; the labels of its axes and cards are keys of the strings. */
export function wordedItem(words, item) {
  return JSON.parse(JSON.stringify(item), (key, value) => {
    if (key === "axis_label") return words(value);
    return key === "tooltips" ? value.map(([label, shown]) => [words(label), shown]) : value;
  });
}

/** Properties of a model, of which the label of an axis is a key. */
export function wordedProps(words, properties) {
  const { axis_label } = properties;
  return axis_label === undefined ? properties : { ...properties, axis_label: words(axis_label) };
}

/**
 * The columns of a source; `merged` is how many kernels a mark stands for. With `names`,
 * a list that the rows share, `name` is an index into it.
 */
export function wordedColumns(words, source, given, names) {
  const isListed = names !== undefined && given.name !== undefined;
  const columns = isListed ? { ...given, name: given.name.map((index) => names[index]) } : given;
  const worded = { ...columns };
  for (const [key, textOf] of Object.entries(WORDED_AS)) {
    if (columns[key]) worded[key] = columns[key].map((value) => textOf(words, value));
  }
  if (columns.kernels) worded.merged = columns.kernels.map((count) => mergedText(words, count));
  if (source === "compute_labels") worded.text = worded.text.map((name) => layerText(words, name));
  return worded;
}

function mergedText(words, count) {
  return count === 1 ? "1" : words("mark.merged", { count });
}
