// Sentences that come as data: a key of the strings, and what fills its places.
// The end of a value's name says what it is: `tail_s` fills {tail} as a time. Python
// writes the same sentences for the terminal in `app/said.py`.

import { layerText } from "./layer_texts.js";
import { percentText, rateText, sizeText, timeText } from "./quantities.js";

const TEXT_BY_ENDING = [
  ["_bytes_per_s", rateText], ["_s", timeText], ["_bytes", sizeText], ["_share", percentText],
];
const COUNTED_NOUNS = [
  "layers", "transfers", "passes", "ranks", "waiting", "files", "rules", "kernels", "pieces",
];

/** One sentence in words; a text as it is. */
export function saidText(words, said) {
  if (typeof said === "string") return said;
  const { key, values } = said;
  const places = Object.entries(values).map(([name, value]) => placeOf(words, name, value));
  return words(key, Object.fromEntries(places));
}

/** Several sentences, one after the other. */
export function saidTexts(words, sentences) {
  return sentences.map((sentence) => saidText(words, sentence)).join(" ");
}

function placeOf(words, name, value) {
  if (value?.key !== undefined) return [name, saidText(words, value)];
  if (name.endsWith("layer")) return [name, layerText(words, value)];
  const [ending, shown] = TEXT_BY_ENDING.find(([end]) => name.endsWith(end)) ?? [];
  if (ending) return [name.slice(0, -ending.length), shown(value)];
  const at = name.lastIndexOf("_");
  const noun = name.slice(at + 1);
  return at > 0 && COUNTED_NOUNS.includes(noun)
    ? [name.slice(0, at), words.count(noun, value)]
    : [name, value];
}
