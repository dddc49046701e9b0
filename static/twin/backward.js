// The backward pass with bucketed gradients on one link: what goes in, what comes out.

import { createEffects, sendingPasses } from "./effects.js";
import { countUpTo } from "./interpolated.js";
import { hideableTime, repeated, schedule, sentBytes, totalsOf } from "./schedule.js";
import { atLeastZero, exactSum, lesser } from "./sums.js";

const ALIKE = 1e-9; // a ratio closer to 1 than this is 1

/**
 * A simulated step: what was asked, and when everything happened [s since the pass began].
 * What only some readers ask for is worked out when they do.
 */
export class Simulation {
  constructor(layers, plan, link, effects) {
    const totals = totalsOf(layers, effects);
    const found = schedule(totals, plan, link, effects);
    Object.assign(this, { layers, plan, link, effects });
    this.done_s = found.done_s;
    this.transfers = transfersOf(found, bucketNames(layers, plan), effects);
    this.tail = tailOf(found.sizes_bytes.at(-1), found.queued_s, link, effects);
    this.backward_s = this.done_s.at(-1);
    this.step_s = this.backward_s + this.tail.total_s;
    this.slowed_s = atLeastZero(this.backward_s - totals.done_s.at(-1));
  }

  /** Bytes of all gradients that the step sends. */
  get total_bytes() {
    return sentBytes(this.layers, this.effects);
  }

  /** Link time of all gradients in one piece; of a table the least that any plan needs. */
  get traffic_s() {
    return this.link.traffic_s(this.total_bytes);
  }

  /** The most time that transfers can hide behind, under any plan. */
  get hideable_s() {
    return hideableTime(this.layers, this.effects);
  }

  /** Traffic over the time of all passes; null without a pass. */
  get traffic_to_work() {
    if (this.backward_s === 0) return null;
    const ratio = this.traffic_s / this.backward_s;
    return Number.isFinite(ratio) ? ratio : null;
  }

  /** Whether no arrangement can hide the communication. */
  get traffic_exceeds_work() {
    return exceeds(this.traffic_s, this.hideable_s);
  }

  /** Seconds in which the link is busy: transfers never overlap. */
  get communication_s() {
    return exactSum(this.transfers.map(({ start_s, end_s }) => end_s - start_s));
  }

  /** Seconds of communication before the pass ends. */
  get hidden_s() {
    const ends_s = this.backward_s;
    return exactSum(this.transfers.map(
      ({ start_s, end_s }) => atLeastZero(lesser(end_s, ends_s) - start_s)));
  }

  /** The most buckets that are ready on all ranks at once while the link is busy. */
  get most_waiting() {
    const ready_s = rising(this.transfers.map((one) => one.ready_s + this.effects.late_s));
    const start_s = rising(this.transfers.map((one) => one.start_s));
    const waiting = ready_s.map(
      (moment_s) => countUpTo(moment_s, ready_s) - countUpTo(moment_s, start_s));
    return waiting.reduce((most, count) => Math.max(most, count));
  }
}

/** Run the backward pass of `layers`; throws where the plan doesn't hold each once. */
export function simulate(layers, plan, link, effects = createEffects()) {
  const planned = plan.reduce((sum, count) => sum + count, 0);
  if (!layers.length || planned !== layers.length || plan.some((count) => count < 1)) {
    throw new Error(`the plan doesn't group all ${layers.length} layers into buckets`);
  }
  return new Simulation(layers, plan, link, effects);
}

/** Whether there is more traffic than work to hide it; equal doesn't exceed. */
export function exceeds(traffic_s, hideable_s) {
  return traffic_s > hideable_s * (1 + ALIKE);
}

/** The tail of a step whose last bucket holds `last_bytes` and waits `queued_s`. */
export function tailOf(last_bytes, queued_s, link, { late_s }) {
  const overhead_s = link.overhead_s;
  const wire_s = link.wire_s(last_bytes);
  const total_s = late_s + queued_s + overhead_s + wire_s;
  return { queued_s, overhead_s, wire_s, late_s, total_s };
}

function transfersOf(found, names, effects) {
  return repeated(names, sendingPasses(effects)).map((layers, at) => ({
    layers,
    size_bytes: found.sizes_bytes[at],
    ready_s: found.ready_s[at],
    start_s: found.start_s[at],
    end_s: found.end_s[at],
  }));
}

/** These moments, none of them later than one after it. */
function rising(moments_s) {
  const found_s = [...moments_s];
  for (let at = found_s.length - 2; at >= 0; at -= 1) {
    found_s[at] = lesser(found_s[at], found_s[at + 1]);
  }
  return found_s;
}

/** The names of the layers in each bucket. */
function bucketNames(layers, plan) {
  let first = 0;
  return plan.map((count) => {
    first += count;
    return layers.slice(first - count, first).map((layer) => layer.name);
  });
}
