// A view state without its answer, as `app/cover.py` has it: what a learner predicts isn't in
// the page at all.

import { rowsWhere } from "./lane_bars.js";
import { roundUp } from "./lane_columns.js";

const TOLD = ["backward_s", "transfers", "bucket_layers", "bucket_bytes"];
const UP_TO_PASS = ["compute", "compute_labels", "slowed", "passes", "captions", "pass_label"];
const ROOM = 2; // passes that the time axis shows, whatever the tail
const OF_COMPUTE = ["compute", "other", "phases", "phase_labels"]; // of a recording
const OPEN = ["recordings", "recording", "devices", "device", "step"];
const ROOM_IN_STEP = 1.4; // the same of a recorded step

/** What the page asks now, or null; of a recorded step only its tail can be asked. */
export function questionOf({ predict, mode }) {
  if (predict === "off") return null;
  return mode === "explore" ? predict : "tail";
}

/** What the front shows of a step in Explore, {explore, figures}, up to the end of its pass. */
export function coveredExplore({ explore, figures }) {
  return {
    explore: {
      numbers: picked(explore.numbers, TOLD),
      regime: null,
      lever: null,
      explanation: [],
      remarks: [],
      transfers: null,
    },
    figures: {
      lanes: coveredLanes(figures.lanes),
      curve: coveredCurve(figures.curve),
      map: { sources: emptied(figures.map.sources) },
    },
  };
}

/** The sizes that the curve's axis names, and no tail of any. */
export function coveredSweep({ figures: { curve } }) {
  const { curve_ticks } = curve.props;
  const covered = { sources: emptied(curve.sources), props: { curve_ticks } };
  return { sizes: null, figures: { curve: covered } };
}

/** The axes of the map, and nothing on it. */
export function coveredMap({ figures: { map } }) {
  return { table: null, figures: { map: { ...map, sources: emptied(map.sources) } } };
}

/** What is open and chosen, and nothing of what was measured. */
export function coveredMeasured(measured) {
  return measured && picked(measured, OPEN);
}

/** The recording's lanes without communication, up to the end of its backward pass. */
export function coveredRecording({ recording }) {
  if (!recording) return {};
  const { sources, props } = recording;
  const pass_ms = props.pass_end.location;
  const isBegun = (start) => pass_ms === null || start < pass_ms;
  const began = mapped(picked(sources, OF_COMPUTE), (rows) =>
    rowsWhere(rows, (rows.left ?? rows.x).map(isBegun)));
  const told = picked(sources, ["captions", "pass_label"]);
  const covered = { sources: { ...emptied(sources), ...told, ...began } };
  return { recording: { ...recording, ...covered, ...roomAfter(recording, pass_ms) } };
}

/** An axis that goes on after the pass, whatever else the step holds. */
function roomAfter({ frame, ranges }, pass_ms) {
  if (pass_ms === null) return {};
  const { start } = ranges.recording_x;
  const end = start + ROOM_IN_STEP * (pass_ms - start);
  const axis = { start, end, bounds: [start, end] };
  return { frame: `${frame}/covered`, ranges: { ...ranges, recording_x: axis } };
}

/** The axis of sizes alone: how high the curve goes tells too much. */
function coveredCurve({ sources, ranges: { curve_x } }) {
  return { sources: emptied(sources), ranges: { curve_x } };
}

function coveredLanes(lanes) {
  const { sources, ranges, props } = lanes;
  const pass_ms = props.pass_end.location;
  const axis_ms = roundUp(ROOM * pass_ms);
  return {
    ...lanes,
    ranges: { ...ranges, lanes_x: { start: 0, end: axis_ms } },
    sources: {
      ...emptied(sources),
      ...picked(sources, UP_TO_PASS),
      hidden: barsUntil(sources.hidden, pass_ms),
      hidden_labels: sources.hidden_labels,
      late: barsUntil(sources.late, pass_ms),
      waiting: barsUntil(sources.waiting, pass_ms),
      ready: rowsWhere(sources.ready, sources.ready.x1.map((end) => end <= pass_ms)),
      pass_label: { ...sources.pass_label, room: [axis_ms - pass_ms] },
    },
  };
}

/** The bars before the pass ends, cut there; what comes later is null on them. */
function barsUntil(bars, pass_ms) {
  const cut = rowsWhere(bars, bars.left.map((left) => left < pass_ms));
  const known = (times) => times.map((time) => (time <= pass_ms ? time : null));
  return {
    ...cut,
    right: cut.right.map((right) => Math.min(right, pass_ms)),
    start: known(cut.start),
    end: known(cut.end),
  };
}

function emptied(sources) {
  return mapped(sources, (columns) => mapped(columns, () => []));
}

function mapped(values, change) {
  return Object.fromEntries(Object.entries(values).map(([key, one]) => [key, change(one)]));
}

function picked(values, keys) {
  return Object.fromEntries(keys.map((key) => [key, values[key]]));
}
