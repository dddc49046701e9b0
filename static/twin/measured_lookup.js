// Measured mode of a page without a server: every view was worked out by Python, and is
// looked up here. What several steps share stands once in the data; see
// `app/measured_data.py`.

import { bothFigures, chosenAgainst } from "./against.js";
import { againstView } from "./comparison.js";
import { createKept } from "./kept.js";
import { unpacked } from "./packed.js";
import { createRanksLookup } from "./ranks_lookup.js";

const KEPT_STEPS = 8;
const TABLES = ["transfers", "kernels"];
const NO_LOOKUP = {
  choose() {}, swap() {}, view: () => null, figures: () => ({}), ranks: () => ({}), runs: [],
};

/**
 * What is chosen of the recordings of a page, as indices, and what it shows: {choose,
 * swap, view, figures, ranks, runs}. `choose(kind, index)` takes another recording, device,
 * step or rank, or what to compare with;
 * `runs` are the scenarios of all steps that can be replayed, as plain data.
 */
export function createMeasuredLookup(measured) {
  if (!measured) return NO_LOOKUP;
  const kept = createKept(KEPT_STEPS);
  const [begun, device, step] = measured.begin;
  let chosen = { recording: begun, device, step };
  const recording = () => measured.recordings[chosen.recording];
  const stepAt = (place) => kept(JSON.stringify(place), () => shownStep(measured, place));
  const shown = () => stepAt(chosen);
  const ranks = createRanksLookup(measured.ranks);
  const ranksPlace = () => recording().windows[`${chosen.device}/${chosen.step}`].ranks;
  let against = null;
  return {
    choose(kind, index) {
      if (kind === "rank") chosen = ranks.chosen(ranksPlace(), index) ?? chosen;
      if (kind.startsWith("against")) {
        against = chosenAgainst(measured.recordings, chosen, against, kind, index);
      }
      if (kind === "recording") chosen = atDefault(measured.recordings, index);
      if (kind === "device") chosen = { ...chosen, device: within(index, recording().devices) };
      if (kind === "step") chosen = { ...chosen, step: within(index, recording().steps[0]) };
    },
    swap() {
      if (against) [chosen, against] = [against, chosen];
    },
    view() {
      const { view } = shown();
      return against ? { ...view, against: againstView(stepAt(against).view, view) } : view;
    },
    figures() {
      const { figures } = shown();
      return against ? bothFigures(figures.recording, stepAt(against).figures.recording) : figures;
    },
    ranks: () => ranks.at(ranksPlace()),
    runs: measured.recordings.flatMap(({ windows }) =>
      Object.values(windows).flatMap(({ run }) => run ?? [])),
  };
}

function atDefault(recordings, index) {
  const recording = within(index, recordings);
  return { recording, device: 0, step: recordings[recording].default_step };
}

function within(index, items) {
  return Math.min(Math.max(index, 0), items.length - 1);
}

function shownStep(measured, chosen) {
  const recording = measured.recordings[chosen.recording];
  const { view, figure } = recording.windows[`${chosen.device}/${chosen.step}`];
  const tables = TABLES.map((name) => [name, namedTable(view[name], recording.names)]);
  return {
    view: {
      ...view,
      ...Object.fromEntries(tables),
      ...chosen,
      against: null,
      part: null,
      classes: recording.classes,
      recordings: measured.recordings.map(({ name, format, rank }) => ({ name, format, rank })),
      devices: recording.devices,
      steps: recording.steps[chosen.device],
      warnings: view.warnings.map((place) => recording.warnings[place]),
    },
    figures: { recording: stepFigure(figure, chosen, recording.names, measured.longest_name) },
  };
}

function namedTable(table, names) {
  const columns = unpacked(table);
  return { ...columns, name: columns.name.map((place) => names[place]) };
}

function stepFigure({ sources, ranges, props }, chosen, names, longest) {
  const columns = ([name, source]) => [name, unpacked(source)];
  return {
    frame: `${chosen.recording}/${chosen.device}/${chosen.step}`,
    names: names.map((name) => cutName(name, longest)),
    sources: Object.fromEntries(Object.entries(sources).map(columns)),
    ranges,
    props,
  };
}

/** Of a kernel, as the cards of its marks have room for. */
function cutName(name, longest) {
  const characters = [...name];
  return characters.length <= longest ? name : `${characters.slice(0, longest).join("")}…`;
}
