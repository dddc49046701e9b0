// Numbers as text: three significant digits, the largest unit that keeps them above 1.
// Ties round away from zero, as toPrecision does; a no-break space joins the unit.

const TIME_UNITS = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];
const FAR_APART = 1000;
const SIZE_UNITS = [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]];

/** Three significant digits without trailing zeros: 14.3, 1, 0.683. */
export function digits(value) {
  return String(Number(value.toPrecision(3)));
}

/** A ratio; near 1 with as many digits as show on which side it is: 0.667, 1.0004. */
export function ratioText(ratio) {
  const enough = [3, 4, 5, 6, 7, 8, 9].find((count) => Number(ratio.toPrecision(count)) !== 1);
  return String(Number(ratio.toPrecision(enough ?? 3)));
}

/** A count with its thousands apart: 1,204. */
export function wholeText(value) {
  return Math.round(value).toLocaleString("en");
}

/** Seconds as 14.3 ms, 200 µs, 1.5 s. */
export function timeText(time_s) {
  return inUnits(time_s, TIME_UNITS, "ms");
}

/**
 * Seconds that are read together, all in the unit of the longest: 1.4 ms, 0.404 ms.
 * Where they are more than a thousandfold apart each takes its own: 4.76 s, 1 µs.
 */
export function timeTexts(times_s) {
  const longest_s = Math.max(...times_s);
  const shortest_s = Math.min(...times_s.filter((time_s) => time_s > 0));
  const [factor, unit] = unitOf(longest_s, TIME_UNITS) ?? [1e-3, "ms"];
  const isAlike = longest_s <= shortest_s * FAR_APART;
  return times_s.map((time_s) =>
    isAlike || time_s === 0 ? `${digits(time_s / factor)}\u00A0${unit}` : timeText(time_s));
}

/** Bytes as 160 MB, 1.2 GB; prefixes are decimal. */
export function sizeText(size_bytes) {
  return inUnits(size_bytes, SIZE_UNITS, "B");
}

/** Bytes a second as 12 GB/s. */
export function rateText(bytes_per_s) {
  return `${sizeText(bytes_per_s)}/s`;
}

/** A share of 1 as 15.6 %. */
export function percentText(share) {
  return `${digits(share * 100)}\u00A0%`;
}

/** Moments or lengths of one column, in ms, with as many decimals for each of them. */
export function millisecondTexts(times_s) {
  const most_ms = Math.max(...times_s.map(Math.abs), 0) * 1e3;
  const decimals = most_ms < 10 ? 3 : most_ms < 100 ? 2 : 1;
  return times_s.map((time_s) => (time_s * 1e3).toFixed(decimals));
}

/** A number for a box that is edited: up to 12 digits, never an exponent in its range. */
export function plainNumber(value) {
  return String(Number(value.toPrecision(12)));
}

function inUnits(value, units, unitOfZero) {
  const [factor, unit] = unitOf(value, units) ?? [1, unitOfZero];
  return `${digits(value / factor)}\u00A0${unit}`;
}

/** The largest unit in which the rounded value is at least 1; none for zero. */
function unitOf(value, units) {
  if (value === 0) return undefined;
  const fits = ([factor]) => Math.abs(Number((value / factor).toPrecision(3))) >= 1;
  return units.find(fits) ?? units.at(-1);
}
