// Measured: a file of a profiler, one step of it, and what its time was spent on.

import { createBars } from "./bars.js";
import { createAgainst, createComparison } from "./compare.js";
import { make, makeEnglish } from "./elements.js";
import { createHoles } from "./covers.js";
import { createKernelClasses } from "./kernel_classes.js";
import { createMeasuredNumbers, measuredSummary, measuredVerdict, measuredWhy } from "./measured_numbers.js";
import { createPart } from "./part.js";
import { createParts } from "./parts.js";
import { createPickers } from "./pickers.js";
import { createFigure, createLegend, createVerdict } from "./pictures.js";
import { createRanks } from "./ranks.js";
import { createRecordedTables } from "./recorded_tables.js";
import { saidText } from "./said.js";
import { createSteps } from "./steps.js";
import { createWhatIf } from "./what_if.js";

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
    whatIf: createWhatIf(context),
    warnings: make("ul", { class: "overlap-warnings", "aria-label": words("region.warnings") }),
    kernels: createKernelClasses(context, context.takesFiles),
  };
  parts.transfers = createRecordedTables(context, parts.figure);
  parts.steps = createSteps(context);
  parts.bars = createBars("recording", "recording", parts.figure, context);
  if (context.takesFiles) parts.part = createPart(context, parts.figure.canvas);
  const answer = make("div", { class: "overlap-answer" }, parts.verdict.element);
  const recorded = layOutRecorded(answer, parts, words, createNavigation(words, navigate));
  const opening = make("section",
    { class: "overlap-open", "aria-label": words("region.open") }, parts.pickers.element,
    parts.against.element, chooser);
  const shown = createParts([[opening, "controls.scenario"], ...recorded.parts]);
  return {
    element: make("div", { class: "overlap-measured" }, opening, parts.empty, recorded.element),
    answer,
    recording: parts.figure.canvas,
    places: { ranks: parts.ranks.canvas, against: parts.comparison.canvas },
    pick: (_name, place) => parts.ranks.pick(place),
    show({ state, measured, ranks, covered }) {
      shown.show(state);
      recorded.answers.cover(Boolean(covered));
      opening.classList.toggle("overlap-open-covered", Boolean(covered));
      recorded.element.hidden = !measured;
      parts.pickers.element.hidden = !measured;
      parts.against.element.hidden = !measured || Boolean(covered);
      parts.empty.hidden = Boolean(measured);
      if (covered) coverMeasured(parts, words, measured);
      else if (measured) drawMeasured(parts, words, measured, ranks);
    },
  };
}

/** The page of a recorded step, and what each of its parts is called in the state. */
function layOutRecorded(answer, parts, words, navigation) {
  const legend = createLegend(words, ["compute", "hidden", "exposed", "other"]).element;
  const picture = make("section", { class: "overlap-lanes", "aria-label": words("region.recording") },
    make("div", { class: "overlap-above" }, legend, navigation), parts.figure.element,
    parts.comparison.lanes);
  if (parts.part) {
    parts.figure.element.classList.add("overlap-under");
    parts.figure.element.append(parts.part.over);
    picture.append(parts.part.element);
  }
  const { verdict, ranks, comparison, numbers, warnings, transfers, kernels } = parts;
  const tellers = [
    parts.whatIf, verdict, comparison, numbers, transfers, kernels, parts.part,
  ].flatMap((one) => one?.element ?? []);
  return {
    answers: createHoles([...tellers, parts.part?.banner, ranks.picture, ranks.tables, comparison.lanes,
      numbers.meanings, warnings, kernels.choice].filter(Boolean), [parts.steps.element]),
    element: make("div", { class: "overlap-recorded" }, parts.steps.element,
      ...(parts.part ? [parts.part.banner] : []), answer, ranks.picture, picture, comparison.element, numbers.element, numbers.meanings, parts.whatIf.element,
      warnings, kernels.choice, ranks.tables, transfers.element,
      kernels.element),
    parts: [
      [parts.steps.element, "show.lanes"],
      [verdict.element, "show.verdict"],
      [ranks.picture, "show.lanes"],
      [picture, "show.lanes"],
      [comparison.element, "show.lanes"],
      ...[numbers.element, numbers.meanings, parts.whatIf.element]
        .map((one) => [one, "show.numbers"]),
      ...[kernels.choice, ranks.tables, transfers.element, kernels.element]
        .map((one) => [one, "show.tables"]),
    ],
  };
}

function drawMeasured(parts, words, measured, ranks) {
  const describe = (step) => measuredSummary(words, step);
  const items = measured.warnings.map((said) => make("li", {}, remark(words, said)));
  parts.pickers.show(measured);
  parts.against.show(measured);
  parts.whatIf.show(measured.what_if);
  parts.verdict.show(measuredVerdict(words, measured), measuredWhy(words, measured));
  parts.ranks.show(measured, ranks);
  parts.figure.describe(describe(measured));
  parts.comparison.show(measured, describe);
  parts.numbers.show(measured);
  parts.steps.show(measured);
  parts.part?.show(measured);
  parts.warnings.replaceChildren(...items);
  parts.transfers.show(measured);
  parts.kernels.show(measured);
}

/** What is said of a recording; what the loaders say of its file is English. */
function remark(words, said) {
  return typeof said === "string" ? makeEnglish(words, said) : saidText(words, said);
}

/** What is open can be chosen; nothing that was drawn before tells the answer. */
function coverMeasured(parts, words, measured) {
  if (measured) parts.pickers.show(measured);
  parts.bars.forget({});
  parts.figure.describe(words("predict.hidden"));
}

function createNavigation(words, navigate) {
  const buttons = ["in", "out", "fit", "earlier", "later"].map((way) =>
    make("button", { type: "button", click: () => navigate(way) }, words(`window.${way}`)));
  return make("div", { class: "overlap-window", role: "group", "aria-label": words("window.title") },
    ...buttons);
}
