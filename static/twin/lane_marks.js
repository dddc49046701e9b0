// What the options of a step leave in its picture, in milliseconds.

import { besidePass } from "./timeline.js";

const MARK_MS = 1e-3;

/** {late, slowed, passes}: 0 and empty where the options are off. */
export function marksOf(simulation, timeline) {
  const { effects, layers, done_s } = simulation;
  const passes = Array.from(
    { length: effects.micro_steps - 1 }, (_, at) => done_s[layers.length * (at + 1)] / MARK_MS);
  const slowed = effects.slowdown > 0 ? besidePass(timeline) : [];
  return {
    late: effects.late_s / MARK_MS,
    slowed: slowed.map((span) => span.map((time_s) => time_s / MARK_MS)),
    passes,
  };
}
