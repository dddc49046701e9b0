// Explore: the verdict, the lanes, the controls beside the curve, the numbers.

import { createControls } from "./controls.js";
import { make, setText } from "./elements.js";
import { createMeanings, createNumbers } from "./numbers.js";
import { createFigure, createLegend, createVerdict } from "./pictures.js";
import { millisecondTexts, ratioText, sizeText, timeText, timeTexts } from "./quantities.js";
import { saidTexts } from "./said.js";
import { createScenarios } from "./scenarios.js";
import { curveText, lanesText, trafficText, verdictParts } from "./sentences.js";
import { createTable, rowsOfColumns } from "./tables.js";

const SPLIT = ["tail", "queued", "overhead", "wire"];
const SUMS = ["hidden", "communication", "backward", "step"];

/** `show(view)` draws `view.explore`; `lanes` and `curve` wait for their figures. */
export function createExplore(config, context) {
  const { words } = context;
  const parts = {
    verdict: createVerdict(),
    scenarios: createScenarios(config.scenarios, context),
    lanes: createFigure("lanes", context),
    controls: createControls(config.controls, context),
    curve: createFigure("curve", context),
    best: make("p", { class: "overlap-hint" }),
    numbers: createStepNumbers(words),
    transfers: createTransfersTable(words),
  };
  return {
    element: layOutExplore(parts, context),
    lanes: parts.lanes.canvas,
    curve: parts.curve.canvas,
    show(view) {
      parts.controls.show(view);
      parts.scenarios.show(view.state);
      if (view.explore) drawExplore(parts, words, view.explore);
    },
  };
}

function layOutExplore(parts, { words, id }) {
  const { verdict, scenarios, lanes, controls, curve, best, numbers, transfers } = parts;
  const legend = createLegend(words, ["compute", "hidden", "exposed", "waiting"]);
  const title = make("h2", { id: id("curve-title") }, words("curve.title"));
  return make("div", { class: "overlap-explore" },
    verdict.element,
    make("section", { class: "overlap-lanes", "aria-label": words("region.lanes") },
      make("div", { class: "overlap-above" }, legend, scenarios.element),
      lanes.element),
    make("div", { class: "overlap-columns" },
      controls.element,
      make("section", { class: "overlap-curve", "aria-labelledby": title.id },
        title, curve.element, best)),
    numbers.element,
    numbers.meanings,
    transfers.element,
  );
}

function drawExplore(parts, words, explore) {
  const { numbers, explanation, remarks } = explore;
  const emphasis = (text) => make("strong", {}, text);
  const why = saidTexts(words, [...explanation, ...remarks]);
  parts.verdict.show(verdictParts(words, numbers, emphasis), why);
  parts.lanes.describe(lanesText(words, numbers));
  parts.curve.describe(curveText(words, "summary.curve", numbers));
  setText(parts.best, curveText(words, "curve.best", numbers));
  parts.numbers.show(numbers);
  parts.transfers.show(explore.transfers);
}

function createStepNumbers(words) {
  const entries = (keys) => keys.map((key) => [key, words(`number.${key}`), words(`help.${key}`)]);
  const tail = createNumbers(entries(SPLIT), "overlap-split");
  const rest = createNumbers(entries([...SUMS, "traffic"]));
  return {
    element: make("section", { class: "overlap-sums", "aria-label": words("region.numbers") },
      tail.element, rest.element),
    meanings: createMeanings(words("numbers.meaning"), entries([...SPLIT, ...SUMS, "traffic"])),
    show(numbers) {
      const times_s = SPLIT.map((key) => numbers[`${key}_s`]);
      tail.show(Object.fromEntries(timeTexts(times_s).map((text, at) => [SPLIT[at], text])));
      const texts = SUMS.map((key) => [key, timeText(numbers[`${key}_s`])]);
      const ratio = numbers.traffic_to_work;
      const traffic = ratio === null ? words("number.none") : ratioText(ratio);
      rest.show({ ...Object.fromEntries(texts), traffic }, { traffic: trafficText(words, ratio) });
    },
  };
}

function createTransfersTable(words) {
  const texts = ["number", "layers"];
  const numeric = ["size", "ready", "start", "end", "exposed"];
  const table = createTable(words("table.transfers"), [
    ...texts.map((key) => [words(`column.${key}`), "text"]),
    ...numeric.map((key) => [words(`column.${key}`), "number"]),
  ]);
  return {
    element: table.element,
    show(columns) {
      const times = ["ready_s", "start_s", "end_s", "exposed_s"];
      table.show(() =>
        rowsOfColumns(columns.number.map(String), columns.layers, columns.bytes.map(sizeText),
          ...times.map((key) => millisecondTexts(columns[key]))));
    },
  };
}
