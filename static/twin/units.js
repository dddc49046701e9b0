// Numbers with units as people write them, read as `app/fields.py` does: NaN of others.

const PER_SECOND = new Map([
  ["ns", 1e9], ["us", 1e6], ["\u00b5s", 1e6], ["\u03bcs", 1e6], ["ms", 1e3], ["s", 1],
]);
// Case tells bytes from bits.
const RATES = new Map([
  ["B/s", 1], ["kB/s", 1e3], ["KB/s", 1e3], ["MB/s", 1e6], ["GB/s", 1e9], ["TB/s", 1e12],
  ["MiB/s", 2 ** 20], ["GiB/s", 2 ** 30],
  ...["b/s", "bit/s", "bps"].flatMap((unit) => [
    [`M${unit}`, 1e6 / 8], [`G${unit}`, 1e9 / 8], [`T${unit}`, 1e12 / 8],
  ]),
]);
// What Python counts as a space; JavaScript's \s lacks some and has U+FEFF.
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a"
  + "\\u2028\\u2029\\u202f\\u205f\\u3000";
const QUANTITY = new RegExp(
  `^[${SPACE}]*([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)(?:[${SPACE}]*([^${SPACE}0-9.]+))?[${SPACE}]*$`, "i");
const PLAIN = new RegExp(
  `^[${SPACE}]*([-+]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:e[-+]?[0-9]+)?)[${SPACE}]*$`, "i");
const PERCENT = new RegExp(`^(.*)%[${SPACE}]*$`, "s");

/** Seconds from `200us`, `1 ms`, `0.5s`; a bare number is microseconds. */
export function readTime(text) {
  const [, number, unit = ""] = QUANTITY.exec(text) ?? [];
  if (number === undefined) return NaN;
  return Number(number) / (PER_SECOND.get(unit.toLowerCase() || "us") ?? NaN) + 0;
}

/** Bytes a second from `12GB/s`, `100Gb/s`; a bare number is GB/s. */
export function readRate(text) {
  const [, number, unit = ""] = QUANTITY.exec(text) ?? [];
  if (number === undefined) return NaN;
  return Number(number) * (RATES.get(unit || "GB/s") ?? NaN) + 0;
}

/** A number without a unit. */
export function readNumber(text) {
  const [, number] = PLAIN.exec(text) ?? [];
  return number === undefined ? NaN : Number(number);
}

/** A share of 1, or a percentage. */
export function readShare(text) {
  const [, percentage] = PERCENT.exec(text) ?? [];
  return percentage === undefined ? readNumber(text) : readNumber(percentage) / 100;
}
