// What is asked before an answer is revealed, and what is said of a guess afterwards.

import { timeText } from "./quantities.js";
import { saidText } from "./said.js";
import { isSlowed } from "./sentences.js";

/** The question of a covered view, with the numbers that are on screen. */
export function questionText(words, { covered, state, explore }) {
  if (!explore) return words("predict.ask.measured");
  if (covered === "best" && isSlowed(state)) return words("predict.ask.step");
  if (covered === "tail" && state.micro_steps > 1) return words("predict.ask.tail.passes");
  const { backward_s, transfers } = explore.numbers;
  return words(`predict.ask.${covered}`,
    { backward: timeText(backward_s), transfers: words.count("transfers", transfers) });
}

/** A guess or a truth in words: a time, a count of layers, or what an option says. */
export function guessText(words, question, value) {
  if (question === "tail") return timeText(value);
  return question === "best" ? words.count("layers", value) : words(`guess.${question}.${value}`);
}

/**
 * What came out, in a sentence or two; `isNow` is whether the step that was asked about is
 * still the one that is shown. After it has changed, both are only repeated. Why an option
 * is right stands in the verdict: `isAlone` where that isn't on the page.
 */
export function outcomeText(words, told, isNow, isAlone = false) {
  const { question, guess, truth, closeness } = told;
  const isTime = question === "tail";
  const textOf = (value) => guessText(words, question, value);
  const places = {
    guess: guess === null ? "" : textOf(guess),
    truth: textOf(truth),
    difference: isTime && guess !== null ? timeText(Math.abs(truth - guess)) : "",
    why: told.why && isAlone ? saidText(words, told.why) : "",
    guess_tail: Number.isFinite(told.guess_tail_s) ? timeText(told.guess_tail_s) : "",
    truth_tail: Number.isFinite(told.truth_tail_s) ? timeText(told.truth_tail_s) : "",
  };
  const kind = question === "lever" || question === "regime" ? "option" : question;
  if (!isNow) return words(`guess.then.${kind}${guess === null ? ".none" : ""}`, places);
  const isOther = kind === "best" && (closeness === "short" || closeness === "long");
  return words(`guess.${kind}.${isOther ? "other" : closeness}`, places).trim();
}
