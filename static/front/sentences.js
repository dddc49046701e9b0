// What a simulated step says in sentences: verdict, why, summary, change.

import { controlText } from "./measures.js";
import { isAsked } from "./parts.js";
import { ratioText, sizeText, timeText } from "./quantities.js";
import { saidText } from "./said.js";

// Of the settings: those that change no number, and those whose new value is said.
const SILENT = ["mode", "theme", "axis", "lang", "predict", "projector", "controls", "show"];
const SPOKEN = ["plan", "bucket", "bandwidth", "overhead"];

/** The verdict as texts and elements; `emphasis(text)` makes the element of the tail. */
export function verdictParts(words, numbers, emphasis) {
  if (numbers.tail_s <= 0) return words.parts("verdict.none");
  return words.parts("verdict.waits", { tail: emphasis(timeText(numbers.tail_s)) });
}

/** The lanes for those who can't see them. */
export function lanesText(words, { state, controls, explore }) {
  const layers = words.count("layers", controls.bucket.max);
  const said = words("summary.lanes", { ...stepValues(words, explore.numbers), layers });
  return isAsked(state, "show.tables") ? `${said} ${words("summary.tables")}` : said;
}

/** The same while the answer is covered: what is drawn up to the end of the pass. */
export function coveredLanesText(words, { backward_s, transfers }) {
  if (backward_s === undefined) return words("predict.hidden");
  const places = { backward: timeText(backward_s), transfers: words.count("transfers", transfers) };
  return `${words("summary.lanes.covered", places)} ${words("predict.hidden")}`;
}

/** Where the point of the curve or the map is, and no more. */
export function coveredPadTexts(words, { choices }, { state }) {
  const bucket = words.count("layers", state.bucket);
  const [, plan] = choices.plan.find(([value]) => value === state.plan);
  const here = words(state.plan === "layers" ? "here.layers" : "here.plan", { bucket, plan: saidText(words, plan) });
  return { summary: words("predict.hidden"), text: here };
}

/** The smallest tail of all bucket sizes; where compute is slowed, the shortest step. */
export function bestText(words, state, numbers) {
  return words(isSlowed(state) ? "curve.best_step" : "curve.best", stepValues(words, numbers));
}

/** Whether transfers slow compute, so that the shortest tail may be of a longer step. */
export function isSlowed({ slowdown, overlap }) {
  return slowdown > 0 && overlap === "on";
}

/** The curve for those who can't see it: what it shows, and where one is on it. */
export function curveTexts(words, config, { state, explore, sweep: { sizes } }) {
  const places = placesHere(words, config, state, explore);
  const best = isSlowed(state) ? places.best : words("curve.best_plan", places);
  const summary = words("summary.curve", { ...places, course: courseText(words, sizes), best });
  return { summary, text: words("pad.curve.value", places) };
}

/** Where the curve falls and where it climbs, from the largest bucket to the smallest. */
function courseText(words, { bucket, tail_s }) {
  const last = tail_s.length - 1;
  const lowest = tail_s.indexOf(Math.min(...tail_s));
  const ends = { large: last, best: lowest, small: 0 };
  const places = Object.fromEntries(Object.entries(ends).flatMap(([name, at]) =>
    [[name, words.count("layers", bucket[at])], [`${name}_tail`, timeText(tail_s[at])]]));
  const isFalling = places.large_tail !== places.best_tail;
  const isClimbing = places.small_tail !== places.best_tail;
  if (isFalling && isClimbing) return words("curve.valley", places);
  return words(isFalling ? "curve.falls" : isClimbing ? "curve.climbs" : "curve.flat", places);
}

/** The map for those who can't see it; its table has the numbers. */
export function mapTexts(words, config, state, explore) {
  const places = placesHere(words, config, state, explore);
  return { summary: words("summary.map", places), text: words("pad.map.value", places) };
}

/** What a summary of the curve or the map may say of the point and of what is around. */
function placesHere(words, { choices }, state, { numbers, regime }) {
  const bucket = words.count("layers", state.bucket);
  const [, plan] = choices.plan.find(([value]) => value === state.plan);
  return {
    ...stepValues(words, numbers),
    best: bestText(words, state, numbers),
    here: words(state.plan === "layers" ? "here.layers" : "here.plan", { bucket, plan: saidText(words, plan) }),
    axis: words(`name.${state.axis}`),
    value: controlText(words, state.axis, state[state.axis]),
    regime: words(`short.${regime}`),
  };
}

/**
 * What the ratio of traffic to work means; it exceeds only what it shows. Where only the
 * last pass of several communicates, traffic may exceed that one and not all of them.
 */
export function trafficText(words, { traffic_to_work: ratio, traffic_exceeds_work: isMore }) {
  if (ratio === null) return words("traffic.no_work");
  if (ratio < 1 && isMore) return words("traffic.exceeds_last");
  if (ratioText(ratio) === "1") return words("traffic.equals");
  return words(ratio > 1 ? "traffic.exceeds" : "traffic.fits");
}

/**
 * What is different from one view to a later one, as heard by a screen reader; without
 * what it has told already: settings by their keys, "tail", "regime".
 */
export function changeText(words, scenarios, before, now, told = []) {
  if (!before?.explore || !now.explore) return "";
  const isOther = (key) => before.state[key] !== now.state[key];
  if (!Object.keys(now.state).some((key) => isOther(key) && !SILENT.includes(key))) return "";
  const isNews = (key) => isOther(key) && !told.includes(key);
  const title = titleOf(words, scenarios, now);
  const isTold = !before.covered && !now.covered; // else one of them has no tail
  return [
    isTold && !told.includes("regime") ? regimeChangeText(words, before.explore, now.explore) : "",
    isNews("scenario") ? `${title}.` : "",
    ...SPOKEN.filter(isNews).map((key) => changedText(words, key, now)),
    isTold && !told.includes("tail") ? tailChangeText(words, before.explore, now.explore) : "",
    isTold ? waitChangeText(words, before.explore, now.explore) : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** What the page calls the scenario of a view; a run isn't among those it was given. */
export function titleOf(words, scenarios, { state, controls }) {
  const named = [...scenarios, controls?.scenario].find((one) => one?.name === state.scenario);
  return saidText(words, named?.title ?? "");
}

function changedText(words, key, { state, explore }) {
  const { bucket_bytes, transfers } = explore.numbers;
  const sent = words.count("transfers", transfers);
  if (key === "plan") return words("change.plan", { transfers: sent });
  const value = controlText(words, key, state[key]);
  if (key !== "bucket") return words(`change.${key}`, { value });
  return words("change.bucket", { value, size: sizeText(bucket_bytes), transfers: sent });
}

function regimeChangeText(words, before, now) {
  return before.regime === now.regime ? "" : words(`regime.${now.regime}`);
}

/** How many buckets wait at once, which their explanation knows. */
function waitChangeText(words, ...steps) {
  const [before, now] = steps.map(({ explanation: [why] }) => why.values.most_waiting);
  if (before === now) return "";
  return now > 0 ? words("change.waiting", { waiting: words.count("waiting", now) }) : words("change.no_waiting");
}

function tailChangeText(words, { numbers: { tail_s: before_s } }, { numbers: { tail_s: now_s } }) {
  const tail = timeText(now_s);
  const difference = timeText(Math.abs(now_s - before_s));
  if (timeText(before_s) === tail) return words("change.same", { tail });
  return words(now_s > before_s ? "change.up" : "change.down", { tail, difference });
}

/** Every place that a summary of a simulated step may hold. */
function stepValues(words, numbers) {
  const times = ["backward", "communication", "hidden", "tail"];
  const texts = times.map((name) => [name, timeText(numbers[`${name}_s`])]);
  return {
    ...Object.fromEntries(texts),
    best_tail: timeText(numbers.best_tail_s),
    best_bucket: words.count("layers", numbers.best_bucket),
    best_plan_tail: timeText(numbers.best_plan_tail_s),
    transfers: words.count("transfers", numbers.transfers),
  };
}
