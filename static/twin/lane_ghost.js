// What was measured of a run, as columns of the lanes: below the estimate.

import { MB, MS, cell } from "./lane_bars.js";

/** The transfers and the pass that were measured; no rows without a ghost. */
export function ghostBars(ghost, { ghost_y }) {
  const start = ghost ? ghost.start_s.map((start_s) => start_s / MS) : [];
  const end = ghost ? ghost.end_s.map((end_s) => end_s / MS) : [];
  const size = ghost ? ghost.size_bytes.map((size_bytes) => size_bytes / MB) : [];
  const passes = ghost ? [ghost.backward_s / MS] : [];
  const fields = { measured: start.map((_, at) => at + 1), size, start, end };
  return {
    ghost: { ...ghostRow(start, end, ghost_y.link), ...fields },
    ghost_backward: ghostRow(passes.map(() => 0), passes, ghost_y.backward),
  };
}

/** The captions of the lanes, and one of the lane of the ghost. */
export function ghostCaptions(captions, ghost, places) {
  if (!ghost) return captions;
  return {
    x: [...captions.x, 0],
    y: [...captions.y, places.ghost_caption_y],
    text: [...captions.text, cell("lane.ghost")],
  };
}

/** When the last of its transfers ends [ms]; 0 without a ghost. */
export function ghostEnd(ghost) {
  return ghost ? ghost.end_s.reduce((last, end_s) => Math.max(last, end_s)) / MS : 0;
}

function ghostRow(left, right, [low, high]) {
  return { left, right, bottom: left.map(() => low), top: left.map(() => high) };
}
