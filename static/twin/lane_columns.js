// Columns for the lanes of Explore, in milliseconds.

import { barsOf, bracket, bucketLabels, captions, computeBars, layerLabels } from "./lane_bars.js";
import { cell, linkBars, passEnds, readyLines, slowedStrips, waitingBars } from "./lane_bars.js";
import { ghostBars, ghostCaptions, ghostEnd } from "./lane_ghost.js";
import { timeText } from "./quantity_texts.js";

const A_MS = 1e-3;
const ROUND_STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const LANES_TOP = 10;
const ROOM_AFTER_PASS = 1.2; // the time axis shows the pass and a fifth more

/** Sources, ranges and properties of the lanes figure, by model name; a ghost or null. */
export function laneColumns(timeline, marks, ghost, { places }) {
  const layers = barsOf(timeline.layers);
  const transfers = barsOf(timeline.transfers);
  const pass_ms = timeline.backward_s / A_MS;
  const end_ms = transfers.reduce((last, one) => Math.max(last, one.end), -Infinity);
  const axis_ms = timeAxis(pass_ms, Math.max(end_ms, ghostEnd(ghost)));
  const [low_y, height_px] = places.lanes_y[ghost ? "ghost" : "plain"];
  const compute = computeBars(layers, places);
  const hidden = linkBars(transfers, 0, pass_ms, places);
  const exposed = linkBars(transfers, pass_ms, Infinity, places);
  return {
    sources: {
      compute,
      compute_labels: layerLabels(compute),
      hidden,
      hidden_labels: bucketLabels(hidden),
      exposed,
      exposed_labels: bucketLabels(exposed),
      ...waitingBars(transfers, marks.late, places),
      slowed: slowedStrips(marks.slowed, places),
      passes: passEnds(marks.passes, places),
      ready: readyLines(transfers, places),
      bracket: bracket(pass_ms, end_ms, places),
      captions: ghostCaptions(captions(places), ghost, places),
      ...ghostBars(ghost, places),
      ...laneNotes(pass_ms, end_ms, axis_ms, places),
    },
    ranges: { lanes_x: { start: 0, end: axis_ms }, lanes_y: { start: low_y, end: LANES_TOP } },
    props: { pass_end: { location: pass_ms }, lanes: { height: height_px } },
  };
}

/** The tail over its bracket, and the end of the pass beside its line. */
function laneNotes(pass_ms, end_ms, axis_ms, places) {
  const beside = { x: pass_ms, end: pass_ms, axis_ms };
  return {
    tail_label: noteBeside({
      ...beside, y: places.tail_text_y, caption: "",
      text: timeText((end_ms - pass_ms) * A_MS),
    }),
    pass_label: noteBeside({
      ...beside, y: places.caption_y.compute, caption: cell("lane.compute"),
      text: cell("mark.pass_end"),
    }),
  };
}

/** A text to the right of a point; it ends at `end` where the axis ends too soon. */
function noteBeside({ x, y, text, axis_ms, end, caption }) {
  return {
    x: [x],
    y: [y],
    text: [text],
    room: [axis_ms - x],
    align: ["left"],
    end: [end],
    caption: [caption],
  };
}

/** Where the time axis ends: one place for all tails that fit, else the next. */
function timeAxis(pass_ms, end_ms) {
  const usual_ms = roundUp(ROOM_AFTER_PASS * pass_ms);
  return end_ms <= 0.99 * usual_ms ? usual_ms : roundUp(1.02 * end_ms);
}

/** The next of 1, 1.5, 2, ... 10 times a power of ten; 1 for nothing at all. */
export function roundUp(value) {
  if (value <= 0) return 1;
  const power = Number(`1e${value.toExponential(16).split("e")[1]}`);
  return (ROUND_STEPS.find((one) => one * power >= value) ?? 10) * power;
}
