// What a transfer costs: a straight line, or what was measured.
// A link has `overhead_s` and `bandwidth_bytes_per_s`, and tells in seconds `wire_s` and
// `transfer_s` of a size, `traffic_s` of all bytes, and itself `scaled`.

import { interpolated } from "./interpolated.js";
import { lesser } from "./sums.js";

/** A straight line: the cost before the first byte, and the rate of the rest. */
export function lineLink(overhead_s, bandwidth_bytes_per_s) {
  if (!(overhead_s >= 0 && overhead_s < Infinity)) {
    throw new Error("the overhead must be finite and not negative");
  }
  if (!(bandwidth_bytes_per_s > 0 && bandwidth_bytes_per_s < Infinity)) {
    throw new Error("the bandwidth must be finite and above 0");
  }
  const wire_s = (size_bytes) => size_bytes / bandwidth_bytes_per_s;
  const transfer_s = (size_bytes) => overhead_s + wire_s(size_bytes);
  return {
    overhead_s,
    bandwidth_bytes_per_s,
    wire_s,
    transfer_s,
    traffic_s: transfer_s,
    scaled(overhead, wire) {
      checkFactors(overhead, wire);
      return lineLink(overhead_s * overhead, bandwidth_bytes_per_s / wire);
    },
  };
}

/**
 * A link that costs what a table says, with straight lines between its rows.
 *
 * `table` is {sizes_bytes, times_s, overhead_s, bandwidth_bytes_per_s}, the last two of
 * the line fitted to it; `factors` say how many times as long the overhead and the wire
 * take. Towards 0 bytes a transfer goes down to the overhead of the line, or takes the
 * time of the first size where that is less.
 */
export function measuredLink(table, factors = [1, 1]) {
  checkTable(table);
  checkFactors(...factors);
  const curve = curveOf(table);
  const overhead_s = curve.least_s * factors[0];
  const wire_s = (size_bytes) => wireAbove(curve, size_bytes) * factors[1];
  const transfer_s = (size_bytes) => overhead_s + wire_s(size_bytes);
  return {
    overhead_s,
    bandwidth_bytes_per_s: table.bandwidth_bytes_per_s / factors[1],
    wire_s,
    transfer_s,
    traffic_s: (total_bytes) => leastTraffic(curve, transfer_s, total_bytes),
    scaled: (overhead, wire) =>
      measuredLink(table, [factors[0] * overhead, factors[1] * wire]),
  };
}

/** The table from 0 bytes on, its least time, and the rate past its end. */
function curveOf(table) {
  let { sizes_bytes, times_s } = table;
  if (sizes_bytes[0] > 0) {
    sizes_bytes = [0, ...sizes_bytes];
    times_s = [lesser(table.overhead_s, times_s[0]), ...times_s];
  }
  const last = sizes_bytes.length - 1;
  const step_bytes = sizes_bytes[last] - sizes_bytes[last - 1];
  return {
    sizes_bytes,
    times_s,
    least_s: times_s.reduce(lesser),
    last_bytes: sizes_bytes[last],
    s_per_byte: (times_s[last] - times_s[last - 1]) / step_bytes,
  };
}

/** Seconds of the bytes themselves: interpolated, less the least. */
function wireAbove(curve, size_bytes) {
  const { sizes_bytes, times_s, least_s, last_bytes, s_per_byte } = curve;
  const within_s = Math.max(interpolated(size_bytes, sizes_bytes, times_s) - least_s, 0);
  return within_s + Math.max(size_bytes - last_bytes, 0) * s_per_byte;
}

/** In one piece, or at the best rate of a smaller size of the table. */
function leastTraffic(curve, transfer_s, total_bytes) {
  let least_s = transfer_s(total_bytes);
  for (const size_bytes of curve.sizes_bytes) {
    if (!(size_bytes > 0 && size_bytes < total_bytes)) continue;
    least_s = lesser(least_s, transfer_s(size_bytes) * (total_bytes / size_bytes));
  }
  return least_s;
}

function checkTable({ sizes_bytes, times_s }) {
  const last = sizes_bytes.length - 1;
  const rises = sizes_bytes.every((size, at) => at === 0 || size > sizes_bytes[at - 1]);
  if (last < 1 || times_s.length !== last + 1) {
    throw new Error("a measured link needs a time for each of two sizes or more");
  }
  if (!(rises && sizes_bytes[0] >= 0 && sizes_bytes[last] < Infinity)) {
    throw new Error("the sizes of a measured link must rise from 0 or more");
  }
  if (!times_s.every((time_s) => time_s > 0 && time_s < Infinity)) {
    throw new Error("the times of a measured link must be finite and above 0");
  }
  if (times_s[last] <= times_s[last - 1]) {
    throw new Error("the last size of a measured link must take longer than the one before");
  }
}

function checkFactors(overhead, wire) {
  if (!(overhead >= 0 && overhead < Infinity && wire > 0 && wire < Infinity)) {
    throw new Error("a link's overhead is scaled by 0 or more, its wire time by more than 0");
  }
}

/** How often the gradient's bytes cross each port in a ring all-reduce: 2 (n - 1) / n. */
export function ringFactor(ranks) {
  if (ranks < 1) throw new Error(`a ring has 1 rank or more, not ${ranks}`);
  return (2 * (ranks - 1)) / ranks;
}

/** The rate at which gradient bytes drain where each port moves so many a second. */
export function ringBandwidth(port_bytes_per_s, ranks) {
  const factor = ringFactor(ranks);
  if (factor === 0) throw new Error("one rank has nothing to send; a ring takes 2 or more");
  return port_bytes_per_s / factor;
}
