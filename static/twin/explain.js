// Why a step waits, and what would help most.

import { simulate } from "./backward.js";
import { wholeLayers } from "./plans.js";
import { regimeOf } from "./regime.js";
import { bestBucket, tailsAndSlowed } from "./sizes.js";

const LEAST = 0.01; // of the tail: what would save less isn't worth a word

/** What one could change, by the key of its words. */
const LEVERS = {
  overlap: (step) => withEffect(step, { overlap: true }),
  late: (step) => withEffect(step, { late_s: 0 }),
  bucket: withBestBucket,
  overhead: (step) => withLink(step, step.link.scaled(0.5, 1)),
  bandwidth: (step) => withLink(step, step.link.scaled(1, 0.5)),
};

/**
 * The regime of a step and what would help, the greatest help first: [{lever, saves_s,
 * simulation}], each on top of those before it.
 */
export function explain(simulation) {
  return { regime: regimeOf(simulation), helps: helpsOf(simulation) };
}

/** Pull the lever that shortens the tail most, then the best of the rest, and so on. */
function helpsOf(simulation) {
  const found = [];
  const rest = { ...LEVERS };
  const least_s = LEAST * simulation.tail.total_s;
  let now = simulation;
  for (;;) {
    const pulled = Object.entries(rest).map(([lever, change]) => [lever, change(now)]);
    const worth = pulled.filter(([, then]) => shortens(then, now, least_s));
    if (!worth.length) return found;
    const [lever, then] = worth.reduce((best, one) =>
      one[1].tail.total_s < best[1].tail.total_s ? one : best);
    const saves_s = now.tail.total_s - then.tail.total_s;
    found.push({ lever, saves_s, simulation: then });
    now = then;
    delete rest[lever];
  }
}

/** Whether a change takes more than this off the tail and lengthens no step. */
function shortens(then, now, least_s) {
  const saves_s = now.tail.total_s - then.tail.total_s;
  return saves_s > least_s && then.step_s <= now.step_s;
}

function withEffect({ layers, plan, link, effects }, changed) {
  return simulate(layers, plan, link, { ...effects, ...changed });
}

function withLink({ layers, plan, effects }, link) {
  return simulate(layers, plan, link, effects);
}

function withBestBucket({ layers, link, effects }) {
  const { tails, slowed_s } = tailsAndSlowed(layers, link, effects);
  const plan = wholeLayers(layers.length, bestBucket(tails, slowed_s));
  return simulate(layers, plan, link, effects);
}
