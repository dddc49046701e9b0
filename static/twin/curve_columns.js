// The curve: the tail for every bucket size, its floors, and where the learner is.

import { roundUp } from "./lane_columns.js";
import { LAYERS } from "./settings.js";

const IN_MS = 1e-3;
const MOST_TICKS = 12;
const FEWER_TICKS = 8;
const MOST_LARGE_DOTS = 40;
const LARGE_DOTS = { size: 8, line_alpha: 1 };
const SMALL_DOTS = { size: 4, line_alpha: 0 };

/** Sources and properties of the curve: the tail of each size, and the floors. */
export function sizesColumns({ sizes, best }) {
  const buckets = sizes.map((one) => one.bucket);
  const best_ms = best.plan_tail_s / IN_MS;
  // Where transfers slow compute the best is the shortest step, and no floor of tails.
  const isFloor = sizes.every((one) => one.slowed_s === 0);
  return {
    sources: {
      tails: { x: buckets, y: sizes.map((one) => one.tail.total_s / IN_MS) },
      floor: { x: buckets, y: sizes.map((one) => one.floor_s / IN_MS) },
      best_plan: {
        x: isFloor ? curveEnds(sizes.length) : [],
        y: isFloor ? [best_ms, best_ms] : [],
      },
    },
    props: {
      curve_ticks: { ticks: sizeTicks(sizes.length) },
      curve_dots: sizes.length <= MOST_LARGE_DOTS ? LARGE_DOTS : SMALL_DOTS,
    },
  };
}

/** Where the learner is on the curve, and its ranges; `tail_s` is of the step. */
export function hereColumns(settings, { sizes }, tail_s) {
  const [start, end] = curveEnds(sizes.length);
  const longest_s = sizes.reduce((most, one) => Math.max(most, one.tail.total_s), tail_s);
  const longest_ms = longest_s / IN_MS;
  return {
    sources: ringOrLine(settings, tail_s / IN_MS, [start, end]),
    ranges: {
      curve_x: { start, end },
      curve_y: { start: 0, end: roundUp(longest_ms * 1.05) },
    },
  };
}

/** Of the axis, with room for the marks of the first and the last size. */
function curveEnds(most) {
  const margin = Math.max(0.5, most / 24);
  return [1 - margin, most + margin];
}

/** The sizes that the axis names: all up to twelve, else 1 and at most eight round. */
export function sizeTicks(most) {
  if (most <= MOST_TICKS) return Array.from({ length: most }, (_, at) => at + 1);
  const every = roundStep((step) => Math.floor(most / step) <= FEWER_TICKS);
  const rounds = Array.from({ length: Math.floor(most / every) }, (_, at) => every * (at + 1));
  return [1, ...rounds];
}

/** The first of 1, 2, 5, 10, 20, ... that will do. */
function roundStep(isEnough) {
  for (let power = 1; ; power *= 10) {
    const step = [power, 2 * power, 5 * power].find(isEnough);
    if (step) return step;
  }
}

/** A ring on the curve, or a line across for a plan that has no bucket size. */
function ringOrLine(settings, tail_ms, ends) {
  const nowhere = { x: [], y: [] };
  if (settings.plan !== LAYERS) {
    return { here: nowhere, named_plan: { x: ends, y: [tail_ms, tail_ms] } };
  }
  return { here: { x: [settings.bucket], y: [tail_ms] }, named_plan: nowhere };
}
