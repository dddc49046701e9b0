// One value of the settings changed: read, kept within its bounds, and said.

import { CHOICES, NUMBERS, PARTS, portRate, readParts } from "./fields.js";
import { LAYERS, MEASURED, READERS, changedSettings, settingsOf, shownAs } from "./settings.js";
import { isClose } from "./sizes.js";
import { digitsText, fixedRound, pythonText, shortText } from "./texts.js";

const RING = ["ranks", "port"];

/**
 * The settings with one value changed, kept within its bounds, and what must be said:
 * {settings, notices: [{key, values}]}. A value is a number in its SI unit or text as in
 * an address. Throws for a key that names no setting.
 */
export function change(settings, key, value) {
  if (key === "scenario") return changeScenario(settings, value);
  if (CHOICES.has(key)) {
    return changeChoice(settings, key, value);
  }
  if (PARTS.has(key)) return changeParts(settings, key, value);
  if (!NUMBERS.has(key)) throw new Error(`${key} names no setting`);
  return changeNumber(settings, key, value);
}

/** What a key was asked for that can't be read. */
export function badValue(key, value) {
  return { key: "notice.bad_value", values: { key, asked: shortText(value) } };
}

function refused(settings, key, value) {
  return { settings, notices: [badValue(key, value)] };
}

function changeChoice(settings, key, value) {
  const choice = CHOICES.get(key);
  const others = choice.also?.(settings) ?? {};
  const isPlain = ["string", "number"].includes(typeof value);
  const isOther = isPlain && Object.hasOwn(others, value);
  const asked = isOther ? others[value] : value;
  if (!choice.options(settings).includes(asked)) return refused(settings, key, value);
  const changed = choice.put(settings, asked);
  return { settings: key === "lesson" ? begun(changed) : changed, notices: [] };
}

/** The start of the lesson's step that is set; without one nothing is covered. */
export function begun(settings) {
  const { lesson, catalogue } = settings;
  if (lesson === "off") return changedSettings(settings, { predict: "off" });
  const start = settingsOf(catalogue, catalogue.scenarios.get("course"));
  return started(shownAs(start, settings, [...READERS, "lesson"]), catalogue.steps.get(lesson));
}

/** The settings with those of a step or a preset, set in their order. */
export function started(settings, start) {
  return Object.entries(start).reduce(
    (now, [key, value]) => change(now, key, value).settings, settings);
}

/** Another scenario starts with its own link; what else is set stays if it fits. */
function changeScenario(settings, value) {
  const scenario = settings.catalogue.scenarios.get(pythonText(value));
  if (!scenario) return refused(settings, "scenario", value);
  const fresh = settingsOf(settings.catalogue, scenario);
  const hasPlan = settings.plan !== MEASURED || scenario.ghost;
  const kept = changedSettings(settings, {
    scenario,
    bucket: Math.min(settings.bucket, scenario.layers.length),
    bandwidth_bytes_per_s: fresh.bandwidth_bytes_per_s,
    overhead_s: fresh.overhead_s,
    table: "",
    plan: hasPlan ? settings.plan : LAYERS,
  });
  return { settings: kept, notices: [] };
}

function changeParts(settings, key, value) {
  const parts = PARTS.get(key);
  const used = readParts(pythonText(value), parts);
  if (used === undefined) return refused(settings, key, value);
  return { settings: parts.put(settings, used), notices: [] };
}

function changeNumber(settings, key, value) {
  const number = NUMBERS.get(key);
  const asked = askedOf(number, value);
  if (!Number.isFinite(asked)) return refused(settings, key, value);
  const { low, high } = number.bounds(settings);
  const within = exact(Math.min(Math.max(asked, low), high));
  const used = number.isWhole ? Math.floor(within + 0.5) : within;
  const changed = number.put(settings, used);
  const values = { key, asked: shortText(value), used };
  if (!(low <= asked && asked <= high)) return said(changed, "notice.clamped", values);
  if (number.isWhole && asked !== used) return said(changed, "notice.rounded", values);
  return { settings: changed, notices: aboutRing(key, used, settings, changed) };
}

function askedOf(number, value) {
  if (typeof value === "string") return number.read(value);
  return typeof value === "number" ? value : NaN;
}

function said(settings, key, values) {
  return { settings, notices: [{ key, values }] };
}

/** Twelve digits, and nothing finer than a picosecond or a byte: an address holds it. */
function exact(number) {
  return fixedRound(Number(digitsText(number, 12)), 12) + 0; // -0 is 0
}

/** Ranks and port can ask for a bandwidth out of its bounds; then that is said. */
function aboutRing(key, used, before, changed) {
  if (!RING.includes(key)) return [];
  const port = key === "port" ? used : portRate(before);
  if (isClose(portRate(changed), port)) return [];
  const values = { key: "bandwidth", used: changed.bandwidth_bytes_per_s };
  return [{ key: "notice.bandwidth_bounds", values }];
}
