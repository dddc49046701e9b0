// The guesses of a room: read from a typed list, and what they come to.

import { closenessOfTime } from "./guess.js";
import { readGuess } from "./guess_values.js";
import { kindOf } from "./measures.js";

const MOST_GUESSES = 200;
const MOST_QUOTED = 4; // of what can’t be read
const UNIT_JOINED = /([\d.])\s+([mnuµμ]?s|(?:layer|piece)s?)(?=[\s,;]|$)/gi; // a number and its unit
const GUESSES_APART = /[\s;]+|,(?=\s|$)|(?<=[a-zµμ]),/i; // between guesses
const NEAR_ENOUGH = ["exact", "close"];

/**
 * {values, message}: all guesses of a list, in seconds or layers, with a sentence where
 * something in it is none. Between two digits a comma is a decimal one, as in the boxes,
 * unless several stand in a row or a count is asked for, which has no decimals.
 */
export function readGuesses(words, key, text, most) {
  const tokens = text.trim().replace(UNIT_JOINED, "$1$2").split(GUESSES_APART)
    .flatMap((token) => splitRow(token, kindOf(key) === "count")).filter(Boolean);
  const found = tokens.map((token) => ({ token, ...readGuess(words, key, token, most) }));
  const values = found.flatMap(({ value }) => value ?? []);
  const wrong = found.filter(({ value }) => value === undefined);
  const left = values.length - MOST_GUESSES;
  const message = wrong.length ? words("room.unread", { asked: quoted(wrong) })
    : left > 0 ? words("room.most", { most: MOST_GUESSES }) : "";
  return { values: values.slice(0, MOST_GUESSES), message };
}

function splitRow(token, isCount) {
  const parts = token.split(",");
  return parts.length > 2 || isCount ? parts : [token];
}

function quoted(wrong) {
  const shown = wrong.slice(0, MOST_QUOTED).map(({ token }) => `“${token.slice(0, 40)}”`);
  return [...shown, ...(wrong.length > MOST_QUOTED ? ["…"] : [])].join(", ");
}

/** Whether another guess may be counted. */
export function hasRoom(counts) {
  return countOf(counts) < MOST_GUESSES;
}

/** How many guesses the options have in all. */
export function countOf(counts) {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Median and ends of values; null where there are none. */
export function spreadOf(values) {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const half = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(half)] + sorted[Math.ceil(half)]) / 2;
  return { median, low: sorted[0], high: sorted.at(-1) };
}

/** How many guesses come near the truth: of a time within 10 %, of a size those that are it. */
export function nearCount(question, values, truth) {
  const isNear = (value) => (question === "tail"
    ? NEAR_ENOUGH.includes(closenessOfTime(value, truth)) : value === truth);
  return values.filter(isNear).length;
}
