// Times as Python's `app/quantities.py` writes them: three digits, a space, a unit.

import { digitsText } from "./texts.js";

const TIMES = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];

/** Seconds as `14.3 ms`, rounded before the unit is chosen; zero is `0 ms`. */
export function timeText(time_s) {
  const rounded_s = Number(digitsText(time_s, 3));
  if (rounded_s === 0) return "0 ms";
  const unitFits = ([factor]) => Math.abs(rounded_s) >= factor;
  const [factor, unit] = TIMES.find(unitFits) ?? TIMES.at(-1);
  return `${digitsText(Number(digitsText(rounded_s / factor, 3)), 15)} ${unit}`;
}
