// How frameworks fill buckets: each rule as a plan. See `model/rules.py` for the sources.

import { byBytes, withinBytes } from "./plans.js";
import { bestOf } from "./sizes.js";

const MIB = 2 ** 20;
const DDP_CAP_BYTES = 25 * MIB;
const DDP_FIRST_BYTES = 1 * MIB;
const MEGATRON_PARAMETERS = 40_000_000;
const MEGATRON_PARAMETERS_PER_RANK = 1_000_000;
const DEEPSPEED_ELEMENTS = 500_000_000;
const MOST_ELEMENT_BYTES = 16;

/** Rules by name: of {layers, link, effects, element_bytes, ranks} they make a plan. */
const BUILT_IN = {
  ddp: ({ layers }) => byBytes(layers, DDP_CAP_BYTES, DDP_FIRST_BYTES),
  "ddp-first-step": ({ layers }) => byBytes(layers, Infinity, Infinity),
  "ddp-small-last": ({ layers }) =>
    byBytes([...layers].reverse(), DDP_CAP_BYTES, DDP_FIRST_BYTES).reverse(),
  megatron({ layers, element_bytes, ranks }) {
    const per_rank = MEGATRON_PARAMETERS_PER_RANK * ranks;
    const limit_bytes = elementsBytes(Math.max(MEGATRON_PARAMETERS, per_rank), element_bytes);
    return byBytes(layers, limit_bytes, limit_bytes);
  },
  deepspeed: ({ layers, element_bytes }) =>
    withinBytes(layers, elementsBytes(DEEPSPEED_ELEMENTS, element_bytes)),
  best: ({ layers, link, effects }) => bestOf(layers, link, effects).plan,
};

/** Rules that a page gives, filled to its own limits. */
const GIVEN = {
  by_bytes: (rule) => ({ layers }) =>
    byBytes(layers, rule.limit_bytes, rule.first_limit_bytes),
  within_bytes: (rule) => ({ layers }) => withinBytes(layers, rule.limit_bytes),
};

/** The function that fills buckets by a rule: {name} of ours, or {name, fill, limits}. */
export function fillerOf(rule) {
  if (rule.fill === undefined && Object.hasOwn(BUILT_IN, rule.name)) {
    return BUILT_IN[rule.name];
  }
  if (rule.fill !== undefined && Object.hasOwn(GIVEN, rule.fill)) {
    return GIVEN[rule.fill](rule);
  }
  throw new Error(`there is no rule ${rule.name} here`);
}

/** Bytes of so many parameters or elements of so many bytes each. */
function elementsBytes(count, element_bytes) {
  if (!(element_bytes > 0 && element_bytes <= MOST_ELEMENT_BYTES)) {
    throw new Error(`one element takes up to ${MOST_ELEMENT_BYTES} bytes`);
  }
  return count * element_bytes;
}
