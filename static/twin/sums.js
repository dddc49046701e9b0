// Sums that keep what plain addition rounds off.

/** max(0, value) as Python has it: 0 also of what is no number. */
export function atLeastZero(value) {
  return value > 0 ? value : 0;
}

/** The lesser of two numbers; of equals, or where one is no number, the first. */
export function lesser(first, second) {
  return second < first ? second : first;
}

/** Sums of the first k values, none negative, k = 0 to all: Neumaier's sum. */
export function runningSums(values) {
  const sums = [0];
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const sum = total + value;
    lost += total >= value ? (total - sum) + value : (value - sum) + total;
    total = sum;
    sums.push(total + lost);
  }
  return sums;
}

/**
 * The sum of finite numbers, rounded once: `math.fsum`. The partial sums don't overlap, so
 * that together they are exact (Shewchuk 1997, Adaptive Precision Floating-Point
 * Arithmetic).
 */
export function exactSum(values) {
  const partials = [];
  for (const value of values) {
    let rest = value;
    let kept = 0;
    for (const partial of partials) {
      const isLarge = Math.abs(rest) >= Math.abs(partial);
      const large = isLarge ? rest : partial;
      const small = isLarge ? partial : rest;
      const sum = large + small;
      const lost = small - (sum - large);
      if (lost !== 0) partials[kept++] = lost;
      rest = sum;
    }
    partials.length = kept;
    if (rest !== 0) partials.push(rest);
  }
  return rounded(partials);
}

/** The sum of partial sums, smallest first, to the nearest number; of two to the even. */
function rounded(partials) {
  let at = partials.length - 1;
  if (at < 0) return 0;
  let high = partials[at];
  let low = 0;
  while (at > 0 && low === 0) {
    at -= 1;
    const sum = high + partials[at];
    low = partials[at] - (sum - high);
    high = sum;
  }
  if (at > 0 && low !== 0 && low < 0 === partials[at - 1] < 0) {
    const twice = low * 2;
    const away = high + twice;
    if (twice === away - high) return away; // halfway, and what is left lies beyond
  }
  return high;
}
