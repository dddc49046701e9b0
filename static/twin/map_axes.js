// What the map runs over: bucket sizes upwards, bandwidth or overhead sideways.

import { sizeTicks } from "./curve_columns.js";
import { interpolated } from "./interpolated.js";
import { roundHalfEven } from "./texts.js";

const EVERY_SIZE = 16; // up to so many the map has each, then one for every fifth more
const GROWTH = 1.2;
const ROWS_OF_A_TICK = 3; // between two names of sizes there are so many rows at least
const POWERS = [10, 100, 1000, 10_000, 100_000];
const ROUND_SIZES = [1, 5, ...POWERS.flatMap((power) => [power, 2 * power, 5 * power])];

/** The bucket sizes of the map's rows; always 1 and all layers. */
export function sizesShown(layers) {
  const sizes = Array.from({ length: Math.min(layers, EVERY_SIZE) }, (_, at) => at + 1);
  while (sizes.at(-1) < layers) {
    sizes.push(Math.min(layers, roundHalfEven(sizes.at(-1) * GROWTH)));
  }
  return sizes;
}

/** Where a bucket size lies on the map: rows are 1 high, the first one is row 1. */
export function rowOf(sizes, bucket) {
  return interpolated(bucket, sizes, sizes.map((_, at) => at + 1));
}

/** The sizes that are named beside the map, in a Map by where they lie. */
export function rowTicks(sizes) {
  const most = sizes.at(-1);
  if (most <= EVERY_SIZE) return new Map(sizeTicks(most).map((size) => [size, String(size)]));
  const named = ROUND_SIZES.filter((size) => size < most);
  if (sizes.length - rowOf(sizes, named.at(-1)) >= ROWS_OF_A_TICK) named.push(most);
  return new Map(named.map((size) => [rowOf(sizes, size), String(size)]));
}
