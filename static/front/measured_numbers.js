// What a recorded step, or a part of it, comes to: its sentences and its numbers.

import { make } from "./elements.js";
import { createMeanings, createNumbers } from "./numbers.js";
import { percentText, timeText, wholeText } from "./quantities.js";

const TIMES = ["idle", "span", "compute", "communication", "hidden", "exposed", "tail"];
const DIVIDED = ["waiting", "transfer"]; // of communication, where several ranks tell
const PHASES = ["forward", "backward", "optimizer"]; // where the recording tells them
const COUNTED = ["transfers", "kernels"];
const SHOWN = [
  "exposed", "tail", "hidden", "communication", ...DIVIDED, "compute", "idle", "span", "part",
  "overlap", ...PHASES, ...COUNTED,
];
const MEASURED = ["tail", "backward"]; // called otherwise where nothing is simulated
const MEANT = [...MEASURED, "communication"]; // and these mean something else

/** The verdict of a measured step, its number an element of its own. */
export function measuredVerdict(words, measured) {
  const values = measuredValues(words, measured);
  const exposed = make("strong", { dir: "auto" }, values.exposed);
  return words.parts(ofPart(words, measured, measured.sentence), { ...values, exposed });
}

/** The sentences under it. */
export function measuredWhy(words, measured) {
  const { sentence, numbers, part } = measured;
  const hasTail = part ? numbers.tail_s > 0 : numbers.communication_s > 0;
  const tail = numbers.backward_found ? "measured.tail" : "measured.tail_guessed";
  const idle = numbers.idle_s > numbers.exposed_s ? "measured.idle" : null;
  return [`${sentence}.why`, hasTail ? tail : null, idle]
    .filter((key) => key !== null && words.has(key))
    .map((key) => words(ofPart(words, measured, key), measuredValues(words, measured)))
    .join(" ");
}

/** What its picture shows, for those who can't see it. */
export function measuredSummary(words, measured) {
  return words(ofPart(words, measured, "summary.recording"), measuredValues(words, measured));
}

/** The sentence on a part of a step, where it differs from that on all of it. */
function ofPart(words, { part }, key) {
  return part && words.has(`${key}.part`) ? `${key}.part` : key;
}

function measuredValues(words, { numbers, part }) {
  const told = DIVIDED.filter((key) => Number.isFinite(numbers[`${key}_s`]));
  const times = [...TIMES, ...told].map((key) => [key, timeText(numbers[`${key}_s`])]);
  return {
    ...Object.fromEntries(times),
    ...(part ? { from: timeText(part.start_s), to: timeText(part.end_s) } : {}),
    overlap: numbers.overlap === null ? words("number.none") : percentText(numbers.overlap),
    transfers: words.count("transfers", numbers.transfers),
    kernels: words.count("kernels", numbers.kernels),
  };
}

/** The numbers in a list, and what they mean; those that aren't known are left out. */
export function createMeasuredNumbers(words) {
  const wordOf = (key) => (MEASURED.includes(key) ? `measured_${key}` : key);
  const helpOf = (key) => words(`help.${MEANT.includes(key) ? "measured_" : ""}${key}`);
  const entries = SHOWN.map((key) => [key, words(`number.${wordOf(key)}`), helpOf(key)]);
  const list = createNumbers(entries);
  const meanings = createMeanings(words("numbers.meaning"), entries);
  return {
    element: make("section", { class: "overlap-sums", "aria-label": words("region.numbers") },
      list.element),
    meanings: meanings.element,
    show(measured) {
      const { numbers, part } = measured;
      const { span, ...values } = measuredValues(words, measured);
      const phases = PHASES.filter((key) => (numbers[`${key}_s`] ?? null) !== null)
        .map((key) => [key, timeText(numbers[`${key}_s`])]);
      const counts = COUNTED.map((key) => [key, wholeText(numbers[key])]);
      const whole = part ? { part: span } : { span };
      const shown = { ...values, ...whole, ...Object.fromEntries([...phases, ...counts]) };
      list.show(shown);
      meanings.show(shown);
    },
  };
}
