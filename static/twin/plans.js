// Ways to group the layers of a backward pass into buckets: how many each of them holds.

import { createEffects } from "./effects.js";
import { ROUNDING, runningTotals } from "./schedule.js";

/** `perBucket` layers to a bucket; the last one holds what remains. */
export function wholeLayers(layers, perBucket) {
  if (!(perBucket >= 1 && perBucket <= layers)) {
    throw new Error(
      `a bucket can't hold ${perBucket} of ${layers} layers; choose 1 to ${layers}`);
  }
  const rest = layers % perBucket;
  const full = new Array((layers - rest) / perBucket).fill(perBucket);
  return rest ? [...full, rest] : full;
}

/** The plan of every bucket size, 1 to all layers to a bucket. */
export function wholeLayerPlans(layers) {
  return layers.map((_, at) => wholeLayers(layers.length, at + 1));
}

/** Close a bucket once it holds at least its limit; the first has a limit of its own. */
export function byBytes(layers, limit_bytes, first_limit_bytes) {
  checkLimits(limit_bytes, first_limit_bytes);
  const plan = [];
  let count = 0;
  let held_bytes = 0;
  let limit = first_limit_bytes;
  for (const layer of layers) {
    count += 1;
    held_bytes += layer.gradient_bytes;
    if (held_bytes < limit) continue;
    plan.push(count);
    count = held_bytes = 0;
    limit = limit_bytes;
  }
  return count ? [...plan, count] : plan;
}

/** Close a bucket before the gradient that would take it above its limit. */
export function withinBytes(layers, limit_bytes) {
  checkLimits(limit_bytes);
  const plan = [];
  let count = 0;
  let held_bytes = 0;
  for (const layer of layers) {
    if (count && held_bytes + layer.gradient_bytes > limit_bytes) {
      plan.push(count);
      count = held_bytes = 0;
    }
    count += 1;
    held_bytes += layer.gradient_bytes;
  }
  return count ? [...plan, count] : plan;
}

function checkLimits(...limits_bytes) {
  if (!limits_bytes.every((limit) => limit >= 0)) {
    throw new Error("a bucket's limit must be a number of bytes, 0 or more");
  }
}

/** The plan with the shortest tail over all groupings; see `model/plans.py`. */
export function bestPlan(layers, link, effects = createEffects()) {
  const { done_s, held_bytes } = runningTotals(layers);
  const free_s = [0];
  const before = [0];
  for (let upTo = 1; upTo <= layers.length; upTo += 1) {
    const ready_s = effects.overlap ? done_s[upTo] : done_s.at(-1);
    free_s[upTo] = Infinity;
    before[upTo] = 0;
    for (let from = 0; from < upTo; from += 1) {
      const cost_s = link.transfer_s(held_bytes[upTo] - held_bytes[from]);
      const isFree = free_s[from] - ready_s <= ROUNDING * ready_s;
      const end_s = (isFree ? ready_s : free_s[from]) + cost_s;
      if (!(end_s < free_s[upTo])) continue; // of equals the largest last bucket
      free_s[upTo] = end_s;
      before[upTo] = from;
    }
  }
  const plan = [];
  for (let at = layers.length; at > 0; at = before[at]) plan.unshift(at - before[at]);
  return plan;
}
