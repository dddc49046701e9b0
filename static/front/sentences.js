// What a simulated step says in sentences: verdict, why, summary, change.

import { controlText } from "./measures.js";
import { ratioText, sizeText, timeText } from "./quantities.js";

/** The verdict as texts and elements; `emphasis(text)` makes the element of the tail. */
export function verdictParts(words, numbers, emphasis) {
  if (numbers.tail_s <= 0) return words.parts("verdict.none");
  return words.parts("verdict.waits", { tail: emphasis(timeText(numbers.tail_s)) });
}

/** The lanes for those who can't see them. */
export function lanesText(words, numbers) {
  return words("summary.lanes", stepValues(words, numbers));
}

/** The curve for those who can't see it, and its caption for all. */
export function curveText(words, key, numbers) {
  return words(key, stepValues(words, numbers));
}

/** The map for those who can't see it; its table has the numbers. */
export function mapText(words, { axis }, { numbers, regime }) {
  const places = { axis: words(`axis_over.${axis}`), regime: words(`short.${regime}`) };
  return words("summary.map", { ...stepValues(words, numbers), ...places });
}

/** What the ratio of traffic to work means; it exceeds only what it shows. */
export function trafficText(words, ratio) {
  if (ratio === null) return words("traffic.no_work");
  if (ratioText(ratio) === "1") return words("traffic.equals");
  return words(ratio > 1 ? "traffic.exceeds" : "traffic.fits");
}

/** What is different from one view to a later one, as heard by a screen reader. */
export function changeText(words, scenarios, before, now) {
  if (!before?.explore || !now.explore) return "";
  const changed = ["bucket", "bandwidth", "overhead"].filter(
    (key) => before.state[key] !== now.state[key],
  );
  const isOther = before.state.scenario !== now.state.scenario;
  if (!isOther && changed.length === 0) return "";
  const title = scenarios.find(({ name }) => name === now.state.scenario)?.title ?? "";
  return [
    before.explore.regime === now.explore.regime ? "" : words(`regime.${now.explore.regime}`),
    isOther ? `${title}.` : "",
    ...changed.map((key) => changedText(words, key, now)),
    tailChangeText(words, before.explore.numbers.tail_s, now.explore.numbers.tail_s),
  ]
    .filter(Boolean)
    .join(" ");
}

function changedText(words, key, { state, explore }) {
  const { bucket_bytes, transfers } = explore.numbers;
  const value = controlText(words, key, state[key]);
  if (key !== "bucket") return words(`change.${key}`, { value });
  return words("change.bucket", {
    value,
    size: sizeText(bucket_bytes),
    transfers: words.count("transfers", transfers),
  });
}

function tailChangeText(words, before_s, now_s) {
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
    bucket: words.count("layers", numbers.bucket_layers),
    best_plan_tail: timeText(numbers.best_plan_tail_s),
    transfers: words.count("transfers", numbers.transfers),
  };
}
