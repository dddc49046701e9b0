// The ranks of a step, which Python worked out: looked up, and the same object each time.

import { unpacked } from "./packed.js";

/**
 * Of the `ranks` in the data of a page: `at(place)` is the view of a step's ranks, empty
 * without them, and `chosen(place, row)` which recording, device and step a row shows.
 */
export function createRanksLookup(ranks = []) {
  const views = new Map([[null, {}]]);
  const at = (place) => {
    if (!views.has(place)) views.set(place, unpackedRanks(ranks[place]));
    return views.get(place);
  };
  return {
    at,
    chosen(place, index) {
      const { rows } = at(place);
      if (!rows) return null;
      const row = Math.min(Math.max(index, 0), rows.rank.length - 1);
      return { recording: rows.recording[row], device: rows.device[row], step: rows.step[row] };
    },
  };
}

function unpackedRanks({ rows, groups, figures: { ranks: figure }, ...said }) {
  const sources = Object.entries(figure.sources)
    .map(([name, columns]) => [name, unpacked(columns)]);
  return {
    ...said,
    rows: unpacked(rows),
    groups: unpacked(groups),
    figures: { ranks: { ...figure, sources: Object.fromEntries(sources) } },
  };
}
