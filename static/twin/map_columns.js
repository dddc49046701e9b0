// The map: the tail over bucket size and bandwidth or overhead, as columns.
// Cells of a row that belong to the same level are one bar. A row is 1 high and in the
// middle of its number.

import { rowOf, rowTicks, sizesShown } from "./map_axes.js";
import { regimeLabels } from "./map_labels.js";
import { LAYERS } from "./settings.js";

const CELL_COLUMNS = ["left", "right", "bottom", "top", "level"];
const BORDER_COLUMNS = ["x0", "y0", "x1", "y1"];

/** Sources, ranges and properties of the map figure, all but where one is. */
export function mapColumns(found, axis, axisName, data) {
  const { edges, log_edges } = axis;
  const regimes = found.regime;
  const { levels } = data.places;
  const rowLevels = found.tail_s.map((row, number) =>
    row.map((tail_s, at) => levelOf(tail_s, found.backward_s[number][at], levels)));
  const ticks = rowTicks(found.buckets);
  return {
    sources: {
      cells: levelCells(rowLevels, edges),
      borders: regimeBorders(regimes, edges),
      regimes: regimeLabels(regimes, log_edges, data.places),
    },
    ranges: {
      map_x: { start: edges[0], end: edges.at(-1) },
      map_y: { start: 0.5, end: found.buckets.length + 0.5 },
    },
    props: {
      map_axis: { axis_label: `axis.${axisName}` },
      map_rows: { ticks: [...ticks.keys()] },
      map_sizes: { major_label_overrides: ticks },
    },
  };
}

/** Where the learner is on the map, which has no tables and no named plans. */
export function mapHere(settings, axes) {
  if (settings.plan !== LAYERS || settings.table) return { x: [], y: [] };
  const axis = axes[settings.axis];
  // An overhead of 0 lies on the edge of a logarithmic axis.
  const value = settings.axis === "bandwidth"
    ? settings.bandwidth_bytes_per_s : Math.max(settings.overhead_s, axis.values[0]);
  const sizes = sizesShown(settings.scenario.layers.length);
  return { x: [value / axis.per_unit], y: [rowOf(sizes, settings.bucket)] };
}

/** The level of a point; without a pass any tail is in the last one. */
function levelOf(tail_s, backward_s, levels) {
  const share = tail_s > 0 ? tail_s / backward_s : 0;
  const asked = share * (1 - 1e-12);
  const level = levels.findIndex((end) => end >= asked);
  return level < 0 ? levels.length : level;
}

/** First and one past the last place of each run of equal values. */
function equalRuns(row) {
  const starts = row.map((_, at) => at).filter((at) => at === 0 || row[at] !== row[at - 1]);
  return starts.map((first, at) => [first, starts[at + 1] ?? row.length]);
}

/** A bar for each run of one level; the lowest level is the bare ground. */
function levelCells(rows, edges) {
  const bars = rows.flatMap((row, at) => equalRuns(row)
    .filter(([first]) => row[first] > 0)
    .map(([first, end]) => [edges[first], edges[end], at + 0.5, at + 1.5, row[first]]));
  return asColumns(bars, CELL_COLUMNS);
}

/** Lines between neighbours whose regimes differ. */
function regimeBorders(regimes, edges) {
  const upright = regimes.flatMap((row, number) => row.slice(1).flatMap((regime, at) =>
    (regime === row[at] ? [] : [[edges[at + 1], number + 0.5, edges[at + 1], number + 1.5]])));
  const level = regimes.slice(1).flatMap((row, below) => {
    const differs = row.map((regime, at) => regime !== regimes[below][at]);
    return equalRuns(differs)
      .filter(([first]) => differs[first])
      .map(([first, end]) => [edges[first], below + 1.5, edges[end], below + 1.5]);
  });
  return asColumns([...upright, ...level], BORDER_COLUMNS);
}

function asColumns(rows, names) {
  return Object.fromEntries(names.map((name, at) => [name, rows.map((row) => row[at])]));
}
