// Explore: the verdict, the lanes, the controls beside curve and map, the numbers.

import { createBars } from "./bars.js";
import { createControls } from "./controls.js";
import { createHoles } from "./covers.js";
import { make, setAttribute } from "./elements.js";
import { createCurve, createMap } from "./landscape.js";
import { createMeanings, createNumbers } from "./numbers.js";
import { createParts, isAsked } from "./parts.js";
import { createFigure, createLegend, createVerdict } from "./pictures.js";
import { ratioText, timeText, timeTexts } from "./quantities.js";
import { saidTexts } from "./said.js";
import { createScenarios } from "./scenarios.js";
import { coveredLanesText, isSlowed, lanesText, trafficText, verdictParts } from "./sentences.js";
import { createGhostTable, createLayersTable, createTransfersTable } from "./step_tables.js";
import { createRunNote } from "./what_if.js";

const SPLIT = ["tail", "queued", "overhead", "wire", "late"];
const SLIDERS = ["controls.bucket", "controls.bandwidth", "controls.overhead"];
const SUMS = ["hidden", "communication", "backward", "step"];

/** `show(view)` draws `view.explore`; the figures in `places` are still to be embedded. */
export function createExplore(config, context, presets) {
  const { words } = context;
  const parts = {
    verdict: createVerdict(),
    scenarios: createScenarios(config.scenarios, context),
    presets,
    run: createRunNote(context),
    lanes: createFigure("lanes", context),
    legend: createLegend(words, ["compute", "hidden", "exposed", "waiting", "late", "slowed", "passes", "ghost"]),
    controls: createControls(config, context),
    curve: createCurve(config, context),
    map: createMap(config, context),
    numbers: createStepNumbers(words),
    transfers: createTransfersTable(context),
    layers: createLayersTable(context),
    ghost: createGhostTable(context),
  };
  parts.bars = createBars("lanes", "lanes", parts.lanes, context);
  const layout = layOutExplore(parts, context);
  return {
    element: layout.element,
    answer: layout.answer,
    places: { lanes: parts.lanes.canvas, curve: parts.curve.canvas, map: parts.map.canvas },
    pick: (name, place) => parts[name].pick(place),
    show(view) {
      layout.show(view.state);
      parts.controls.show(view);
      parts.scenarios.show(view);
      parts.run.show(view);
      layout.answers.cover(Boolean(view.covered));
      if (view.covered) coverExplore(parts, words, view);
      else if (view.explore) drawExplore(parts, words, view);
    },
  };
}

/** The page of a step; `show(state)` leaves out what isn't asked for. */
function layOutExplore(parts, { words }) {
  const { verdict, scenarios, lanes, legend, controls, curve, map, numbers, transfers, layers, ghost } = parts;
  const above = make("div", { class: "overlap-above" }, legend.element, scenarios.element);
  const picture = make("section", { class: "overlap-lanes" }, above, lanes.element);
  const columns = make("div", { class: "overlap-columns" }, controls.element, curve.element);
  const more = make("div", { class: "overlap-columns overlap-more" }, controls.more, map.element);
  const tables = [transfers.element, layers.element, ghost.element, curve.table, map.table];
  const answer = make("div", { class: "overlap-answer" }, verdict.element);
  const shown = createParts([
    [verdict.element, "show.verdict"],
    [picture, "show.lanes", "controls.scenario"],
    ...[legend.element, lanes.element].map((one) => [one, "show.lanes"]),
    [scenarios.element, "controls.scenario"],
    [parts.presets.element, "controls.scenario"],
    [columns, ...SLIDERS, "show.curve"],
    [controls.element, ...SLIDERS],
    [curve.element, "show.curve"],
    ...[numbers.element, numbers.meanings].map((one) => [one, "show.numbers"]),
    [more, "controls.more", "show.map"],
    [controls.more, "controls.more"],
    [map.element, "show.map"],
    ...tables.map((one) => [one, "show.tables"]),
  ]);
  return {
    answer,
    answers: createHoles([verdict.element, numbers.meanings, ...tables]),
    element: make("div", { class: "overlap-explore" },
      parts.run.element, answer, picture, columns, numbers.element, more, numbers.meanings, ...tables),
    show(state) {
      shown.show(state);
      setAttribute(picture, "aria-label", isAsked(state, "show.lanes") && words("region.lanes"));
      parts.presets.placeAfter(state.projector === "on" ? picture : columns);
    },
  };
}

function drawExplore(parts, words, view) {
  const { numbers, explanation, remarks } = view.explore;
  const emphasis = (text) => make("strong", { dir: "auto" }, text);
  const why = saidTexts(words, [...explanation, ...remarks]);
  parts.verdict.show(verdictParts(words, numbers, emphasis), why);
  parts.lanes.describe(lanesText(words, view));
  parts.bars.know({ transfers: numbers.transfers, exposed_s: view.explore.transfers?.exposed_s });
  showLegend(parts, view);
  parts.curve.show(view);
  parts.map.show(view);
  parts.numbers.show(numbers);
  parts.transfers.show(view.explore.transfers);
  parts.layers.show(view.explore.layers);
  parts.ghost.show(view.figures.lanes.sources.ghost);
}

function showLegend({ legend }, { state, controls }) {
  legend.show({
    late: state.late > 0, slowed: isSlowed(state), passes: state.micro_steps > 1,
    ghost: Boolean(controls.scenario?.run),
  });
}

/** Nothing that was drawn before tells the answer that is covered now. */
function coverExplore(parts, words, view) {
  const { numbers = {} } = view.explore ?? {};
  parts.bars.forget({ transfers: numbers.transfers });
  parts.lanes.describe(coveredLanesText(words, numbers));
  showLegend(parts, view);
  parts.curve.cover(view);
  parts.map.cover(view);
  parts.numbers.cover(numbers, view.state);
}

function createStepNumbers(words) {
  const entries = (keys) => keys.map((key) => [key, words(`number.${key}`), words(`help.${key}`)]);
  const tail = createNumbers(entries(SPLIT), "overlap-split");
  const rest = createNumbers(entries([...SUMS, "traffic"]));
  const meanings = createMeanings(words("numbers.meaning"), entries([...SPLIT, ...SUMS, "traffic"]));
  return {
    element: make("section", { class: "overlap-sums", "aria-label": words("region.numbers") },
      tail.element, rest.element),
    meanings: meanings.element,
    show(numbers) {
      const shown = SPLIT.filter((key) => key !== "late" || numbers.late_s > 0);
      const times_s = shown.map((key) => numbers[`${key}_s`]);
      const split = Object.fromEntries(timeTexts(times_s).map((text, at) => [shown[at], text]));
      tail.show(split);
      const texts = SUMS.map((key) => [key, timeText(numbers[`${key}_s`])]);
      const ratio = numbers.traffic_to_work;
      const traffic = ratio === null ? words("number.none") : ratioText(ratio);
      const sums = { ...Object.fromEntries(texts), traffic };
      rest.show(sums, { traffic: trafficText(words, numbers) });
      meanings.show({ ...split, ...sums });
    },
    cover({ backward_s }, { late }) {
      const open = (keys) => Object.fromEntries(keys.map((key) => [key, words("predict.open_number")]));
      tail.show(open(SPLIT.filter((key) => key !== "late" || late > 0)));
      const known = backward_s === undefined ? {} : { backward: timeText(backward_s) };
      rest.show({ ...open([...SUMS, "traffic"]), ...known });
    },
  };
}
