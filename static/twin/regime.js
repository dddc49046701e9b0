// Which of the effects decides the tail of a simulated step.

import { simulate } from "./backward.js";

/** In the order of Python's `Regime`; a landscape names them by their places here. */
export const REGIMES = [
  "overlap_off", "late", "one_transfer", "traffic", "overhead", "queue", "last_bucket",
  "hidden",
];

const LITTLE = 0.01; // of the work that could hide it: no longer a tail counts as hidden

/** The regime of one step. */
export function regimeOf(simulation) {
  const { layers, plan, link, effects, tail } = simulation;
  return decided({
    effects,
    transfers: simulation.transfers.length,
    traffic_exceeds_work: simulation.traffic_exceeds_work,
    hideable_s: simulation.hideable_s,
    tail_s: tail.total_s,
    queued_s: tail.queued_s,
    queuedForBytes: () => simulate(layers, plan, link.scaled(0, 1), effects).tail.queued_s,
  });
}

/**
 * The first that holds: see `decisions` in `model/regime.py`. `queuedForBytes()` is how
 * long the last bucket would wait if transfers began for free; asked only if it decides.
 */
export function decided(outcome) {
  const { effects, tail_s } = outcome;
  if (!effects.overlap) return "overlap_off";
  if (2 * effects.late_s > tail_s) return "late";
  if (outcome.transfers === 1) return "one_transfer";
  if (outcome.traffic_exceeds_work) return "traffic";
  if (outcome.queued_s === 0) {
    return tail_s <= LITTLE * outcome.hideable_s ? "hidden" : "last_bucket";
  }
  return outcome.queuedForBytes() > 0 ? "queue" : "overhead";
}
