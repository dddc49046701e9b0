// Measured: a file of a profiler, one step of it, and what its time was spent on.

import { make } from "./elements.js";
import { createNumbers } from "./numbers.js";
import { createPickers } from "./pickers.js";
import { createFigure, createLegend, createVerdict } from "./pictures.js";
import { percentText, timeText, wholeText } from "./quantities.js";
import { createKernelsTable, createMeasuredTransfersTable } from "./recorded_tables.js";
import { createUpload } from "./upload.js";

const TIMES = ["span", "compute", "communication", "hidden", "exposed", "tail"];

/** `show(view)` draws `view.measured`; `recording` waits for its figure. */
export function createMeasured(config, context, navigate) {
  const { words } = context;
  const upload = createUpload(config.limits, context);
  const pickers = createPickers(context);
  const verdict = createVerdict();
  const figure = createFigure("recording", context);
  const empty = make("p", {}, words("measured.empty"));
  const numbers = createMeasuredNumbers(words);
  const warnings = make("ul", { class: "overlap-warnings", "aria-label": words("region.warnings") });
  const tables = [createMeasuredTransfersTable(words), createKernelsTable(words)];
  const picture = make(
    "section",
    { class: "overlap-lanes", "aria-label": words("region.recording") },
    make("div", { class: "overlap-above" },
      createLegend(words, ["compute", "hidden", "exposed", "other"]),
      createNavigation(words, navigate)),
    figure.element,
  );
  const shown = make("div", { class: "overlap-recorded" },
    verdict.element, picture, numbers.element, warnings, ...tables.map((one) => one.element));
  const element = make("div", { class: "overlap-measured" },
    make("section", { class: "overlap-open", "aria-label": words("region.open") },
      pickers.element, upload.element),
    empty, shown);
  acceptDrops(element, upload.open);
  return {
    element,
    recording: figure.canvas,
    show(view) {
      upload.show(view.upload);
      shown.hidden = !view.measured;
      pickers.element.hidden = !view.measured;
      empty.hidden = Boolean(view.measured);
      if (!view.measured) return;
      const { measured } = view;
      verdict.show(measuredVerdict(words, measured), measuredWhy(words, measured));
      figure.describe(words("summary.recording", measuredValues(words, measured)));
      numbers.show(measured.numbers);
      warnings.replaceChildren(...measured.warnings.map((text) => make("li", {}, text)));
      pickers.show(measured);
      for (const table of tables) table.show(measured);
    },
  };
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
  return [`${sentence}.why`, hasTail ? tail : null]
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
  const keys = ["exposed", "tail", "hidden", "communication", "compute", "span", "overlap"];
  const list = createNumbers([...keys, "transfers", "kernels"].map((key) =>
    [key, words(`number.${key}`), words(`help.${key}`)]));
  return {
    element: make("section", { class: "overlap-sums", "aria-label": words("region.numbers") },
      list.element),
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

function acceptDrops(element, open) {
  const mark = (isOver) => element.classList.toggle("overlap-dropping", isOver);
  element.addEventListener("dragover", (event) => {
    event.preventDefault();
    mark(true);
  });
  element.addEventListener("dragleave", (event) => {
    if (!element.contains(event.relatedTarget)) mark(false);
  });
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    mark(false);
    const [file] = event.dataTransfer.files;
    if (file) open(file);
  });
}
