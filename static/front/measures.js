// What each control measures: a count, a rate, a time or a share, and a value in words.

import { percentText, rateText, timeText } from "./quantities.js";

const KINDS = {
  bucket: "count", guess_bucket: "count", ranks: "count", micro_steps: "count",
  bandwidth: "rate", port: "rate",
  overhead: "time", late: "time", part: "time", guess_tail: "time",
  slowdown: "share",
};
const NOUNS = { bucket: "layers", guess_bucket: "layers", ranks: "ranks", micro_steps: "micro_steps" };
const SI_PER_UNIT = { count: 1, rate: 1e9, time: 1e-3, share: 0.01 };
const TEXT_OF = { rate: rateText, time: timeText, share: percentText };

/** "count", "rate", "time" or "share"; undefined for a key that is no number. */
export function kindOf(key) {
  return KINDS[key];
}

/** How much of the SI unit the unit beside the control's box is. */
export function perUnit(key) {
  return SI_PER_UNIT[KINDS[key]];
}

/** A value of a control in words: 4 layers, 12 GB/s, 200 µs, 18.9 %. */
export function controlText(words, key, value) {
  const kind = KINDS[key];
  return kind === "count" ? words.count(NOUNS[key], value) : TEXT_OF[kind](value);
}
