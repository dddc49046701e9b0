// Bars, labels and lines of a step with one link as columns, in milliseconds.

export const MS = 1e-3;
export const MB = 1e6;
const SLOWED_HEIGHT = 0.35; // of the strip that marks slowed compute, on the y axis
const SLIVER = 0.01; // of the pass: no label fits a narrower bar, however wide the window
const MOST_HEIGHT = 0.45; // of a waiting transfer's row; its bar has a little less
const FILLS = 0.72;

/** Spans in milliseconds, each with its number. */
export function barsOf(spans) {
  return spans.map((span, at) => ({
    number: at + 1,
    name: span.name,
    size: span.size_bytes / MB,
    ready: span.ready_s / MS,
    start: span.start_s / MS,
    end: span.end_s / MS,
  }));
}

/** The layers, one after the other; one that takes no time has no bar. */
export function computeBars(layers, { compute_y }) {
  const shown = layers.filter((one) => one.end > one.start);
  const [starts, ends] = [shown.map((one) => one.start), shown.map((one) => one.end)];
  return { ...barColumns(starts, ends, compute_y), ...cardFields(shown) };
}

/** The middle of each layer's bar, and its name without what several share. */
export function layerLabels(bars) {
  const pass_ms = bars.right.reduce((most, right) => Math.max(most, right), 0);
  const isSliver = (at) => bars.right[at] - bars.left[at] < SLIVER * pass_ms;
  const texts = shortNames(bars.layers).map((name, at) => (isSliver(at) ? "" : name));
  return barLabels(bars, texts);
}

/** Without the words before the last, where several names begin with them. */
function shortNames(names) {
  const begin = (name) => name.slice(0, Math.max(name.lastIndexOf(" "), 0)) || name;
  const counts = new Map();
  for (const name of names) counts.set(begin(name), (counts.get(begin(name)) ?? 0) + 1);
  return names.map((name) =>
    counts.get(begin(name)) > 1 ? name.slice(name.lastIndexOf(" ") + 1) : name);
}

/** The number of each transfer in the middle of its bar. */
export function bucketLabels(bars) {
  return barLabels(bars, bars.bucket.map(String));
}

/** The part of each transfer between two times; none where nothing remains. */
export function linkBars(transfers, since, until, { link_y }) {
  const from = (one) => Math.max(one.start, since);
  const to = (one) => Math.min(one.end, until);
  const shown = transfers.filter((one) => from(one) < to(one));
  return { ...barColumns(shown.map(from), shown.map(to), link_y), ...cardFields(shown) };
}

/** From ready to start, one below the other while several wait: first for the late rank. */
export function waitingBars(transfers, late_ms, { waiting_y: [low, high] }) {
  const waiting = transfers.filter((one) => one.start > one.ready);
  const rows = rowsOf(waiting);
  const count = rows.reduce((most, row) => Math.max(most, row), 0) + 1;
  const height = Math.min(MOST_HEIGHT, (high - low) / count);
  const top = rows.map((row) => high - row * height);
  const bottom = top.map((y) => y - FILLS * height);
  const arrived = waiting.map((one) => Math.min(one.ready + late_ms, one.start));
  const bars = { bottom, top, ...cardFields(waiting) };
  const { ready, start } = bars;
  return {
    late: onlyLong({ left: ready, right: arrived, ...bars }),
    waiting: onlyLong({ left: arrived, right: start, ...bars }),
  };
}

/** The first row that is free for each bar; they come ordered by when they are ready. */
function rowsOf(waiting) {
  const ends = [];
  return waiting.map(({ ready, start }) => {
    const free = ends.findIndex((until) => until <= ready);
    const row = free < 0 ? ends.length : free;
    ends[row] = start;
    return row;
  });
}

/** Only the bars that have a length. */
function onlyLong(bars) {
  return rowsWhere(bars, bars.left.map((left, at) => left < bars.right[at]));
}

/** The rows that are to be kept, in every column. */
export function rowsWhere(columns, isKept) {
  const kept = ([key, values]) => [key, values.filter((_, row) => isKept[row])];
  return Object.fromEntries(Object.entries(columns).map(kept));
}

/** A strip along the foot of the compute lane while a transfer slows it. */
export function slowedStrips(spans, { compute_y: [foot_y] }) {
  const [starts, ends] = [spans.map(([start]) => start), spans.map(([, end]) => end)];
  return barColumns(starts, ends, [foot_y - SLOWED_HEIGHT, foot_y]);
}

/** A line across the compute lane where each pass ends but the last. */
export function passEnds(ends, { compute_y: [low, high] }) {
  return {
    x0: ends,
    y0: ends.map(() => low - SLOWED_HEIGHT),
    x1: ends,
    y1: ends.map(() => high + SLOWED_HEIGHT),
  };
}

/** From the moment a bucket is ready down to the start of its transfer. */
export function readyLines(transfers, { compute_y, link_y }) {
  return {
    x0: transfers.map((one) => one.ready),
    y0: transfers.map(() => compute_y[0]),
    x1: transfers.map((one) => one.start),
    y1: transfers.map(() => link_y[1]),
  };
}

/** A line over the exposed part with a foot at each end. */
export function bracket(pass_ms, end_ms, { link_y, bracket_y }) {
  const foot_y = link_y[1] + 0.2;
  return {
    x0: [pass_ms, pass_ms, end_ms],
    y0: [bracket_y, foot_y, foot_y],
    x1: [end_ms, pass_ms, end_ms],
    y1: [bracket_y, bracket_y, bracket_y],
  };
}

/** A sentence without places, as data: the front has the words. */
export function cell(key) {
  return { key, values: {} };
}

/** The names of the lanes. */
export function captions({ caption_y }) {
  const lanes = Object.keys(caption_y);
  return {
    x: lanes.map(() => 0),
    y: Object.values(caption_y),
    text: lanes.map((lane) => cell(`lane.${lane}`)),
  };
}

/** What the card of a bar names. */
function cardFields(bars) {
  const column = (key) => bars.map((one) => one[key]);
  return {
    bucket: column("number"),
    layers: column("name"),
    size: column("size"),
    ready: column("ready"),
    start: column("start"),
    end: column("end"),
  };
}

function barColumns(left, right, [low, high]) {
  return { left, right, bottom: left.map(() => low), top: left.map(() => high) };
}

/** A text in the middle of each bar, with the room it has. */
function barLabels({ left, right, bottom, top }, text) {
  return {
    x: left.map((from, at) => (from + right[at]) / 2),
    y: bottom.map((low, at) => (low + top[at]) / 2),
    text,
    room: left.map((from, at) => right[at] - from),
  };
}
