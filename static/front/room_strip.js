// The guesses of a room as dots over a scale, equal ones on top of each other.

import { make, setAttribute } from "./elements.js";
import { guessText } from "./predict_said.js";
import { digits } from "./quantities.js";

const STRIP_COLUMNS = 48; // of dots, over the whole scale
const STRIP_TICKS = 6;
const STRIP_FAR = 2; // times what the lanes showed: what lies beyond is drawn at the edge
const NUMBERED = 6; // dots from which on a column has its count
const COUNT_SHARE = 3.5 / STRIP_COLUMNS; // of the scale: so much room a count takes, on a phone
const LISTED_VALUES = 24;

/**
 * `show({question, values, span, truth})` draws: `span` is where the scale ends unless a guess
 * or the truth needs more, in seconds or layers; `truth` is null until it is revealed.
 */
export function createStrip({ words }) {
  const element = make("div", { class: "overlap-strip", role: "img", dir: "ltr", "aria-label": words("room.none") });
  return {
    element,
    show({ question, values, span, truth }) {
      element.hidden = values.length === 0;
      if (element.hidden) {
        element.replaceChildren();
        return;
      }
      const scale = scaleOfGuesses(question, values, span, truth);
      const columns = columnsOf(values, scale);
      const tallest = Math.max(...columns.map(({ count }) => count));
      element.style.setProperty("--overlap-tallest", tallest);
      setAttribute(element, "aria-label", stripText(words, question, values));
      element.replaceChildren(
        ...columns.map((column) => columnElement(column, isNumbered(column, columns))),
        ...ticksOf(scale).map((at) => tickElement(scale, at)),
        ...(truth === null ? [] : [truthElement(words, question, truth, scale)]),
      );
    },
  };
}

/** {low, high, step, perUnit}: round ends and ticks, in seconds or layers. */
function scaleOfGuesses(question, values, span, truth) {
  const isTime = question === "tail";
  const least = isTime ? 0 : 1;
  if (!isTime) return { isTime, low: least, high: Math.max(span, least + 1), step: wholeStep(span), unit: 1 };
  const wanted = Math.max(...values, truth ?? 0, span);
  const high = Math.min(wanted, Math.max(STRIP_FAR * span, truth ?? 0));
  const step = roundStep(high / STRIP_TICKS);
  return { isTime, low: 0, high: Math.ceil(high / step - 1e-9) * step, step, unit: 1e-3 };
}

function wholeStep(most) {
  return Math.max(Math.round(roundStep(most / 12)), 1);
}

function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((one) => one * power).find((step) => step >= least * (1 - 1e-9));
}

function shareOf({ isTime, low, high }, value) {
  const [from, to] = isTime ? [low, high] : [low - 0.5, high + 0.5];
  return Math.min(Math.max((value - from) / (to - from), 0), 1);
}

/** Dots that would lie on each other stand in a column: {share, count, isBeyond}. */
function columnsOf(values, scale) {
  const columns = new Map();
  for (const value of values) {
    const share = shareOf(scale, value);
    const at = scale.isTime ? Math.round(share * STRIP_COLUMNS) : value;
    const found = columns.get(at) ?? { sum: 0, count: 0, isBeyond: false };
    columns.set(at, {
      sum: found.sum + share, count: found.count + 1, isBeyond: found.isBeyond || value > scale.high,
    });
  }
  return [...columns.values()].map((one) => ({ ...one, share: one.sum / one.count }));
}

/** Of columns whose counts would lie on each other the first of the tallest has its own. */
function isNumbered({ share, count }, columns) {
  return count >= NUMBERED && !columns.some((one) => Math.abs(one.share - share) < COUNT_SHARE
    && (one.count > count || (one.count === count && one.share < share)));
}

function columnElement({ share, count, isBeyond }, hasCount) {
  const dots = Array.from({ length: count }, () => make("i"));
  const text = [hasCount ? count : "", isBeyond ? "\u2192" : ""].filter(Boolean).join(" ");
  const column = make("div", { class: "overlap-strip-column" }, ...dots, ...(text ? [make("b", {}, text)] : []));
  column.style.insetInlineStart = `${100 * share}%`;
  return column;
}

function ticksOf({ low, high, step }) {
  const count = Math.floor((high - low) / step + 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => low + at * step);
}

function tickElement(scale, at) {
  const isLast = scale.isTime && at + scale.step > scale.high * (1 + 1e-9);
  const text = `${digits(at / scale.unit)}${isLast ? "\u00A0ms" : ""}`;
  const tick = make("span", { class: "overlap-strip-tick" }, text);
  tick.style.insetInlineStart = `${100 * shareOf(scale, at)}%`;
  return tick;
}

function truthElement(words, question, truth, scale) {
  const share = shareOf(scale, truth);
  const label = make("span", {}, words("room.truth", { truth: guessText(words, question, truth) }));
  const line = make("div", { class: share > 0.6 ? "overlap-strip-truth overlap-before" : "overlap-strip-truth" }, label);
  line.style.insetInlineStart = `${100 * share}%`;
  return line;
}

/** How often each value was guessed, for those who can't see the dots. */
function stripText(words, question, values) {
  const counts = new Map();
  for (const value of values.toSorted((one, other) => one - other)) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const listed = [...counts].slice(0, LISTED_VALUES)
    .map(([value, count]) => words("room.times", { guess: guessText(words, question, value), count }));
  return words("room.strip", { list: listed.join(", ") });
}
