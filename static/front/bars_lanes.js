// The bars of a figure as lanes to walk through, from the columns that it draws.

// Sources from the top down; those of one entry draw parts of the same bars.
const BAR_SOURCES = {
  lanes: [["compute"], ["hidden", "exposed"], ["late", "waiting"], ["ghost"]],
  recording: [["phases"], ["compute"], ["hidden"], ["other"], ["tail"]],
};
export const CAPTIONED = ["compute", "hidden", "other"]; // of a recording, with a name over them
const START_LANES = ["hidden", "compute", "other", "phases"];

/**
 * The lanes from the top down, each {key, source, bars} with its bars by start; lanes
 * without bars are left out. `dataOf(source)` are the columns of a source. A bar is
 * {source, row, parts, number, left, right, bottom, top} in the units of the axes; its
 * `number` is undefined where its figure gives none.
 */
export function lanesOfBars(kind, dataOf) {
  const lanes = BAR_SOURCES[kind].flatMap((sources) => {
    const bars = sources.flatMap((source) => barsOfSource(source, dataOf(source)));
    return kind === "lanes" ? [laneOf(sources[0], joinedByNumber(bars))] : lanesByPlace(bars);
  });
  return lanes.filter(({ bars }) => bars.length).sort((one, other) => other.y - one.y);
}

/** The bars of a source, in its own order. */
export function barsOfSource(source, { left, right, bottom, top, bucket, measured }) {
  const numbers = bucket ?? measured ?? [];
  return Array.from(left, (_, row) => ({
    source, row, parts: [{ source, row }], number: numbers[row],
    left: left[row], right: right[row], bottom: bottom[row], top: top[row],
  }));
}

/** The bar that lasts at a moment, or is nearest to it; of several the middle one. */
export function barNear(bars, time) {
  const far = ({ left, right }) => Math.max(left - time, time - right, 0);
  const off = ({ left, right }) => Math.abs((left + right) / 2 - time);
  return bars.reduce((best, bar) =>
    (far(bar) - far(best) || off(bar) - off(best)) < 0 ? bar : best);
}

/** The next bar of a lane in time, or the one before; undefined past its ends. */
export function barBeside(bars, bar, way) {
  const at = bars.indexOf(bar);
  if (at >= 0) return bars[at + way];
  return way > 0
    ? bars.find(({ left }) => left > bar.left)
    : bars.findLast(({ left }) => left <= bar.left);
}

/** Where one comes in: the first bar that is in view, of transfers where there are any. */
export function firstBar(lanes, { start, end }) {
  const found = START_LANES.map((source) => lanes.find((lane) => lane.source === source));
  const inView = ({ left, right }) => right >= start && left <= end;
  for (const lane of [...found.filter(Boolean), ...lanes]) {
    const bar = lane.bars.find(inView);
    if (bar) return { lane, bar };
  }
  return undefined;
}

/**
 * Where a bar of earlier lanes is now: that of its number in its lane, or the last before
 * it; without numbers the one at its time. Undefined where nothing is drawn any more.
 */
export function barAgain(kind, lanes, { lane: { key, source }, bar }, dataOf) {
  const isThere = [(one) => one.key === key, (one) => one.source === source,
    (one) => one.source === "hidden", () => true];
  const lane = isThere.map((is) => lanes.find(is)).find(Boolean);
  if (!lane) return undefined;
  if (kind === "lanes") return { lane, bar: barOfNumber(lane.bars, bar.number) };
  const parts = bar.source === "exposed" ? exposedBars(kind, [lane], dataOf).map((one) => one.bar) : [];
  return { lane, bar: barNear(parts.length ? parts : lane.bars, (bar.left + bar.right) / 2) };
}

function barOfNumber(bars, number) {
  return bars.find((bar) => bar.number === number)
    ?? bars.findLast((bar) => bar.number < number) ?? bars[0];
}

/** What is exposed, as {lane, bar}: transfers by start, where recorded the longest part first. */
export function exposedBars(kind, lanes, dataOf) {
  if (kind === "lanes") {
    const lane = lanes.find(({ source }) => source === "hidden");
    const isExposed = ({ parts }) => parts.some(({ source }) => source === "exposed");
    return (lane?.bars ?? []).filter(isExposed).map((bar) => ({ lane, bar }));
  }
  const columns = dataOf("exposed");
  const lengthOf = ({ bar: { row } }) => columns.length[row];
  return barsOfSource("exposed", columns)
    .map((bar) => ({ lane: lanes.find(({ key }) => key === laneKey("hidden", bar)), bar }))
    .filter(({ lane }) => lane)
    .sort((one, other) => lengthOf(other) - lengthOf(one));
}

/** Several bars of one number, hidden and exposed or late and waiting, are one. */
function joinedByNumber(bars) {
  const joined = new Map();
  for (const bar of bars) {
    const first = joined.get(bar.number);
    joined.set(bar.number, first ? {
      ...first,
      parts: [...first.parts, ...bar.parts],
      left: Math.min(first.left, bar.left),
      right: Math.max(first.right, bar.right),
    } : bar);
  }
  return [...joined.values()];
}

/** A lane for each place on the y axis. */
function lanesByPlace(bars) {
  const places = new Map();
  for (const bar of bars) {
    const key = laneKey(bar.source, bar);
    if (!places.has(key)) places.set(key, []);
    places.get(key).push(bar);
  }
  return [...places].map(([key, all]) => laneOf(all[0].source, all, key));
}

function laneKey(source, { bottom }) {
  return `${source} ${bottom.toFixed(3)}`;
}

function laneOf(source, bars, key = source) {
  bars.sort((one, other) => one.left - other.left);
  return { key, source, bars, y: bars[0]?.top ?? 0 };
}
