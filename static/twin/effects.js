// What the simple model leaves out, as options; each is off unless asked for.

const MOST_MICRO_STEPS = 64;
const MOST_SLOWDOWN = 10;

/** Options of a simulated step, those not given off; see `model/effects.py`. */
export function createEffects(given = {}) {
  const effects = {
    overlap: true, slowdown: 0, late_s: 0, micro_steps: 1, every_micro_step: false, ...given,
  };
  const { slowdown, late_s, micro_steps } = effects;
  if (!(slowdown >= 0 && slowdown <= MOST_SLOWDOWN)) {
    throw new Error(`the slowdown must be a share from 0 to ${MOST_SLOWDOWN}`);
  }
  if (!(late_s >= 0 && late_s < Infinity)) {
    throw new Error("the late rank's time must be finite and not negative");
  }
  const isWhole = Number.isInteger(micro_steps);
  if (!(isWhole && micro_steps >= 1 && micro_steps <= MOST_MICRO_STEPS)) {
    throw new Error(`a step has 1 to ${MOST_MICRO_STEPS} micro-steps`);
  }
  return effects;
}

/** How many of the passes communicate. */
export function sendingPasses(effects) {
  return effects.every_micro_step ? effects.micro_steps : 1;
}

/** Whether transfers make the pass longer: only those that run beside it can. */
export function slowsCompute(effects) {
  return effects.slowdown > 0 && effects.overlap;
}

/** Whether the recurrence over prefixes finds the best plan exactly. */
export function isSeparable(effects) {
  const startsFree = sendingPasses(effects) === 1 || !effects.overlap;
  return startsFree && !slowsCompute(effects);
}
