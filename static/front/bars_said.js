// A bar in words: the card that hovering shows, row by row, and what is heard of it.

import { barsOfSource } from "./bars_lanes.js";
import { millisecondTexts, sizeText, timeText, wholeText } from "./quantities.js";

const MS = 1e-3;
const MB = 1e6;
const FIELD = /@(\w+)(?:\{([^}]*)\})?/g; // of Bokeh's cards: @name, @end{0.00[0]}
const DECIMALS = /^0\.(0*)(?:\[(0*)\])?$/;
const WRITERS = {
  lanes: { compute: layerTexts, hidden: transferTexts, late: waitTexts, ghost: ghostTexts },
  recording: { compute: kernelTexts, other: kernelTexts, hidden: kernelTexts, phases: phaseTexts, tail: tailTexts },
};

/** The card of a bar as [name, text] pairs: what the hover tool of its source shows. */
export function barCard({ model }, { source, row }, data) {
  const draws = (renderer) => renderer.data_source?.name === source;
  const tool = model.toolbar.tools.find(({ renderers }) => renderers?.some?.(draws));
  const valueOf = (key) => data[key]?.[row] ?? null;
  return (tool?.tooltips ?? [])
    .filter(([, template]) => [...template.matchAll(FIELD)].every(([, key]) => valueOf(key) !== null))
    .map(([name, template]) =>
      [name, template.replace(FIELD, (_, key, format) => fieldText(valueOf(key), format))]);
}

/** As Bokeh writes it: 0.00[0] is two decimals, and a third where it isn't zero. */
function fieldText(value, format) {
  if (format === undefined || typeof value !== "number") return String(value);
  const [, always, maybe = ""] = DECIMALS.exec(format);
  const text = value.toFixed(always.length + maybe.length);
  const least = text.length - maybe.length;
  return text.slice(0, Math.max(least, text.search(/0*$/))).replace(/\.$/, "");
}

/**
 * A bar in a sentence or two. `found` is {lane, bar} of a figure of that kind, `dataOf`
 * gives the columns of a source; `known` is {transfers, exposed_s} of a simulated step, and
 * {isWhole}: whether all bars of the lane are there to be counted.
 */
export function barText(words, kind, found, dataOf, known) {
  const { lane, bar } = found;
  const columns = dataOf(bar.source);
  const write = kind === "recording" && bar.source === "exposed"
    ? partTexts : WRITERS[kind][lane.source];
  const valueOf = (key) => columns[key]?.[bar.row] ?? null;
  const order = { at: wholeText(lane.bars.indexOf(bar) + 1), count: wholeText(lane.bars.length) };
  return write(words, valueOf, order, { bar, dataOf, known }).filter(Boolean).join(" ");
}

function layerTexts(words, valueOf, order) {
  const places = { ...order, name: valueOf("layers"), size: sizeText(valueOf("size") * MB) };
  return [words("bar.layer", places), timesText(words, valueOf, ["start", "end"])];
}

function transferTexts(words, valueOf, _, { bar, known }) {
  const exposed_s = known.exposed_s?.[bar.number - 1];
  return [
    words("bar.transfer", transferPlaces(valueOf, bar, known)),
    timesText(words, valueOf, ["ready", "start", "end"]),
    exposed_s === undefined ? "" : exposedText(words, exposed_s),
  ];
}

function waitTexts(words, valueOf, _, { bar, known }) {
  return [
    words("bar.waiting", transferPlaces(valueOf, bar, known)),
    timesText(words, valueOf, ["ready", "start"]),
    bar.parts.some(({ source }) => source === "late") ? words("bar.late") : "",
  ];
}

function transferPlaces(valueOf, { number }, { transfers }) {
  return { at: number, count: transfers, size: sizeText(valueOf("size") * MB), name: valueOf("layers") };
}

function ghostTexts(words, valueOf, order) {
  const places = { ...order, size: sizeText(valueOf("size") * MB) };
  return [words("bar.ghost", places), timesText(words, valueOf, ["start", "end"])];
}

function exposedText(words, exposed_s) {
  return exposed_s > 0 ? words("bar.exposed", { exposed: timeText(exposed_s) }) : words("bar.hidden");
}

/** When a bar is ready, starts and ends: as much of it as the page may tell. */
function timesText(words, valueOf, keys) {
  const told = keys.filter((key) => valueOf(key) !== null);
  const places = told.map((key) => [key, timeText(valueOf(key) * MS)]);
  return told.length ? words(`bar.${told.join("_")}`, Object.fromEntries(places)) : "";
}

function kernelTexts(words, valueOf, order, { bar, dataOf, known }) {
  const kernels = valueOf("kernels");
  const [name, place] = [valueOf("name"), known.isWhole ? words("bar.order", order) : ""];
  const isMoving = bar.source === "hidden";
  const first = isMoving ? [valueOf("collective"), valueOf("bytes"), place] : [name, place];
  return [
    listText(first),
    lengthText(words, valueOf),
    isMoving ? exposedPartsText(words, bar, dataOf("exposed")) : "",
    kernels > 1 ? words("bar.merged", { kernels: words.count("kernels", kernels) }) : "",
    isMoving ? listText([name]) : "", // long, and of them all nearly the same
  ];
}

/** How much of a recorded transfer is exposed, or in how many parts. */
function exposedPartsText(words, { left, right, bottom }, exposed) {
  const parts = barsOfSource("exposed", exposed)
    .filter((part) => part.bottom === bottom && part.left >= left && part.right <= right);
  if (parts.length > 1) return words("bar.parts", { parts: parts.length });
  return exposedText(words, parts.length ? exposed.length[parts[0].row] * MS : 0);
}

function partTexts(words, valueOf) {
  return [
    exposedText(words, valueOf("length") * MS),
    words("bar.start", { start: momentText(valueOf("start")) }),
    listText([valueOf("collective"), valueOf("bytes"), valueOf("name")]),
  ];
}

function phaseTexts(words, valueOf, order) {
  return [listText([valueOf("phase"), words("bar.order", order)]), lengthText(words, valueOf)];
}

function tailTexts(words, valueOf) {
  return [words("bar.tail", { tail: timeText(valueOf("tail") * MS) })];
}

function lengthText(words, valueOf) {
  const [start, length] = [momentText(valueOf("start")), timeText(valueOf("length") * MS)];
  return words("bar.takes", { start, length });
}

/** A moment of a recorded step as its tables have it: 12.35 ms. */
function momentText(time_ms) {
  return `${millisecondTexts([time_ms * MS])[0]}\u00A0ms`;
}

function listText(texts) {
  return `${texts.filter(Boolean).join(", ")}.`;
}
