// The view state of all bucket sizes on a link, whichever of them is set.

import { sizesColumns } from "./curve_columns.js";

/** Table and columns of the curve. */
export function sweepView(swept) {
  return { sizes: sizesTable(swept.sizes), figures: { curve: sizesColumns(swept) } };
}

/** What of the settings the curve depends on. */
export function sweepKey({ scenario, table, effects, overhead_s, bandwidth_bytes_per_s }) {
  const link = table ? [table] : [overhead_s, bandwidth_bytes_per_s];
  return JSON.stringify([scenario.name, link, effects]);
}

/** Each bucket size with its tail and the split of it. */
function sizesTable(sizes) {
  const ofTail = (key) => sizes.map((one) => one.tail[key]);
  return {
    bucket: sizes.map((one) => one.bucket),
    transfers: sizes.map((one) => one.transfers),
    tail_s: ofTail("total_s"),
    late_s: ofTail("late_s"),
    queued_s: ofTail("queued_s"),
    overhead_s: ofTail("overhead_s"),
    wire_s: ofTail("wire_s"),
    regime: sizes.map((one) => one.regime),
  };
}
