// Explore: the verdict, the lanes, the controls beside the curve, the numbers.

import { createControls } from "./controls.js";
import { make, setText } from "./elements.js";
import { createNumbers } from "./numbers.js";
import { createFigure, createLegend, createVerdict } from "./pictures.js";
import { millisecondTexts, sizeText, timeText } from "./quantities.js";
import { curveText, lanesText, trafficText, verdictParts, whyText } from "./sentences.js";
import { createTable, rowsOfColumns } from "./tables.js";

/** `show(view)` draws `view.explore`; `lanes` and `curve` wait for their figures. */
export function createExplore(config, context) {
  const { words } = context;
  const verdict = createVerdict();
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
      createLegend(words, ["compute", "hidden", "exposed", "waiting"]), lanes.element),
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
  const tail = createNumbers(entries(["tail", "queued", "overhead", "wire"]), "overlap-split");
  const rest = createNumbers(entries(["hidden", "communication", "backward", "step", "traffic"]));
  return {
    element: make("section", { class: "overlap-sums", "aria-label": words("region.numbers") },
      tail.element, rest.element),
    show(numbers) {
      const times = ["tail", "queued", "overhead", "wire", "hidden", "communication"];
      const texts = [...times, "backward", "step"].map((key) =>
        [key, timeText(numbers[`${key}_s`])]);
      tail.show(Object.fromEntries(texts));
      const traffic = trafficText(words, numbers.traffic_to_work);
      rest.show({ ...Object.fromEntries(texts), traffic });
    },
  };
}

function createTransfersTable(words) {
  const texts = ["number", "layers"];
  const numeric = ["size", "ready", "start", "end", "exposed"];
  const table = createTable(words("table.transfers"), [
    ...texts.map((key) => [words(`column.${key}`), false]),
    ...numeric.map((key) => [words(`column.${key}`), true]),
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
