// Explore: the verdict, the lanes, the controls beside the curve, the numbers.

import { createControls } from "./controls.js";
import { make, setText } from "./elements.js";
import { createNumbers } from "./numbers.js";
import { createFigure, createLegend, createVerdict } from "./pictures.js";
import { digits, millisecondTexts, sizeText, timeText, timeTexts } from "./quantities.js";
import { createScenarios } from "./scenarios.js";
import { curveText, lanesText, trafficText, verdictParts, whyText } from "./sentences.js";
import { createTable, rowsOfColumns } from "./tables.js";

const SPLIT = ["tail", "queued", "overhead", "wire"];
const SUMS = ["hidden", "communication", "backward", "step"];

/** `show(view)` draws `view.explore`; `lanes` and `curve` wait for their figures. */
export function createExplore(config, context) {
  const { words } = context;
  const verdict = createVerdict();
  const scenarios = createScenarios(config.scenarios, context);
  const lanes = createFigure("lanes", context);
  const curve = createFigure("curve", context);
  const controls = createControls(config.controls, context);
  const best = make("p", { class: "overlap-hint" });
  const numbers = createStepNumbers(words);
  const transfers = createTransfersTable(words);
  const curveSection = make(
    "section",
    { class: "overlap-curve", "aria-labelledby": context.id("curve-title") },
    make("h2", { id: context.id("curve-title") }, words("curve.title")),
    curve.element,
    best,
  );
  const element = make(
    "div",
    { class: "overlap-explore" },
    verdict.element,
    make("section", { class: "overlap-lanes", "aria-label": words("region.lanes") },
      make("div", { class: "overlap-above" },
        createLegend(words, ["compute", "hidden", "exposed", "waiting"]), scenarios.element),
      lanes.element),
    make("div", { class: "overlap-columns" }, controls.element, curveSection),
    numbers.element,
    transfers.element,
  );
  return {
    element,
    lanes: lanes.canvas,
    curve: curve.canvas,
    show(view) {
      controls.show(view);
      scenarios.show(view.state);
      if (!view.explore) return;
      const values = view.explore.numbers;
      verdict.show(
        verdictParts(words, values, (text) => make("strong", {}, text)),
        whyText(words, view.explore),
      );
      lanes.describe(lanesText(words, values));
      curve.describe(curveText(words, "summary.curve", values));
      setText(best, curveText(words, "curve.best", values));
      numbers.show(values);
      transfers.show(view.explore.transfers);
    },
  };
}

function createStepNumbers(words) {
  const entries = (keys) => keys.map((key) => [key, words(`number.${key}`), words(`help.${key}`)]);
  const tail = createNumbers(entries(SPLIT), "overlap-split");
  const rest = createNumbers(entries([...SUMS, "traffic"]));
  return {
    element: make("section", { class: "overlap-sums", "aria-label": words("region.numbers") },
      tail.element, rest.element),
    show(numbers) {
      const times_s = SPLIT.map((key) => numbers[`${key}_s`]);
      tail.show(Object.fromEntries(timeTexts(times_s).map((text, at) => [SPLIT[at], text])));
      const texts = SUMS.map((key) => [key, timeText(numbers[`${key}_s`])]);
      const ratio = numbers.traffic_to_work;
      const traffic = ratio === null ? words("number.none") : digits(ratio);
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
