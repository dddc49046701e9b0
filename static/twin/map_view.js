// The view state of the map, wherever on it the settings are.

import { landscape } from "./landscape.js";
import { sizesShown } from "./map_axes.js";
import { mapColumns } from "./map_columns.js";
import { REGIMES } from "./regime.js";

/**
 * Table and columns of the map, which varies bandwidth or overhead of the straight line,
 * also where a measured table is set.
 */
export function mapView(settings, data) {
  const { scenario: { layers }, axis: name, effects } = settings;
  const axis = data.axes[name];
  const links = name === "bandwidth"
    ? [axis.values, [settings.overhead_s]] : [[settings.bandwidth_bytes_per_s], axis.values];
  const found = landscape(layers, ...links, sizesShown(layers.length), effects);
  const flat = (column) => column.map((points) => points.flat());
  const rows = {
    buckets: found.buckets,
    tail_s: flat(found.tail_s),
    backward_s: flat(found.backward_s),
    regime: flat(found.regime),
  };
  return {
    table: mapTable(rows, axis, name),
    figures: { map: mapColumns(rows, axis, name, data) },
  };
}

/** What of the settings the map depends on. */
export function mapKey({ scenario, axis, effects, overhead_s, bandwidth_bytes_per_s }) {
  const fixed = axis === "bandwidth" ? overhead_s : bandwidth_bytes_per_s;
  return JSON.stringify([scenario.name, axis, fixed, effects]);
}

/** Tails [s] and regimes by bucket size and by round value of the axis, in its SI unit. */
function mapTable(rows, axis, name) {
  const ofRounds = (row) => axis.round_places.map((place) => row[place]);
  return {
    axis: name,
    values: ofRounds(axis.values),
    bucket: rows.buckets,
    tail_s: rows.tail_s.map(ofRounds),
    regime: rows.regime.map((row) => ofRounds(row).map((place) => REGIMES[place])),
  };
}
