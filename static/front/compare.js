// Two steps beside each other: which one to compare with, and how the two differ.

import { createBars } from "./bars.js";
import { createDifferences } from "./differences.js";
import { make, makeSelect, setOptions, setText } from "./elements.js";
import { pickerTexts, stepName } from "./pickers.js";
import { createFigure } from "./pictures.js";
import { saidText, saidTexts } from "./said.js";

const NOTHING = "-1";

/** What to compare with: a recording, its device where it has several, and a step. */
export function createAgainst({ words, id, outbox }) {
  const send = (type) => (value) => outbox.postLatest(type, { type, value: Number(value) });
  const chooser = (type) => makeSelect(id(type), words(type.replace("against", "compare.with")), send(type));
  const [recording, device, step] = ["against", "against_device", "against_step"].map(chooser);
  const swap = make("button", { type: "button", click: () => outbox.post({ type: "swap" }) },
    words("compare.swap"));
  const stop = make("button", { type: "button", click: () => {
    send("against")(NOTHING);
    recording.select.focus(); // the button itself goes
  } }, words("compare.stop"));
  const buttons = make("div", { class: "overlap-window" }, swap, stop);
  function fill(type, { select }, options, chosen) {
    if (outbox.isSettled(type)) setOptions(select, options, chosen);
  }
  const element = make("div", { class: "overlap-pickers overlap-against" },
    recording.element, device.element, step.element, buttons);
  return {
    element,
    show(measured) {
      const { against } = measured;
      element.classList.toggle("overlap-comparing", Boolean(against));
      for (const one of [step.element, device.element, buttons]) one.hidden = !against;
      const nothing = [NOTHING, words("compare.nothing")];
      const recordings = [nothing, ...numbered(pickerTexts(words, measured).recording)];
      fill("against", recording, recordings, String(against?.recording ?? NOTHING));
      if (!against) return;
      const texts = pickerTexts(words, { ...measured, ...against });
      device.element.hidden = texts.device.length < 2;
      fill("against_device", device, numbered(texts.device), String(against.device));
      fill("against_step", step, numbered(texts.step), String(against.step));
    },
  };
}

function numbered(texts) {
  return texts.map((text, index) => [String(index), text]);
}

/**
 * The step that is compared with: its `lanes`, which belong under those of the other, and
 * what differs in words and in numbers.
 */
export function createComparison(context) {
  const { words, id } = context;
  const title = make("h2", { id: id("comparison-title") });
  const [first, rest, doubts] = [make("p"), make("p"), make("p", { class: "overlap-hint" })];
  const caption = make("p", { class: "overlap-hint" });
  const figure = createFigure("against", context);
  createBars("against", "recording", figure, context);
  const lanes = make("div", {}, caption, figure.element);
  const differences = createDifferences(context);
  const element = make("section", { class: "overlap-comparison", "aria-labelledby": title.id },
    title, first, rest, differences.element, doubts);
  return {
    element,
    lanes,
    canvas: figure.canvas,
    /** `describe(step)` says what the lanes of a step show. */
    show(measured, describe) {
      const { against } = measured;
      lanes.hidden = !against;
      element.hidden ||= !against; // or not asked for
      if (!against) return;
      const names = comparedNames(words, measured);
      const isDoubt = ({ key }) => key.startsWith("compare.doubt.");
      const [length, ...others] = against.said;
      setText(title, words("compare.title", names));
      setText(first, saidText(words, length));
      setText(rest, saidTexts(words, others.filter((one) => !isDoubt(one))));
      setText(doubts, saidTexts(words, others.filter(isDoubt)));
      setText(caption, words("compare.lanes", names));
      figure.describe(describe(against));
      differences.show(against.rows);
    },
  };
}

/** What is compared and how far apart both are, for those who can't see it; "" for nothing. */
export function comparedText(words, measured) {
  if (!measured.against) return "";
  const title = words("compare.title", comparedNames(words, measured));
  return `${title}. ${saidText(words, measured.against.said[0])}`;
}

/** What to call both steps: by what they differ in. */
function comparedNames(words, measured) {
  const { against } = measured;
  const differs = ["recording", "device"].find((key) => against[key] !== measured[key]) ?? "step";
  const recordings = pickerTexts(words, measured).recording;
  const nameOf = ({ recording, devices, device, steps, step }) => words(`compare.of_${differs}`, {
    recording: recordings[recording],
    device: devices[device],
    step: stepName(words, steps[step]?.name ?? ""),
  });
  return { before: nameOf(against), after: nameOf(measured) };
}
