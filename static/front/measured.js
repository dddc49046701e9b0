// Measured: a file of a profiler, one step of it, and what its time was spent on.

import { createAgainst, createComparison } from "./compare.js";
import { make } from "./elements.js";
import { createKernelClasses } from "./kernel_classes.js";
import { createMeanings, createNumbers } from "./numbers.js";
import { createParts } from "./parts.js";
import { createPickers } from "./pickers.js";
import { createFigure, createLegend, createVerdict } from "./pictures.js";
import { percentText, timeText, wholeText } from "./quantities.js";
import { createRanks } from "./ranks.js";
import { createMeasuredTransfersTable } from "./recorded_tables.js";

const TIMES = ["idle", "span", "compute", "communication", "hidden", "exposed", "tail"];

/** `show(view)` draws `view.measured`; `recording` waits for its figure. */
export function createMeasured(context, chooser, navigate) {
  const { words } = context;
  const parts = {
    pickers: createPickers(context),
    against: createAgainst(context),
    comparison: createComparison(context),
    empty: make("p", {}, words("measured.empty")),
    verdict: createVerdict(),
    ranks: createRanks(context),
    figure: createFigure("recording", context),
    numbers: createMeasuredNumbers(words),
    warnings: make("ul", { class: "overlap-warnings", "aria-label": words("region.warnings") }),
    transfers: createMeasuredTransfersTable(words),
    kernels: createKernelClasses(context, context.takesFiles),
  };
  const recorded = layOutRecorded(parts, words, createNavigation(words, navigate));
  const opening = make("section",
    { class: "overlap-open", "aria-label": words("region.open") }, parts.pickers.element, chooser,
    parts.against.element);
  const shown = createParts([[opening, "controls.scenario"], ...recorded.parts]);
  return {
    element: make("div", { class: "overlap-measured" }, opening, parts.empty, recorded.element),
    recording: parts.figure.canvas,
    places: { ranks: parts.ranks.canvas, against: parts.comparison.canvas },
    pick: (_name, place) => parts.ranks.pick(place),
    show({ state, measured, ranks }) {
      shown.show(state);
      recorded.element.hidden = !measured;
      parts.pickers.element.hidden = !measured;
      parts.against.element.hidden = !measured;
      parts.empty.hidden = Boolean(measured);
      if (measured) drawMeasured(parts, words, measured, ranks);
    },
  };
}

/** The page of a recorded step, and what each of its parts is called in the state. */
function layOutRecorded(parts, words, navigation) {
  const legend = createLegend(words, ["compute", "hidden", "exposed", "other"]).element;
  const picture = make("section", { class: "overlap-lanes", "aria-label": words("region.recording") },
    make("div", { class: "overlap-above" }, legend, navigation), parts.figure.element);
  const { verdict, ranks, comparison, numbers, warnings, transfers, kernels } = parts;
  return {
    element: make("div", { class: "overlap-recorded" }, verdict.element, ranks.picture,
      picture, comparison.element, numbers.element, numbers.meanings, warnings, kernels.choice, ranks.tables, transfers.element,
      kernels.element),
    parts: [
      [verdict.element, "show.verdict"],
      [ranks.picture, "show.lanes"],
      [picture, "show.lanes"],
      [comparison.element, "show.lanes"],
      ...[numbers.element, numbers.meanings].map((one) => [one, "show.numbers"]),
      ...[ranks.tables, transfers.element, kernels.element].map((one) => [one, "show.tables"]),
    ],
  };
}

function drawMeasured(parts, words, measured, ranks) {
  const describe = (step) => words("summary.recording", measuredValues(words, step));
  const items = measured.warnings.map((text) => make("li", {}, text));
  parts.pickers.show(measured);
  parts.against.show(measured);
  parts.verdict.show(measuredVerdict(words, measured), measuredWhy(words, measured));
  parts.ranks.show(measured, ranks);
  parts.figure.describe(describe(measured));
  parts.comparison.show(measured, describe);
  parts.numbers.show(measured.numbers);
  parts.warnings.replaceChildren(...items);
  parts.transfers.show(measured);
  parts.kernels.show(measured);
}

/** The verdict of a measured step, its number an element of its own. */
export function measuredVerdict(words, measured) {
  const values = measuredValues(words, measured);
  const exposed = make("strong", {}, values.exposed);
  return words.parts(measured.sentence, { ...values, exposed });
}

function measuredWhy(words, measured) {
  const { sentence, numbers } = measured;
  const hasTail = numbers.communication_s > 0;
  const tail = numbers.backward_found ? "measured.tail" : "measured.tail_guessed";
  const idle = numbers.idle_s > numbers.exposed_s ? "measured.idle" : null;
  return [`${sentence}.why`, hasTail ? tail : null, idle]
    .filter((key) => key !== null && words.has(key))
    .map((key) => words(key, measuredValues(words, measured)))
    .join(" ");
}

function measuredValues(words, { numbers }) {
  const times = TIMES.map((key) => [key, timeText(numbers[`${key}_s`])]);
  return {
    ...Object.fromEntries(times),
    overlap: numbers.overlap === null ? words("number.none") : percentText(numbers.overlap),
    transfers: words.count("transfers", numbers.transfers),
    kernels: words.count("kernels", numbers.kernels),
  };
}

function createMeasuredNumbers(words) {
  const keys = [
    "exposed", "tail", "hidden", "communication", "compute", "idle", "span", "overlap",
  ];
  const wordOf = (key) => (key === "tail" ? "measured_tail" : key); // it may be hidden
  const entries = [...keys, "transfers", "kernels"].map((key) =>
    [key, words(`number.${wordOf(key)}`), words(`help.${wordOf(key)}`)]);
  const list = createNumbers(entries);
  return {
    element: make("section", { class: "overlap-sums", "aria-label": words("region.numbers") },
      list.element),
    meanings: createMeanings(words("numbers.meaning"), entries),
    show(numbers) {
      const values = measuredValues(words, { numbers });
      const counts = ["transfers", "kernels"].map((key) => [key, wholeText(numbers[key])]);
      list.show({ ...values, ...Object.fromEntries(counts) });
    },
  };
}

function createNavigation(words, navigate) {
  const buttons = ["in", "out", "fit", "earlier", "later"].map((way) =>
    make("button", { type: "button", click: () => navigate(way) }, words(`window.${way}`)));
  return make("div", { class: "overlap-window", role: "group", "aria-label": words("window.title") },
    ...buttons);
}
