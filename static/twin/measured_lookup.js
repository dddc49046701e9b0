// Measured mode of a page without a server: every view was worked out by Python, and is
// looked up here. What several steps share stands once in the data; see
// `app/measured_data.py`.

import { createKept } from "./kept.js";
import { unpacked } from "./packed.js";

const KEPT_STEPS = 8;
const TABLES = ["transfers", "kernels"];

/**
 * What is chosen of the recordings of a page, as indices, and what it shows: {choose,
 * view, figures, runs}. `choose(kind, index)` takes another recording, device or step;
 * `runs` are the scenarios of all steps that can be replayed, as plain data.
 */
export function createMeasuredLookup(measured) {
  if (!measured) return { choose() {}, view: () => null, figures: () => ({}), runs: [] };
  const kept = createKept(KEPT_STEPS);
  let chosen = atDefault(measured.recordings, 0);
  const recording = () => measured.recordings[chosen.recording];
  const shown = () => kept(JSON.stringify(chosen), () => shownStep(measured, chosen));
  return {
    choose(kind, index) {
      if (kind === "recording") chosen = atDefault(measured.recordings, index);
      if (kind === "device") chosen = { ...chosen, device: within(index, recording().devices) };
      if (kind === "step") chosen = { ...chosen, step: within(index, recording().steps[0]) };
    },
    view: () => shown().view,
    figures: () => shown().figures,
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
