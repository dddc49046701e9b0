// What the learner has set: the whole of a state of Explore, and what it simulates.

import { simulate } from "./backward.js";
import { withScenarios } from "./catalogue.js";
import { createEffects } from "./effects.js";
import { lineLink } from "./link.js";
import { wholeLayers } from "./plans.js";

const DEFAULT_BUCKET = 4;

/** What stays as the reader or the page wants it, whatever is explored. */
export const READERS = ["theme", "lang", "projector", "controls", "show"];

/** The plan of whole layers, so many to a bucket; others are named as the rules are. */
export const LAYERS = "layers";

/** The plan that a measured run had; only scenarios with a ghost have it. */
export const MEASURED = "measured";

/** How a scenario starts. */
export function settingsOf(catalogue, scenario) {
  return checked({
    catalogue,
    scenario,
    bucket: Math.min(DEFAULT_BUCKET, scenario.layers.length),
    bandwidth_bytes_per_s: scenario.link.bandwidth_bytes_per_s,
    overhead_s: scenario.link.overhead_s,
    mode: "explore",
    theme: "auto",
    plan: scenario.ghost ? MEASURED : LAYERS,
    table: "", // the named link whose measured table is the cost
    ranks: 2, // of a ring, to set the bandwidth from the rate of a port
    effects: createEffects(scenario.ghost ? { late_s: scenario.ghost.late_s } : {}),
    axis: "bandwidth", // what the map varies beside the bucket size
    lesson: "off", // or the step of the guided lesson
    predict: "off", // or the question whose answer is covered
    projector: "off",
    lang: "en",
    controls: "all",
    show: "all",
  });
}

/** These settings with some of them changed; throws for what no control could set. */
export function changedSettings(settings, changes) {
  return checked({ ...settings, ...changes });
}

/** A run, as plain data, as it starts in Explore; what the page shows, and how, stays. */
export function tried(settings, run) {
  const catalogue = withScenarios(settings.catalogue, [run]);
  const start = settingsOf(catalogue, catalogue.scenarios.get(run.name));
  return shownAs(start, settings, [...READERS, "lesson"]);
}

/** As the scenario starts; what is the reader's or the page's stays. */
export function restarted(settings) {
  const fresh = settingsOf(settings.catalogue, settings.scenario);
  return shownAs(fresh, settings, [...READERS, "mode", "predict"]);
}

/** The settings in the look of others: what is the reader's, or the page's. */
export function shownAs(settings, shown, fields = READERS) {
  return changedSettings(settings, Object.fromEntries(fields.map((key) => [key, shown[key]])));
}

/** The most layers to a bucket: all of them. */
export function bucketMost(settings) {
  return settings.scenario.layers.length;
}

/** The straight line of the controls. */
export function lineOf(settings) {
  return lineLink(settings.overhead_s, settings.bandwidth_bytes_per_s);
}

/** What the link asks: a measured table, or the straight line of the controls. */
export function costOf(settings) {
  const { table, catalogue } = settings;
  return (table && catalogue.links.get(table).table) || lineOf(settings);
}

/** How the layers are grouped into buckets. */
export function planOf(settings) {
  const { scenario, effects, ranks } = settings;
  if (settings.plan === LAYERS) return wholeLayers(bucketMost(settings), settings.bucket);
  if (settings.plan === MEASURED) return scenario.ghost.plan;
  const { layers, element_bytes } = scenario;
  const fill = settings.catalogue.rules.get(settings.plan);
  return fill({ layers, link: costOf(settings), effects, element_bytes, ranks });
}

/** The step that these settings ask for. */
export function simulationOf(settings) {
  const { scenario, effects } = settings;
  return simulate(scenario.layers, planOf(settings), costOf(settings), effects);
}

/** The named link that is set: `NAME-table`, `NAME` for its line, or `own`. */
export function linkName({ table, catalogue, overhead_s, bandwidth_bytes_per_s }) {
  if (table) return `${table}-table`;
  for (const { name, line } of catalogue.links.values()) {
    const isIt = line.overhead_s === overhead_s;
    if (isIt && line.bandwidth_bytes_per_s === bandwidth_bytes_per_s) return name;
  }
  return "own";
}

function checked(settings) {
  const { effects, catalogue: { bounds } } = settings;
  const rows = [
    ["bucket", { low: 1, high: bucketMost(settings) }, settings.bucket],
    ["bandwidth", bounds.bandwidth, settings.bandwidth_bytes_per_s],
    ["overhead", bounds.overhead, settings.overhead_s],
    ["ranks", bounds.ranks, settings.ranks],
    ["slowdown", bounds.slowdown, effects.slowdown],
    ["late", bounds.late, effects.late_s],
    ["micro_steps", bounds.micro_steps, effects.micro_steps],
  ];
  for (const [key, { low, high }, value] of rows) {
    if (low <= value && value <= high) continue;
    throw new Error(`${key} goes from ${low} to ${high}, and ${value} doesn't`);
  }
  return settings;
}
