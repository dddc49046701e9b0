// The names of the map's regimes, each inside of its own.

import { cell } from "./lane_bars.js";
import { REGIMES } from "./regime.js";
import { digitsText } from "./texts.js";

const NAME_PX = 14; // the height of a name
const AXES_PX = 54; // what the axes and borders take of the figure's height
const ROOMY = 0.9; // of the longest place of a name: what is as good

/**
 * Each regime's name where it has most room; none where it is too flat for one. Regimes are
 * rows of places in `REGIMES`; edges are logarithms.
 */
export function regimeLabels(regimes, log_edges, { map_height }) {
  const row_px = (map_height - AXES_PX) / regimes.length;
  const rows = Math.min(regimes.length, Math.ceil(NAME_PX / row_px));
  const found = REGIMES
    .map((name, key) => ({ name, place: roomiest(runsOf(regimes, key, rows, log_edges), rows) }))
    .filter(({ place }) => place);
  return {
    x: found.map(({ place }) => Number(digitsText(10 ** place.x, 6))),
    y: found.map(({ place }) => place.y),
    text: found.map(({ name }) => cell(`short.${name}`)),
    room: found.map(({ place }) => place.room),
    alone: found.map(() => true),
  };
}

/** The middle of a long run; of those about as long, the one in the middle. */
function roomiest(runs, rows) {
  if (!runs.length) return null;
  const longest = runs.reduce((most, { length }) => Math.max(most, length), -Infinity);
  const roomy = runs.filter(({ length }) => length >= ROOMY * longest);
  const { length, start, row } = roomy[Math.floor(roomy.length / 2)];
  return { x: start + length / 2, y: row + (rows + 1) / 2, room: length };
}

/** From edge to edge: where cells of a regime lie side by side, so many rows high. */
function runsOf(regimes, key, rows, log_edges) {
  return regimes.slice(rows - 1).flatMap((_, row) => {
    const together = regimes.slice(row, row + rows);
    const isInside = (at) => together.every((cells) => cells[at] === key);
    return insideRuns(isInside, regimes[0].length).map(([first, end]) => ({
      start: log_edges[first], length: log_edges[end] - log_edges[first], row,
    }));
  });
}

/** First and one past the last place of each run that is inside. */
function insideRuns(isInside, count) {
  const runs = [];
  let first = null;
  for (let at = 0; at <= count; at += 1) {
    const inside = at < count && isInside(at);
    if (inside) first ??= at;
    if (inside || first === null) continue;
    runs.push([first, at]);
    first = null;
  }
  return runs;
}
