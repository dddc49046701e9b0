// Numbers as Python writes and rounds them: of two that are as near, the even one.
// `toExponential` and `toFixed` round exactly but take the larger of two.

const MANY = 60; // digits that tell a number halfway between two from any beside it
const MOST_FIXED = 1e21; // from here on `toFixed` has no decimals
const MOST_DECIMALS = 100;
const LONGEST = 60; // of a value from an address, repeated in a notice, in characters

/** Python's `f"{value:.{count}g}"`. */
export function digitsText(value, count) {
  if (!Number.isFinite(value)) return floatText(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const [digits, exponent] = significant(Math.abs(value), count);
  const short = digits.replace(/0+$/, "") || "0";
  if (exponent < -4 || exponent >= count) return sign + scientific(short, exponent);
  return sign + positional(short, exponent);
}

/** Python's `round(value, places)`, of decimal places from 0 on. */
export function fixedRound(value, places) {
  if (!(Math.abs(value) < MOST_FIXED) || value === 0) return value; // `toFixed` loses -0
  const exact = value.toFixed(MOST_DECIMALS);
  const cut = exact.length - MOST_DECIMALS + places;
  const isHalfway = /^50*$/.test(exact.slice(cut));
  const kept = exact.slice(0, cut);
  const isEven = /[02468]\.?$/.test(kept);
  return Number(isHalfway && isEven ? kept : value.toFixed(places));
}

/** Python's `round(value)`: to a whole number. */
export function roundHalfEven(value) {
  const below = Math.floor(value);
  const past = value - below;
  const isAbove = past > 0.5 || (past === 0.5 && below % 2 !== 0);
  return (isAbove ? below + 1 : below) + 0; // -0 is 0
}

/** Python's `str` of a float: as few digits as tell it from all others. */
export function floatText(value) {
  if (Number.isNaN(value)) return "nan";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (!Number.isFinite(value)) return `${sign}inf`;
  const [mantissa, power] = Math.abs(value).toExponential().split("e");
  const [digits, exponent] = [mantissa.replace(".", ""), Number(power)];
  if (exponent < -4 || exponent >= 16) return sign + scientific(digits, exponent);
  const text = positional(digits, exponent);
  return sign + (text.includes(".") ? text : `${text}.0`);
}

/** Python's `str` of a value that came as JSON, where a whole number is an integer. */
export function pythonText(value) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "number") return String(value);
  const isWhole = Number.isInteger(value) && Math.abs(value) < MOST_FIXED;
  return isWhole ? String(value) : floatText(value);
}

/** As it was typed, cut where a sentence would drown in it. */
export function shortText(value) {
  const characters = [...pythonText(value).slice(0, 2 * LONGEST + 2)]; // of up to two each
  if (characters.length <= LONGEST) return characters.join("");
  return `${characters.slice(0, LONGEST).join("")}…`;
}

/** The order in which Python sorts texts: by code points, not by halves of them. */
export function byCodePoints(one, other) {
  const [left, right] = [one, other].map(
    (text) => Array.from(text, (character) => character.codePointAt(0)));
  const at = left.findIndex((point, place) => point !== right[place]);
  if (at < 0) return left.length - right.length;
  return at < right.length ? left[at] - right[at] : 1;
}

/** So many digits of a number that isn't negative, and the power of ten of the first. */
function significant(value, count) {
  const [mantissa, power] = value.toExponential(MANY).split("e");
  const exact = mantissa.replace(".", "");
  const isHalfway = /^50*$/.test(exact.slice(count));
  const kept = exact.slice(0, count);
  if (isHalfway && /[02468]$/.test(kept)) return [kept, Number(power)];
  const [rounded, carried] = value.toExponential(count - 1).split("e");
  return [rounded.replace(".", ""), Number(carried)];
}

function scientific(digits, exponent) {
  const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${power}`;
}

function positional(digits, exponent) {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const rest = digits.slice(exponent + 1);
  return rest ? `${whole}.${rest}` : whole;
}
