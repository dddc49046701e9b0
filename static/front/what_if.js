// What if: the link fitted to a recorded step, its replay, and the way to Explore and back.

import { make, makeEnglish, setParts, setText } from "./elements.js";
import { createMeanings, createNumbers } from "./numbers.js";
import { isAsked } from "./parts.js";
import { percentText, rateText, sizeText, timeText } from "./quantities.js";
import { saidText } from "./said.js";
import { createCapsTable } from "./what_if_caps.js";

const NUMBERS = [
  "fitted_bandwidth", "fitted_overhead", "fit_error", "run_tail", "replayed_tail", "run_default",
  "run_best",
];

/**
 * The card of a recorded step: what was fitted and how well it replays, or why not.
 * `tries` is {isAsked}, of which `createRunNote` knows that the reader came from here.
 */
export function createWhatIf(context) {
  const { words, id, outbox, tries } = context;
  const title = make("h3", { id: id("what-if") }, words("what_if.title"));
  const entries = NUMBERS.map((key) => [key, words(`number.${key}`), words(`help.${key}`)]);
  const numbers = createNumbers(entries);
  const meanings = createMeanings(words("numbers.meaning.what_if"), entries);
  const texts = ["reason", "about", "even"].map(() => make("p"));
  const [reason, about, even] = texts;
  const start = () => {
    tries.isAsked = true;
    outbox.post({ type: "try" });
  };
  const button = make("button", { type: "button", click: start }, words("what_if.try"));
  const caps = createCapsTable(context);
  const answer = make("div", {}, numbers.element, caps.element, about, even, button,
    meanings.element);
  return {
    element: make("section", { class: "overlap-what-if", "aria-labelledby": title.id },
      title, reason, answer),
    show(found) {
      reason.hidden = found.reason === null;
      answer.hidden = found.reason !== null;
      setParts(reason, found.reason ? englishParts(words, found.reason) : []);
      if (found.numbers) drawAnswer({ words, numbers, caps, about, even }, found.numbers);
      if (tries.isBack && !answer.hidden) later(() => button.focus());
      tries.isBack = false;
    },
  };
}

function drawAnswer({ words, numbers, caps, about, even }, fit) {
  numbers.show({
    fitted_bandwidth: rateText(fit.bandwidth_bytes_per_s),
    fitted_overhead: timeText(fit.overhead_s),
    fit_error: percentText(twoDigits(fit.relative_error)),
    run_tail: timeText(fit.measured_tail_s),
    replayed_tail: timeText(fit.replayed_tail_s),
    run_default: timeText(fit.default_tail_s),
    run_best: timeText(fit.best_tail_s),
  }, {
    fitted_bandwidth: words("what_if.within", { error: percentText(twoDigits(fit.bandwidth_error)) }),
    fitted_overhead: fit.overhead_error_s === null
      ? words("what_if.no_overhead")
      : words("what_if.within", { error: timeText(twoDigits(fit.overhead_error_s)) }),
    replayed_tail: words(fit.replay_error_s < 0 ? "what_if.soon" : "what_if.late", {
      error: timeText(Math.abs(twoDigits(fit.replay_error_s))),
      share: percentText(twoDigits(fit.replay_error)),
    }),
    run_default: words.count("transfers", fit.default_transfers),
    run_best: sizesText(words, fit),
  });
  caps.show(fit);
  setText(even, words("what_if.even", { piece: sizeText(fit.piece_bytes) }));
  const waiting = words(fit.waiting_removed ? "what_if.waiting_removed" : "what_if.waiting_inside");
  const fitted = words("what_if.fitted", {
    transfers: words.count("transfers", fit.transfers),
    low: sizeText(fit.low_bytes),
    high: sizeText(fit.high_bytes),
  });
  const late = fit.late_s > 0 ? words("what_if.late_ranks", { late: timeText(fit.late_s) }) : "";
  setText(about, [fitted, waiting, late].filter(Boolean).join(" "));
}

/** A sentence around why the model refuses, which it says in English. */
function englishParts(words, said) {
  if (typeof said === "string") return [makeEnglish(words, said)];
  const { key, values: { reason } } = said;
  const why = typeof reason === "string" ? makeEnglish(words, reason) : saidText(words, reason);
  return words.parts(key, { reason: why });
}

/** How many transfers the best plan has, and how large they are. */
function sizesText(words, { best_transfers, best_low_bytes, best_high_bytes }) {
  const transfers = words.count("transfers", best_transfers);
  const [low, high] = [best_low_bytes, best_high_bytes].map(sizeText);
  return low === high
    ? words("what_if.sizes", { transfers, size: low })
    : words("what_if.sizes_differ", { transfers, low, high });
}

/** An error is known to two digits at most. */
function twoDigits(value) {
  return Number(value.toPrecision(2));
}

/** In Explore: what is estimate and what is measured of a run, and the way back to it. */
export function createRunNote({ words, outbox, tries, lesson }) {
  const text = make("p");
  const back = make("button", { type: "button", click: leave }, words("what_if.back"));
  const element = make("div", { class: "overlap-run", hidden: true }, text, back);
  let isLesson = false;
  function leave() {
    if (isLesson) lesson.isLed = true; // its panel takes the focus
    else tries.isBack = true;
    outbox.set("mode", "measured");
  }
  return {
    element,
    show(view) {
      const { title, run } = view.controls?.scenario ?? {};
      const sizes_bytes = view.controls?.bucket?.sizes_bytes ?? [];
      element.hidden = !run || view.state.mode !== "explore";
      isLesson = view.state.lesson !== "off";
      back.hidden = !isAsked(view.state, "controls.mode");
      if (element.hidden) setText(text, ""); // also of a run that isn't explored any more
      if (element.hidden) return;
      const isTold = run.tail_s !== null;
      const [tail, backward] = [run.tail_s ?? 0, run.backward_s].map(timeText);
      const pieces = words.count("pieces", sizes_bytes.length);
      const piece = sizeText(sizes_bytes.at(-1) / sizes_bytes.length);
      setText(text, words(isTold ? "what_if.estimate" : "what_if.estimate.covered", { title: saidText(words, title), tail, backward, pieces, piece }));
      if (tries.isAsked) later(() => back.focus());
      tries.isAsked = false;
    },
  };
}

/** Once the page shows what it is told to: what is hidden takes no focus. */
function later(focus) {
  queueMicrotask(focus);
}
