// Straight lines between the points of a table: what `numpy.interp` makes of it.

/** The value at `asked` of a table whose `places` rise; flat past both ends. */
export function interpolated(asked, places, values) {
  const last = places.length - 1;
  if (asked < places[0]) return values[0];
  if (asked >= places[last]) return values[last];
  const at = lastUpTo(asked, places);
  if (places[at] === asked) return values[at];
  const slope = (values[at + 1] - values[at]) / (places[at + 1] - places[at]);
  return slope * (asked - places[at]) + values[at];
}

/** How many of rising values are at most `asked`. */
export function countUpTo(asked, rising) {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle] <= asked) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lastUpTo(asked, rising) {
  return countUpTo(asked, rising) - 1;
}
