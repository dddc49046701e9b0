// A guess before the answer: what is asked, and how it compares once that is revealed.

import { timeText } from "./quantities.js";

const CLOSE_SHARE = 0.1; // of the truth
const ALIKE_KEYS = ["theme", "lang", "projector", "controls", "show", "lesson", "predict", "axis"];
const REGIME_NAMES = ["one_transfer", "last_bucket", "overhead", "queue", "traffic", "hidden"];
const LEVER_NAMES = ["bucket", "overhead", "bandwidth", "none"];

/** What a page keeps of a guess while it lives, in any language; the driver never gets it. */
export function createGuess() {
  return {
    key: "", // of the question that is open, or was last
    question: null,
    value: null, // seconds, layers to a bucket, or the name of an option; null for none
    step: "", // the step that it is of
    lesson: "off", // in which it was asked
    isOpen: false,
    told: null, // what `outcomeOf` found, once it is revealed
    reset: 0, // the number of a move that sets all back
    room: emptyRoom(""), // what others guess
  };
}

function emptyRoom(key) {
  return { key, typed: "", counts: {}, span_s: null };
}

/** Set all back; what came of a guess for another step goes with that. */
export function resetAll({ outbox, guess }) {
  guess.reset = outbox.post({ type: "reset" });
}

/**
 * Note what a view does to the guess: returns "asked" where it covers an answer anew,
 * "revealed" where it reveals the one that was asked for, else "". An answer that appears
 * with another step is none, unless `isRevealing`: then a move was still on its way. Who
 * leaves the lesson, or a step of it, has done with its question; who resets, with one of
 * another step.
 */
export function followView(guess, view, isRevealing = false) {
  const { covered, state } = view;
  const step = stepKey(view);
  const isLeft = state.lesson !== guess.lesson;
  const isReset = guess.reset > 0 && view.seq >= guess.reset;
  guess.lesson = state.lesson;
  if (isReset) guess.reset = 0;
  if (covered) {
    const key = [state.lesson, state.mode, covered].join(" ");
    const isNew = key !== guess.key || !guess.isOpen;
    if (key !== guess.room.key) guess.room = emptyRoom(key);
    if (isNew) Object.assign(guess, { key, question: covered, value: null, told: null, isOpen: true });
    guess.step = step;
    return isNew ? "asked" : "";
  }
  if (isLeft || (isReset && state.lesson === "off" && step !== guess.step)) guess.told = null;
  if (!guess.isOpen) return "";
  guess.isOpen = false;
  if (isLeft) return "";
  if (step !== guess.step && !isRevealing) return "";
  guess.step = step;
  guess.told = outcomeOf(guess.question, guess.value, view);
  return guess.told ? "revealed" : "";
}

/** Whether a view shows the step that was asked about. */
export function isAskedStep(guess, view) {
  return stepKey(view) === guess.step;
}

/** All that makes a step what it is: of a recorded one the choices, of another the settings. */
export function stepKey({ state, measured }) {
  const settings = measured ? 0 : Object.entries(state ?? {}).filter(([key]) => !ALIKE_KEYS.includes(key));
  return JSON.stringify([settings, measured?.recording, measured?.device, measured?.step]);
}

/**
 * The guess beside the truth, as data: {question, guess, truth, closeness}, of a size with
 * the tails of both, of an option with the sentence that explains it. Its `closeness` is
 * "exact" (the same in three digits), "close" (within 10 %), "short", "long", "other", or
 * "none" without a guess. Null where the view has no answer.
 */
export function outcomeOf(question, guess, { explore, measured, sweep }) {
  if (question === "tail") return tailOutcome(guess, (explore ?? measured)?.numbers?.tail_s);
  if (!explore) return null;
  return question === "best"
    ? sizeOutcome(guess, explore.numbers, sweep.sizes)
    : optionOutcome(question, guess, explore);
}

function tailOutcome(guess, truth) {
  if (truth === undefined) return null;
  return { question: "tail", guess, truth, closeness: closenessOfTime(guess, truth) };
}

/** How near a time is to another, both in seconds. */
export function closenessOfTime(guess_s, truth_s) {
  if (guess_s === null) return "none";
  if (timeText(guess_s) === timeText(truth_s)) return "exact";
  if (Math.abs(guess_s - truth_s) <= CLOSE_SHARE * truth_s) return "close";
  return guess_s < truth_s ? "short" : "long";
}

function sizeOutcome(guess, { best_bucket: truth, best_tail_s }, sizes) {
  const guess_tail_s = guess === null ? null : sizes.tail_s[guess - 1];
  const found = { question: "best", guess, truth, guess_tail_s, truth_tail_s: best_tail_s };
  if (guess === null) return { ...found, closeness: "none" };
  if (guess === truth) return { ...found, closeness: "exact" };
  const isClose = Math.abs(guess_tail_s - best_tail_s) <= CLOSE_SHARE * best_tail_s;
  return { ...found, closeness: isClose ? "close" : guess < truth ? "short" : "long" };
}

function optionOutcome(question, guess, { regime, lever, explanation }) {
  const truth = question === "regime" ? regime : lever ?? "none";
  const why = explanation[question === "regime" ? 0 : 1] ?? null;
  const closeness = guess === null ? "none" : guess === truth ? "exact" : "other";
  return { question, guess, truth, why, closeness };
}

/** The options of a question by name: those that can be true of what is set. */
export function guessOptions(question, { late, overlap }) {
  const can = [...(late > 0 ? ["late"] : []), ...(overlap === "off" ? [OFF_OPTION[question]] : [])];
  return [...can, ...(question === "regime" ? REGIME_NAMES : LEVER_NAMES)];
}

const OFF_OPTION = { regime: "overlap_off", lever: "overlap" };
