// What the lesson says of a view: its scene, its point, what is reached and what is missing.

import { isAskedStep } from "./guess.js";
import { checked, isElsewhere } from "./lesson_checks.js";
import { controlText } from "./measures.js";
import { ratioText, sizeText, timeText } from "./quantities.js";
import { saidText } from "./said.js";

const HINTED = ["tail_s", "queued_s", "traffic_exceeds_work"]; // what decides the tail helps
const MOST_LISTED = 3; // of what was tried

/** What is on screen, to predict from. */
export function sceneText(words, step, view) {
  if (isElsewhere(step, view)) return words("lesson.moved");
  return words(`lesson.${step.name}.text`, placesOf(words, view));
}

/** What the step shows once it is revealed, after a word on the `guess` that many make. */
export function pointText(words, step, view, guess) {
  if (isElsewhere(step, view)) return words("lesson.moved");
  const key = `lesson.${step.name}.point`;
  const usual = `lesson.${step.name}.guess.${guess.told?.closeness}`;
  const isUsual = words.has(usual) && isAskedStep(guess, view);
  return [isUsual && words(usual), words(key, placesOf(words, view))]
    .filter(Boolean).join(" ");
}

/** What to do now; of a recording first that it is tried, or why it can't be. */
export function taskText(words, step, view) {
  const aim = step.checks.find(({ goal }) => typeof goal === "number");
  const places = { ...placesOf(words, view), ...goalPlaces(words, aim) };
  if (step.start.mode !== "measured" || view.state.mode === "explore") {
    return words(`lesson.${step.name}.task`, places);
  }
  if (!view.measured) return words("lesson.measured.none");
  const reason = view.measured.what_if?.reason;
  return reason
    ? words("lesson.measured.refused", { reason: saidText(words, reason) })
    : words("lesson.measured.task.recorded", places);
}

/**
 * How far the learner is: {isDone, text}. Nothing is said while there is nothing to check, and
 * no hint given before the learner has changed what the question was about.
 */
export function statusOf(words, step, view, { tried, done }, guess) {
  const checks = checked(step, view, tried);
  const missing = checks.find(({ isMet }) => !isMet);
  const places = { ...placesOf(words, view), tried: triedText(words, tried) };
  if (!missing) return { isDone: true, text: words(`lesson.${step.name}.done`, places) };
  if (!view.explore || view.covered || isElsewhere(step, view)) return { isDone: false, text: "" };
  const hint = isAskedStep(guess, view) ? "" : hintText(words, missing, view, places);
  const now = [missingText(words, step, missing, view, places), hint].filter(Boolean).join(" ");
  const text = done.has(step.name) ? words("lesson.again", { now }) : now;
  return { isDone: false, text };
}

function missingText(words, step, check, { state, explore }, places) {
  if (check.value === null) return words("lesson.missing.plan");
  const general = `lesson.missing.${check.of}`;
  const own = `lesson.${step.name}.missing.${check.of}`;
  const forms = [
    `${own}.${check.value < check.goal ? "less" : "more"}`, isSpread(state, explore) ? `${own}.spread` : "", own, general,
  ];
  return words(forms.find(words.has) ?? general, { ...places, ...goalPlaces(words, check) });
}

/** Whether several passes share one tail, and there is more work than traffic. */
function isSpread({ micro_steps }, { numbers }) {
  return micro_steps > 1 && numbers.traffic_to_work < 1;
}

/** What decides the tail, and so what would shorten it, where that is asked for. */
function hintText(words, { of, goal }, { state, explore }, places) {
  if (goal === true || (of === "traffic_exceeds_work" && isSpread(state, explore))) return "";
  const key = `lesson.hint.${explore.regime}`;
  return HINTED.includes(of) && words.has(key) ? words(key, places) : "";
}

function goalPlaces(words, { of, goal }) {
  if (of.endsWith("_s")) return { goal: timeText(goal) };
  return { goal: of === "best_bucket" ? words.count("layers", goal) : String(goal) };
}

function triedText(words, { tails }) {
  return [...tails].slice(-MOST_LISTED).map(([bucket, tail_s]) =>
    words("lesson.tried", { bucket: words.count("layers", bucket), tail: timeText(tail_s) })).join("; ");
}

/** Every place that a text of the lesson may hold, of what the view tells. */
function placesOf(words, view) {
  const { state, controls, explore, measured } = view;
  const numbers = { ...explore?.numbers, ...measured?.numbers };
  const sizes_bytes = controls?.bucket?.sizes_bytes ?? [];
  const last_bytes = explore?.transfers?.bytes.at(-1);
  const values = {
    ...numbers,
    own_overhead_s: numbers.overhead_s,
    size_bytes: numbers.bucket_bytes,
    all_bytes: sizes_bytes.at(-1),
    last_size_bytes: last_bytes,
    run_s: controls?.scenario?.run?.tail_s,
  };
  const texts = Object.entries(values).filter(([, value]) => typeof value === "number")
    .flatMap(([name, value]) => placeOfNumber(name, value));
  return {
    ...Object.fromEntries(texts),
    ...countPlaces(words, numbers, sizes_bytes.length, state),
    bandwidth: controlText(words, "bandwidth", state.bandwidth),
    overhead: controlText(words, "overhead", state.overhead),
  };
}

function placeOfNumber(name, value) {
  if (name.endsWith("_s")) return [[name.slice(0, -2), timeText(value)]];
  if (name.endsWith("_bytes")) return [[name.slice(0, -6), sizeText(value)]];
  return name === "traffic_to_work" ? [["ratio", ratioText(value)]] : [];
}

function countPlaces(words, { transfers, bucket_layers, best_bucket }, layers, { micro_steps }) {
  return {
    sent: words.count("transfers", transfers ?? 0),
    bucket: words.count("layers", bucket_layers ?? 0),
    best_bucket: words.count("layers", best_bucket ?? 0),
    layers: words.count("layers", layers),
    micro_steps: words.count("micro_steps", micro_steps),
  };
}
