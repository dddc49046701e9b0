// All bucket sizes of whole layers on one link: their ends, and the best of all plans.

import { simulate, tailOf } from "./backward.js";
import { createEffects, sendingPasses, slowsCompute } from "./effects.js";
import { bestPlan, wholeLayerPlans, wholeLayers } from "./plans.js";
import { schedule, totalsOf } from "./schedule.js";

const MOST_SLOWED = 10_000; // layers of all sending passes: more would take minutes
const ALMOST = 1e-9;

/** How each plan ends: the bytes of its last bucket, how long that waits, and the pass. */
export function endsOf(totals, plans, link, effects) {
  const layers = plans[0].reduce((sum, count) => sum + count, 0) * sendingPasses(effects);
  if (slowsCompute(effects) && layers > MOST_SLOWED) {
    throw new Error(`a slowdown takes at most ${MOST_SLOWED} layers, and not ${layers}`);
  }
  return plans.map((plan) => {
    const found = schedule(totals, plan, link, effects);
    return {
      last_bytes: found.sizes_bytes.at(-1),
      queued_s: found.queued_s,
      backward_s: found.done_s.at(-1),
    };
  });
}

/** For every bucket size its tail, and how much longer transfers make the pass. */
export function tailsAndSlowed(layers, link, effects = createEffects()) {
  const totals = totalsOf(layers, effects);
  const found = endsOf(totals, wholeLayerPlans(layers), link, effects);
  return {
    tails: found.map((one) => tailOf(one.last_bytes, one.queued_s, link, effects)),
    slowed_s: found.map((one) => one.backward_s - totals.done_s.at(-1)),
  };
}

/** The bucket size with the shortest step; of equals, within a billionth, the largest. */
export function bestBucket(tails, slowed_s) {
  const added_s = tails.map((tail, at) => tail.total_s + slowed_s[at]);
  const least_s = added_s.reduce((least, one) => (one < least ? one : least));
  return added_s.findLastIndex((one) => isClose(one, least_s)) + 1;
}

/** Python's `math.isclose` with `rel_tol=1e-9`. */
export function isClose(one, other) {
  if (one === other) return true;
  if (!Number.isFinite(one) || !Number.isFinite(other)) return false;
  const apart = Math.abs(other - one);
  return apart <= Math.abs(ALMOST * other) || apart <= Math.abs(ALMOST * one);
}

/** The best bucket size and the best plan, with the tails they leave. */
export function bestOf(layers, link, effects = createEffects()) {
  const { tails, slowed_s } = tailsAndSlowed(layers, link, effects);
  return bestBeside(tails, slowed_s, layers, link, effects);
}

/** The best bucket size of these tails, and the best plan beside it. */
export function bestBeside(tails, slowed_s, layers, link, effects) {
  const bucket = bestBucket(tails, slowed_s);
  const tail_s = tails[bucket - 1].total_s;
  const plan = bestPlan(layers, link, effects);
  const found = simulate(layers, plan, link, effects);
  const plan_tail_s = found.tail.total_s;
  // A longer step is so by rounding alone where the search is exact.
  if (plan_tail_s + found.slowed_s > tail_s + slowed_s[bucket - 1]) {
    return { bucket, tail_s, plan: wholeLayers(layers.length, bucket), plan_tail_s: tail_s };
  }
  return { bucket, tail_s, plan, plan_tail_s };
}
