// The controls of Explore, following the driver unless a hand is on them.

import { createChoice, wordedOptions } from "./choices.js";
import { createControl } from "./control.js";
import { make, setText } from "./elements.js";
import { createParts } from "./parts.js";
import { sizeText } from "./quantities.js";

const OFF = { overlap: "on", slowdown: 0, late: 0, micro_steps: 1 };

/**
 * The three sliders, and `more`: ways to fill buckets, real links and, folded away, a
 * ring's ranks and the options. `config` is {controls, choices}; `show(view)` sets each
 * that has no move of its own on the way.
 */
export function createControls(config, context) {
  const { words } = context;
  const number = Object.fromEntries(
    config.controls.map((spec) => [spec.key, createNumber(spec, context)]),
  );
  const choice = {
    plan: createChoice("plan", config.choices.plan, context),
    link: createChoice("link", config.choices.link, context),
    overlap: createChoice("overlap", wordedOptions(words, "overlap", ["on", "off"]), context),
    sync: createChoice("sync", wordedOptions(words, "sync", ["last", "every"]), context),
  };
  const ring = createFold(words("fold.ring"), [number.ranks, number.port]);
  const effects = [choice.overlap, number.slowdown, number.late, number.micro_steps, choice.sync];
  const options = createFold(words("fold.options"), effects);
  const section = (name, parts) => make(
    "section",
    { class: "overlap-controls", "aria-label": words(`region.${name}`) },
    ...parts.map((part) => part.element),
  );
  const sliders = ["bucket", "bandwidth", "overhead"];
  const parts = createParts(sliders.map((key) => [number[key].element, `controls.${key}`]));
  return {
    element: section("controls", sliders.map((key) => number[key])),
    more: section("more", [choice.plan, choice.link, ring, options]),
    show(view) {
      parts.show(view.state);
      for (const one of Object.values(number)) one.show(view);
      for (const one of Object.values(choice)) one.show(view.state, offered(view));
      const on = Object.keys(OFF).filter((key) => view.state[key] !== OFF[key]).length;
      options.note(on ? words("fold.on", { n: on }) : "");
    },
  };
}

function createNumber(spec, context) {
  const { outbox } = context;
  const control = createControl(spec, context, (value) => outbox.set(spec.key, value));
  return {
    element: control.element,
    show(view) {
      if (!outbox.isSettled(spec.key)) return;
      const bounds = view.controls?.[spec.key] ?? {};
      const stops = bounds.max ? wholeNumbers(bounds.max) : spec.stops;
      const unused = isUnused(spec.key, view.state) && context.words("control.unused");
      const note = unused ? () => unused : sizeNote(view, spec.key, bounds);
      const also = unused ? () => "" : transfersNote(view, spec.key, context.words);
      control.show(view.state[spec.key], stops, note, also);
    },
  };
}

/** Controls that are out of the way until someone wants them. */
function createFold(title, parts) {
  const note = make("span", { class: "overlap-fold-note" });
  const inner = make("div", { class: "overlap-fold-inner" }, ...parts.map((part) => part.element));
  return {
    element: make("details", { class: "overlap-fold" },
      make("summary", {}, title, note), inner),
    note: (text) => setText(note, text),
  };
}

/** Whether a choice is offered: what was measured only of a run. */
function offered({ controls }) {
  return (value) => value !== "measured" || Boolean(controls?.scenario?.run);
}

/** Whether something else decides instead: a rule, a table, or overlap that is off. */
function isUnused(key, { plan, link, overlap }) {
  if (key === "bucket") return plan !== "layers";
  if (key === "slowdown") return overlap === "off";
  return link.endsWith("-table") && ["bandwidth", "overhead"].includes(key);
}

/** The stops of a count that goes as far as the view says. */
function wholeNumbers(most) {
  return Array.from({ length: most }, (_, index) => index + 1);
}

/** How many transfers a bucket size makes, where it is known. */
function transfersNote({ explore, sweep }, key, words) {
  if (key !== "bucket") return () => "";
  const { bucket_layers, transfers } = explore?.numbers ?? {};
  return (layers) => {
    const { sizes } = sweep ?? {}; // none while an answer is covered
    const count = layers === bucket_layers ? transfers : sizes?.transfers[sizes.bucket.indexOf(layers)];
    return count === undefined ? "" : words.count("transfers", count);
  };
}

/** The size of a full bucket beside the count of its layers, where it is known. */
function sizeNote(view, key, { sizes_bytes }) {
  if (key !== "bucket") return () => "";
  const { bucket_layers, bucket_bytes } = view.explore?.numbers ?? {};
  return (layers) => {
    const isShown = layers === bucket_layers;
    const size_bytes = isShown ? bucket_bytes : sizes_bytes?.[layers - 1];
    return size_bytes === undefined ? "" : sizeText(size_bytes);
  };
}
