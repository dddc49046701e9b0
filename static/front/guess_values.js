// Guesses as they are typed: one in a box, or those of a room in a list.

import { controlText, kindOf } from "./measures.js";
import { readQuantity } from "./typed.js";

const MOST_GUESSED_S = 100; // no tail is as long
const EXAMPLES = { guess_tail: 0.02, guess_bucket: 4 };

/** From where to where a guess goes; `most` bounds a count. */
export function guessBounds(key, most) {
  return kindOf(key) === "count" ? [1, most] : [0, MOST_GUESSED_S];
}

/** {value} in seconds or layers, or {message}: a sentence that says what is wrong with it. */
export function readGuess(words, key, text, most) {
  const name = words("predict.guess");
  const { value, problem } = readQuantity(key, text);
  if (problem) {
    const example = controlText(words, key, EXAMPLES[key]);
    return { message: words("predict.unread", { asked: text, example }) };
  }
  const bounds = guessBounds(key, most);
  if (value < bounds[0] || value > bounds[1]) {
    const [low, high] = bounds.map((bound) => controlText(words, key, bound));
    return { message: words("box.bounds", { name, low, high }) };
  }
  const isBroken = kindOf(key) === "count" && !Number.isInteger(value);
  return isBroken ? { message: words("box.whole", { name }) } : { value: Number(value.toPrecision(12)) };
}
