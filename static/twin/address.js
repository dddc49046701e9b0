// The settings in the page's address: what it asks for is checked here, whoever reads it.

import { badValue, change } from "./changes.js";
import { CHOICES, NUMBERS, PARTS } from "./fields.js";
import { readQuery, writeQuery } from "./query.js";
import { settingsOf } from "./settings.js";
import { byCodePoints, digitsText, shortText } from "./texts.js";

const VERSION = "1";
const WRITTEN = [
  "scenario", "bucket", "bandwidth", "overhead", "mode", "lesson", "predict", "projector",
  "theme", "lang", "plan", "ranks", "link", "overlap", "slowdown", "late", "micro_steps",
  "sync", "axis", "controls", "show",
];
// A step of the lesson brings a whole state, a scenario its link; ranks change the bandwidth,
// and a port sets it.
const READ = [
  "lesson", "scenario", "ranks", "bucket", "bandwidth", "overhead", "mode", "predict",
  "projector", "theme", "lang", "port", "plan", "link", "overlap", "slowdown", "late",
  "micro_steps", "sync", "axis", "controls", "show",
];

/** The values as plain data, in SI units, under the keys of an address. */
export function stateOf(settings) {
  const fields = [...NUMBERS, ...CHOICES, ...PARTS];
  const values = fields.map(([key, field]) => [key, field.value(settings)]);
  return { scenario: settings.scenario.name, ...Object.fromEntries(values) };
}

/** The query that restores these settings exactly. */
export function address(settings) {
  const texts = {
    ...stateOf(settings),
    bandwidth: `${digitsText(settings.bandwidth_bytes_per_s / 1e9, 12)}GB/s`,
    overhead: `${digitsText(settings.overhead_s * 1e6, 12)}us`,
    late: `${digitsText(settings.effects.late_s * 1e6, 12)}us`,
    slowdown: digitsText(settings.effects.slowdown, 12),
    link: settings.table ? `${settings.table}-table` : "own",
  };
  const written = WRITTEN.map((key) => [key, String(texts[key])]);
  return writeQuery([["v", VERSION], ...written]);
}

/**
 * Settings from an address, with a notice for everything not taken as it stood. What it
 * leaves out is as in `start`.
 */
export function readAddress(catalogue, query, start = settingsOf(catalogue, catalogue.start)) {
  const asked = readQuery(query);
  if (!asked) return { settings: start, notices: [{ key: "notice.too_long", values: {} }] };
  const notices = aboutVersion(asked.get("v") ?? VERSION);
  let settings = start;
  for (const key of READ.filter((one) => asked.has(one))) {
    const changed = change(settings, key, asked.get(key));
    settings = changed.settings;
    notices.push(...changed.notices);
  }
  const known = new Set(["v", "", ...READ]);
  const unknown = [...asked.keys()].filter((key) => !known.has(key)).sort(byCodePoints);
  if (unknown.length) {
    const names = shortText(unknown.join(", "));
    notices.push({ key: "notice.unknown_key", values: { names } });
  }
  return { settings, notices };
}

function aboutVersion(version) {
  if (version === VERSION) return [];
  const isNewer = /^[0-9]+$/.test(version) && version.replace(/^0+/, "") > VERSION;
  return isNewer ? [{ key: "notice.newer_version", values: {} }] : [badValue("v", version)];
}
