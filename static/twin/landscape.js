// The landscape: the tail and its regime for each bucket size on each of many links.

import { exceeds, tailOf } from "./backward.js";
import { createEffects, sendingPasses } from "./effects.js";
import { lineLink } from "./link.js";
import { wholeLayers } from "./plans.js";
import { REGIMES, decided } from "./regime.js";
import { hideableTime, schedule, sentBytes, totalsOf } from "./schedule.js";

/**
 * The tail [s], the end of the pass [s] and the regime, by its place in `REGIMES`, of each
 * bucket size at each bandwidth with each overhead: `tail_s[bucket][bandwidth][overhead]`.
 */
export function landscape(
  layers, bandwidths_bytes_per_s, overheads_s, buckets, effects = createEffects(),
) {
  const links = bandwidths_bytes_per_s.map(
    (rate) => overheads_s.map((overhead_s) => lineLink(overhead_s, rate)));
  const sent_bytes = sentBytes(layers, effects);
  const step = {
    totals: totalsOf(layers, effects), effects, hideable_s: hideableTime(layers, effects),
  };
  const excess = links.map((row) => row.map(
    (link) => exceeds(link.transfer_s(sent_bytes), step.hideable_s)));
  const points = buckets.map((size) => bucketPoints(
    wholeLayers(layers.length, size), links, excess, step));
  const column = (name) => points.map(
    (rows) => rows.map((row) => row.map((point) => point[name])));
  return {
    buckets: [...buckets],
    tail_s: column("tail_s"),
    backward_s: column("backward_s"),
    regime: column("regime"),
  };
}

/** The points of one bucket size on all links. */
function bucketPoints(plan, links, excess, step) {
  return links.map((row, rate) => {
    const queuedForBytes = keptOnce(() => {
      const freeStarts = row[0].scaled(0, 1); // the same at each overhead
      return schedule(step.totals, plan, freeStarts, step.effects).queued_s;
    });
    return row.map((link, at) =>
      pointOf(plan, link, excess[rate][at], step, queuedForBytes));
  });
}

function pointOf(plan, link, traffic_exceeds_work, step, queuedForBytes) {
  const { totals, effects, hideable_s } = step;
  const found = schedule(totals, plan, link, effects);
  const queued_s = found.queued_s;
  const tail_s = tailOf(found.sizes_bytes.at(-1), queued_s, link, effects).total_s;
  const regime = decided({
    effects, transfers: plan.length * sendingPasses(effects), traffic_exceeds_work,
    hideable_s, tail_s, queued_s, queuedForBytes,
  });
  return { tail_s, backward_s: found.done_s.at(-1), regime: REGIMES.indexOf(regime) };
}

/** A function that works its answer out at most once. */
function keptOnce(answer) {
  let kept;
  return () => (kept ??= answer());
}
