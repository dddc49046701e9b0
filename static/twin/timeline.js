// A simulated step as spans: the layers one after the other, the transfers on the link.

/** {layers, transfers, backward_s}; spans have {name, size_bytes, ready_s, start_s, end_s}. */
export function timelineOf(simulation) {
  const { done_s, backward_s } = simulation;
  const all = Array.from({ length: simulation.effects.micro_steps }, () => simulation.layers);
  const layers = all.flat().map(({ name, gradient_bytes }, at) => ({
    name, size_bytes: gradient_bytes,
    ready_s: done_s[at], start_s: done_s[at], end_s: done_s[at + 1],
  }));
  const transfers = simulation.transfers.map((one) => ({ ...one, name: fromTo(one.layers) }));
  return { layers: byStart(layers), transfers: byStart(transfers), backward_s };
}

/** A transfer is named for the first and the last layer of its bucket. */
function fromTo(names) {
  return names.length === 1 ? names[0] : `${names[0]} to ${names.at(-1)}`;
}

function byStart(spans) {
  return spans.sort((one, other) => one.start_s - other.start_s);
}

/**
 * Seconds of each transfer during which nothing computes. Layers follow each other without
 * a gap, so that one stretch of compute, from 0 on, covers all that is hidden.
 */
export function exposedTimes({ transfers, backward_s }) {
  return transfers.map(({ start_s, end_s }) => {
    const isBeside = start_s < backward_s && end_s > 0;
    const hidden_s = isBeside ? Math.min(end_s, backward_s) - start_s : 0;
    return Math.max(end_s - start_s - hidden_s, 0);
  });
}

/** When any transfer runs beside the pass, as [start, end] that don't touch [s]. */
export function besidePass({ transfers, backward_s }) {
  const busy = transfers.filter(({ start_s, end_s }) => end_s > start_s && start_s < backward_s);
  const starts_s = sortedTimes(busy.map((one) => one.start_s));
  const ends_s = sortedTimes(busy.map((one) => Math.min(one.end_s, backward_s)));
  const isGap = (at) => starts_s[at] > ends_s[at - 1]; // all before it have ended
  const firsts = starts_s.map((_, at) => at).filter((at) => at === 0 || isGap(at));
  return firsts.map((first, at) => [starts_s[first], ends_s[(firsts[at + 1] ?? busy.length) - 1]]);
}

function sortedTimes(values) {
  return values.sort((one, other) => one - other);
}
