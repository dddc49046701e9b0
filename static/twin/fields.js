// The keys of an address: what each of them sets, and how its text is read.
// A key sets a number, which has bounds, one of a few choices, or a list of names.

import { createEffects } from "./effects.js";
import { ringBandwidth, ringFactor } from "./link.js";
import { LAYERS, MEASURED, bucketMost, changedSettings, linkName } from "./settings.js";
import { digitsText } from "./texts.js";
import { readNumber, readRate, readShare, readTime } from "./units.js";

const TABLE = "-table";

/** Numbers by key: {bounds, read, value, put} of settings, and `isWhole`. */
export const NUMBERS = new Map(Object.entries({
  bucket: {
    bounds: (settings) => ({ low: 1, high: bucketMost(settings) }),
    read: readNumber,
    value: (settings) => settings.bucket,
    put: (settings, bucket) => changedSettings(settings, { bucket, plan: LAYERS }),
    isWhole: true,
  },
  bandwidth: {
    bounds: boundsOf("bandwidth"),
    read: readRate,
    value: (settings) => settings.bandwidth_bytes_per_s,
    put: withRate,
  },
  overhead: {
    bounds: boundsOf("overhead"),
    read: readTime,
    value: (settings) => settings.overhead_s,
    put: (settings, overhead_s) => changedSettings(settings, { overhead_s, table: "" }),
  },
  ranks: {
    bounds: boundsOf("ranks"),
    read: readNumber,
    value: (settings) => settings.ranks,
    put: withRanks,
    isWhole: true,
  },
  port: {
    bounds: boundsOf("port"),
    read: readRate,
    value: portRate,
    put: (settings, port) => withRate(settings, ringBandwidth(port, settings.ranks)),
  },
  slowdown: {
    bounds: boundsOf("slowdown"),
    read: readShare,
    value: (settings) => settings.effects.slowdown,
    put: (settings, slowdown) => withEffects(settings, { slowdown }),
  },
  late: {
    bounds: boundsOf("late"),
    read: readTime,
    value: (settings) => settings.effects.late_s,
    put: (settings, late_s) => withEffects(settings, { late_s }),
  },
  micro_steps: {
    bounds: boundsOf("micro_steps"),
    read: readNumber,
    value: (settings) => settings.effects.micro_steps,
    put: (settings, micro_steps) => withEffects(settings, { micro_steps }),
    isWhole: true,
  },
}));

/** Choices by key: {options, value, put} of settings; `also` are other ways to write some. */
export const CHOICES = new Map(Object.entries({
  mode: choiceOf("mode", ["explore", "measured"]),
  theme: choiceOf("theme", ["auto", "light", "dark"]),
  plan: {
    options: ({ catalogue, scenario }) =>
      [LAYERS, ...catalogue.rules.keys(), ...(scenario.ghost ? [MEASURED] : [])],
    value: (settings) => settings.plan,
    put: (settings, plan) => changedSettings(settings, { plan }),
  },
  link: { options: linkOptions, value: linkName, put: withLinkCalled },
  overlap: {
    options: () => ["on", "off"],
    value: (settings) => (settings.effects.overlap ? "on" : "off"),
    put: (settings, value) => withEffects(settings, { overlap: value === "on" }),
  },
  sync: {
    options: () => ["last", "every"],
    value: (settings) => (settings.effects.every_micro_step ? "every" : "last"),
    put: (settings, value) => withEffects(settings, { every_micro_step: value === "every" }),
  },
  axis: choiceOf("axis", ["bandwidth", "overhead"]),
  lesson: {
    options: ({ catalogue }) => ["off", ...catalogue.steps.keys()],
    ...ownField("lesson"),
    also: ({ catalogue }) => ({ ...["off", ...catalogue.steps.keys()] }),
  },
  predict: choiceOf("predict", ["off", "tail", "best", "regime", "lever"], { 0: "off", 1: "tail" }),
  projector: choiceOf("projector", ["off", "on"], { 0: "off", 1: "on" }),
  lang: choiceOf("lang", ["en", "es"]),
}));

/** Lists of a page's parts by key: {names, value, put} of settings. */
export const PARTS = new Map(Object.entries({
  controls: partsOf("controls", [
    "bucket", "bandwidth", "overhead", "more", "mode", "theme", "scenario", "share",
    "lesson", "predict", "projector", "lang",
  ]),
  show: partsOf("show", ["verdict", "lanes", "curve", "map", "numbers", "tables"]),
}));

/** `all`, `none`, or names, each once and in their order; undefined where one isn't. */
export function readParts(text, { names }) {
  if (text === "all" || text === "none") return text;
  const asked = new Set(text.split(","));
  if (![...asked].every((name) => names.includes(name))) return undefined;
  return asked.size === names.length ? "all" : names.filter((name) => asked.has(name)).join(",");
}

/** The rate that each port of the ring must have for this bandwidth. */
export function portRate(settings) {
  return settings.bandwidth_bytes_per_s * ringFactor(settings.ranks);
}

function boundsOf(key) {
  return (settings) => settings.catalogue.bounds[key];
}

function ownField(key) {
  return {
    value: (settings) => settings[key],
    put: (settings, value) => changedSettings(settings, { [key]: value }),
  };
}

function choiceOf(key, options, others = {}) {
  return { options: () => options, ...ownField(key), also: () => others };
}

function partsOf(key, names) {
  return { names, ...ownField(key) };
}

function withEffects(settings, changes) {
  return changedSettings(settings, { effects: createEffects({ ...settings.effects, ...changes }) });
}

/** The bandwidth within its bounds, as an address writes it; a straight line again. */
function withRate(settings, bandwidth) {
  const { low, high } = settings.catalogue.bounds.bandwidth;
  const within = Math.min(Math.max(bandwidth, low), high);
  const bandwidth_bytes_per_s = Number(digitsText(within, 12));
  return changedSettings(settings, { bandwidth_bytes_per_s, table: "" });
}

/** More ranks share the same ports: the bandwidth follows. */
function withRanks(settings, ranks) {
  const port = portRate(settings);
  return withRate(changedSettings(settings, { ranks }), ringBandwidth(port, ranks));
}

function linkOptions({ catalogue: { links } }) {
  const tables = [...links.values()].filter((link) => link.table);
  return ["own", ...links.keys(), ...tables.map((link) => link.name + TABLE)];
}

/** A named link sets bandwidth and overhead; its table then replaces both. */
function withLinkCalled(settings, name) {
  if (name === "own") return changedSettings(settings, { table: "" });
  const bare = name.endsWith(TABLE) ? name.slice(0, -TABLE.length) : name;
  const { line } = settings.catalogue.links.get(bare);
  return changedSettings(settings, {
    bandwidth_bytes_per_s: line.bandwidth_bytes_per_s,
    overhead_s: line.overhead_s,
    table: name === bare ? "" : bare,
  });
}
