// When everything happens: the end of each layer, the start of each transfer.
// A transfer starts once its bucket is ready on all ranks and the one before has ended.

import { sendingPasses, slowsCompute } from "./effects.js";
import { atLeastZero, lesser, runningSums } from "./sums.js";

/** Of a moment: differences below it are rounding. */
export const ROUNDING = 1e-12;

/** When the first k layers are done, and the bytes they hold, k = 0 to all. */
export function runningTotals(layers) {
  return {
    done_s: runningSums(layers.map((layer) => layer.backward_s)),
    held_bytes: runningSums(layers.map((layer) => layer.gradient_bytes)),
  };
}

/** A row as many times as asked, one after the other. */
export function repeated(row, times) {
  return times === 1 ? row : Array.from({ length: times }, () => row).flat();
}

/** The running totals of all passes of a step. */
export function totalsOf(layers, effects) {
  return runningTotals(repeated(layers, effects.micro_steps));
}

/** Bytes of all gradients that a step sends; `layers` are those of one pass. */
export function sentBytes(layers, effects) {
  const sizes_bytes = layers.map((layer) => layer.gradient_bytes);
  return runningSums(repeated(sizes_bytes, sendingPasses(effects))).at(-1);
}

/** The most time that transfers can hide behind, under any plan: of the sending passes. */
export function hideableTime(layers, effects) {
  const times_s = layers.map((layer) => layer.backward_s);
  const silent = effects.micro_steps - sendingPasses(effects);
  const all_s = runningSums(repeated(times_s, effects.micro_steps)).at(-1);
  const silent_s = silent ? runningSums(repeated(times_s, silent)).at(-1) : 0;
  const pace = slowsCompute(effects) ? 1 + effects.slowdown : 1;
  return (all_s - silent_s) * pace;
}

/** When a transfer starts; a link that is free within a trillionth after counts as free. */
export function startAfter(ready_s, free_s) {
  return free_s - ready_s > ROUNDING * ready_s ? free_s : ready_s;
}

/**
 * Run the passes whose `runningTotals` these are, all of a step. Returns the ends of the
 * layers, the columns of the transfers, and how long the last one waited for the link.
 * Throws where an end is past what a number can hold.
 */
export function schedule(totals, plan, link, effects) {
  const { done_s, held_bytes } = totals;
  const sent = repeated(plan, sendingPasses(effects));
  const slows = slowsCompute(effects);
  let first = done_s.length - 1 - sent.reduce((sum, count) => sum + count, 0);
  const found = {
    done_s: slows ? done_s.slice(0, first + 1) : done_s,
    sizes_bytes: [], ready_s: [], start_s: [], end_s: [], queued_s: 0,
    pending: 0, // the first transfer that may not have ended yet
  };
  for (const count of sent) {
    if (slows) compute(found, done_s, first, first + count, effects.slowdown);
    const size_bytes = held_bytes[first + count] - held_bytes[first];
    first += count;
    const ready_s = effects.overlap ? found.done_s[first] : found.done_s.at(-1);
    send(found, size_bytes, ready_s, effects.late_s, link);
  }
  return found;
}

/** Add the transfer of a bucket that is ready on this rank. */
function send(found, size_bytes, ready_s, late_s, link) {
  const everywhere_s = ready_s + late_s;
  const start_s = startAfter(everywhere_s, found.end_s.at(-1) ?? 0);
  const end_s = start_s + link.transfer_s(size_bytes);
  if (!(end_s < Infinity)) throw new Error("the times and sizes are too large to add up");
  found.sizes_bytes.push(size_bytes);
  found.ready_s.push(ready_s);
  found.start_s.push(start_s);
  found.end_s.push(end_s);
  found.queued_s = start_s - everywhere_s;
}

/** Add the layers from one count to another, later where transfers run beside them. */
function compute(found, undisturbed_s, from, to, slowdown) {
  let delay_s = found.done_s.at(-1) - undisturbed_s[from];
  for (let at = from; at < to; at += 1) {
    const begin_s = undisturbed_s[at];
    const end_s = undisturbed_s[at + 1];
    delay_s += slowedBy(found, begin_s + delay_s, end_s - begin_s, slowdown);
    found.done_s.push(end_s + delay_s);
  }
}

/** How much longer a layer of so much work takes that begins now. */
function slowedBy(found, begin_s, layer_s, slowdown) {
  let now_s = begin_s;
  let work_s = layer_s;
  let slowed_s = 0;
  for (let number = found.pending; number < found.end_s.length; number += 1) {
    const end_s = found.end_s[number];
    if (end_s <= now_s) {
      found.pending = number + 1;
      continue;
    }
    const gap_s = atLeastZero(found.start_s[number] - now_s);
    if (work_s <= gap_s) break;
    now_s += gap_s;
    work_s -= gap_s;
    const beside_s = lesser(work_s * (1 + slowdown), end_s - now_s);
    slowed_s += (beside_s * slowdown) / (1 + slowdown);
    now_s += beside_s;
    work_s -= beside_s / (1 + slowdown);
  }
  return slowed_s;
}
