// The sweep: what every bucket size comes to on one link, and what is best.

import { exceeds, tailOf } from "./backward.js";
import { createEffects, sendingPasses } from "./effects.js";
import { wholeLayerPlans } from "./plans.js";
import { decided } from "./regime.js";
import { hideableTime, schedule, sentBytes, totalsOf } from "./schedule.js";
import { bestBeside, endsOf } from "./sizes.js";

/**
 * Each bucket size on this link, {bucket, transfers, last_layers, last_bytes, tail,
 * slowed_s, regime, step_s, floor_s}, and the best: {bucket, tail_s, plan, plan_tail_s}.
 */
export function sweep(layers, link, effects = createEffects()) {
  if (!layers.length) throw new Error("there is no layer to put into a bucket");
  const totals = totalsOf(layers, effects);
  const plans = wholeLayerPlans(layers);
  const found = endsOf(totals, plans, link, effects);
  const step = stepOf(layers, totals, link, effects);
  const sizes = plans.map((plan, at) => bucketSize(plan, found[at], step));
  const tails = sizes.map((one) => one.tail);
  const slowed_s = sizes.map((one) => one.slowed_s);
  return { sizes, best: bestBeside(tails, slowed_s, layers, link, effects) };
}

/** What all bucket sizes of a step share. */
function stepOf(layers, totals, link, effects) {
  const hideable_s = hideableTime(layers, effects);
  const traffic_s = link.traffic_s(sentBytes(layers, effects));
  const traffic_exceeds_work = exceeds(traffic_s, hideable_s);
  const freeStarts = link.scaled(0, 1);
  return { totals, link, effects, hideable_s, traffic_exceeds_work, freeStarts };
}

function bucketSize(plan, { last_bytes, queued_s, backward_s }, step) {
  const { totals, link, effects, hideable_s, traffic_exceeds_work } = step;
  const tail = tailOf(last_bytes, queued_s, link, effects);
  const transfers = plan.length * sendingPasses(effects);
  const queuedForBytes = () => schedule(totals, plan, step.freeStarts, effects).queued_s;
  return {
    bucket: plan[0],
    transfers,
    last_layers: plan.at(-1),
    last_bytes,
    tail,
    slowed_s: backward_s - totals.done_s.at(-1),
    regime: decided({
      effects, transfers, traffic_exceeds_work, hideable_s, tail_s: tail.total_s, queued_s,
      queuedForBytes,
    }),
    step_s: backward_s + tail.total_s,
    floor_s: tail.overhead_s + tail.wire_s,
  };
}
