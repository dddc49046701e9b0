// What a page knows by name: scenarios, links and rules, and the bounds of its controls.

import { lineLink, measuredLink } from "./link.js";
import { fillerOf } from "./rules.js";

/**
 * From plain data, as `app/twin_data.py` gathers it: Maps of `scenarios`, `links` and
 * `rules` by name, `bounds` {low, high} of each number, and the scenario to `start` with.
 */
export function createCatalogue(data) {
  const scenarios = data.scenarios.map(scenarioOf);
  const links = data.links.map((link) => ({
    name: link.name,
    line: lineLink(link.overhead_s, link.bandwidth_bytes_per_s),
    table: link.sizes_bytes ? measuredLink(link) : null,
  }));
  const bounds = Object.entries(data.stops).map(
    ([key, stops]) => [key, { low: stops[0], high: stops.at(-1) }]);
  return {
    scenarios: byName(scenarios),
    links: byName(links),
    rules: new Map(data.rules.map((rule) => [rule.name, fillerOf(rule)])),
    bounds: Object.fromEntries(bounds),
    start: scenarios[0],
  };
}

function scenarioOf({ name, layers, element_bytes, overhead_s, bandwidth_bytes_per_s }) {
  return {
    name,
    layers: layers.name.map((layer, at) => ({
      name: layer,
      backward_s: layers.backward_s[at],
      gradient_bytes: layers.gradient_bytes[at],
    })),
    link: lineLink(overhead_s, bandwidth_bytes_per_s),
    element_bytes,
  };
}

function byName(items) {
  return new Map(items.map((item) => [item.name, item]));
}
