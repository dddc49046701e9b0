// What a page knows by name: scenarios, links and rules, and the bounds of its controls.

import { lineLink, measuredLink } from "./link.js";
import { fillerOf } from "./rules.js";

/**
 * From plain data, as `app/twin_data.py` gathers it: Maps of `scenarios`, `links` and
 * `rules` by name, what `steps` of the lesson and `presets` begin with, `bounds` {low, high}
 * of each number, and the scenario to `start` with.
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
    steps: startsOf(data.lesson),
    presets: startsOf(data.presets),
    bounds: Object.fromEntries(bounds),
    start: scenarios[0],
  };
}

/** The catalogue with more scenarios to choose from, as plain data. */
export function withScenarios(catalogue, data) {
  const more = data.map((one) => [one.name, scenarioOf(one)]);
  return { ...catalogue, scenarios: new Map([...catalogue.scenarios, ...more]) };
}

/** A scenario as pages work with it, from plain data; its ghost is null but for runs. */
function scenarioOf(data) {
  const { name, title, layers, element_bytes, ghost, overhead_s, bandwidth_bytes_per_s } = data;
  return {
    name,
    title,
    ghost: ghost ?? null,
    layers: layers.name.map((layer, at) => ({
      name: layer,
      backward_s: layers.backward_s[at],
      gradient_bytes: layers.gradient_bytes[at],
    })),
    link: lineLink(overhead_s, bandwidth_bytes_per_s),
    element_bytes,
  };
}

function startsOf(items) {
  return new Map(items.map(({ name, start }) => [name, start]));
}

function byName(items) {
  return new Map(items.map((item) => [item.name, item]));
}
