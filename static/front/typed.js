// Quantities as someone types them, read in the same units as on the command line.

import { kindOf, perUnit } from "./measures.js";

// Case tells bytes from bits: GB/s is eight times Gb/s. What could be either is refused.
const BYTES_PER_RATE = {
  "B/s": 1, "kB/s": 1e3, "KB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12,
  "MiB/s": 2 ** 20, "GiB/s": 2 ** 30,
  "Mb/s": 1e6 / 8, "Mbit/s": 1e6 / 8, "Mbps": 1e6 / 8,
  "Gb/s": 1e9 / 8, "Gbit/s": 1e9 / 8, "Gbps": 1e9 / 8,
  "Tb/s": 1e12 / 8, "Tbit/s": 1e12 / 8, "Tbps": 1e12 / 8,
};
const SECONDS_PER_TIME = { ns: 1e-9, us: 1e-6, "µs": 1e-6, "μs": 1e-6, ms: 1e-3, s: 1 };
const LAYERS_TYPED = { layer: 1, layers: 1, piece: 1, pieces: 1 };
const COUNTS = {
  bucket: LAYERS_TYPED,
  guess_bucket: LAYERS_TYPED,
  ranks: { rank: 1, ranks: 1 },
  micro_steps: { "micro-step": 1, "micro-steps": 1 },
};
const SHARES = { "%": 0.01 };

function unitsOf(key) {
  const shared = { rate: BYTES_PER_RATE, time: SECONDS_PER_TIME, share: SHARES };
  return COUNTS[key] ?? shared[kindOf(key)];
}

const QUANTITY = /^([-+]?[\d.,]+(?:e[-+]?\d+)?) ?([^\d.,][^\d]*)?$/i;
const GROUPED = /^[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/**
 * Reads typed text for a control: `{value}` in its SI unit, or `{problem}`, one of
 * "nonsense", "comma" (a decimal comma or thousands), "bits" (bytes or bits) and "unit".
 * A bare number counts the unit beside the box.
 */
export function readQuantity(key, text) {
  const [, digits, unit = ""] = QUANTITY.exec(plainText(key, text)) ?? [];
  if (digits === undefined) return { problem: "nonsense" };
  const number = readNumber(digits, kindOf(key) === "count");
  if (number.problem) return number;
  const used = unit === "" ? { value: perUnit(key) } : readUnit(key, unit.replaceAll(" ", ""));
  return used.problem ? used : { value: number.value * used.value };
}

/** One kind of space, µ and minus; without the size that stands behind "4 layers". */
function plainText(key, text) {
  const plain = text.trim().replace(/\s+/g, " ").replace(/^\u2212/, "-");
  return key === "bucket" ? plain.replace(/^(\S+ (?:layer|piece)s?), [\d.]+ [kMGT]?B$/i, "$1") : plain;
}

/**
 * A comma is a decimal one unless it can't be; before three digits it may be either,
 * except in a count, which has no decimals.
 */
function readNumber(text, isCount) {
  const [, number, exponent = ""] = /^(.*?)(e.*)?$/i.exec(text);
  const grouped = GROUPED.exec(number);
  const commas = number.split(",").length - 1;
  if (grouped && commas === 1 && !grouped[2] && !isCount) return { problem: "comma" };
  const pointed = (grouped ? number.replaceAll(",", "") : number.replace(",", ".")) + exponent;
  return NUMBER.test(pointed) ? { value: Number(pointed) } : { problem: "nonsense" };
}

function readUnit(key, unit) {
  const isRate = kindOf(key) === "rate";
  const units = unitsOf(key);
  const name = isRate ? unit : unit.toLowerCase();
  if (Object.hasOwn(units, name)) return { value: units[name] };
  const isEither = isRate && /^[kmgt]?b(\/s|ps)$/i.test(unit);
  return { problem: isEither ? "bits" : "unit" };
}
