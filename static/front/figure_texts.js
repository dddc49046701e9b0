// Texts in the figures: labels that must fit their bars, notes that must stay inside,
// titles of axes that must not be longer than them.

import { applyScale } from "./figure_scale.js";

const CHARACTER_PX = 7.2; // of 12 px digits and letters, on the safe side; unscaled
const NOTE_CHARACTER_PX = 8.5; // of notes, some of them larger and bold
const TITLE_CHARACTER_PX = 6.6; // of 12 px words in a wide font
const TITLE_LINE_PX = 14.4;
const [TICK_PX, MOST_TICKS] = [36, 6]; // of a number with some room, and Bokeh's own count

/** Pixels of the plot that a unit of its x axis takes; a decade, of a logarithmic one. */
export function pixelsPerUnit({ view, model }) {
  const { start, end } = model.x_range;
  const width = view.frame?.bbox?.width || view.el.clientWidth;
  const isLog = model.x_scale?.type === "LogScale";
  return width / ((isLog ? Math.log10(end / start) : end - start) || 1);
}

/**
 * The columns of a text source as they fit now. Labels that are wider than their room
 * are left out. A label gets at least the room of a long one of its lane, so that a row
 * of equal bars has all of its labels or none, unless each stands `alone`. Notes move to
 * where they must end instead, and give way only to a caption to their left or to the edge.
 */
export function fittingTexts(columns, figure) {
  if (columns.end) return endingNotes(columns, figure);
  const scale = pixelsPerUnit(figure) / figure.scale.text;
  const least = columns.alone ? 0 : longOf(columns.text);
  const fits = columns.text.map((text, row) =>
    columns.room[row] * scale >= CHARACTER_PX * Math.max(text.length, least) + 4);
  return { ...columns, x: columns.x.map((place, row) => (fits[row] ? place : NaN)) };
}

/** The length that three of four texts don't exceed: one long name is left out alone. */
function longOf(texts) {
  const lengths = texts.map((text) => text.length).sort((a, b) => a - b);
  return lengths[Math.floor(0.75 * lengths.length)] ?? 0;
}

/** An axis that is held after a reveal goes on past the one that the notes were made for. */
function endingNotes(columns, figure) {
  const scale = pixelsPerUnit(figure) / figure.scale.text; // as if texts were of 12 px
  const { start, end: axisEnd } = figure.model.x_range;
  const past = columns.x.map((place, row) => Math.max(axisEnd - place - columns.room[row], 0));
  const texts = columns.text.map((text) => `\u00A0${text}\u00A0`); // clear of the line beside it
  const longest = Math.max(0, ...texts.map((text) => text.length));
  const needed = NOTE_CHARACTER_PX * longest + 4;
  const fits = columns.room.map((room, row) => (room + past[row]) * scale >= needed);
  const x = columns.x.map((place, row) => (fits[row] ? place : columns.end[row]));
  const left = x.map((place, row) => (place - start) * scale - (fits[row] ? 0 : needed));
  const isClear = (row) => left[row] >= CHARACTER_PX * columns.caption[row].length;
  return {
    ...columns,
    x,
    align: fits.map((fit) => (fit ? "left" : "right")),
    text: texts.map((text, row) => (isClear(row) ? text : "")),
  };
}

/** Names of lanes; one that is wider than the plot ends before what it is told apart by. */
export function shortCaptions(texts, figure) {
  const most = (figure.view.frame?.bbox?.width ?? Infinity) / (TITLE_CHARACTER_PX * figure.scale.text);
  return texts.map((text) => (text.length > most ? text.split(", ")[0] : text));
}

/** Bars that are too narrow for a gap between them are drawn without. */
export function fitGaps(figure, narrowest_px) {
  const bars = figure.columns.compute;
  const drawn = figure.doc.get_model_by_name("compute_bars");
  if (!drawn || !bars?.left.length) return;
  const width = (bars.right.at(-1) - bars.left[0]) / bars.left.length;
  drawn.glyph.setv({ line_alpha: width * pixelsPerUnit(figure) < narrowest_px ? 0 : 1 });
}

/** The horizontal axis: its title in as many lines as it needs, as many ticks as fit. */
export function fitAxis(figure) {
  const { model, scale, title = {} } = figure;
  const axis = [...model.below, ...model.above].find((one) => one.axis_label);
  const width = figure.view.frame?.bbox?.width;
  if (!axis || !width) return;
  const whole = axis.axis_label === title.folded ? title.whole : axis.axis_label;
  const lines = linesOf(whole, width / (TITLE_CHARACTER_PX * scale.text));
  figure.title = { whole, folded: lines.join("\n") };
  axis.setv({ axis_label: figure.title.folded });
  figure.made.more_px = TITLE_LINE_PX * (lines.length - 1);
  const desired_num_ticks = Math.max(2, Math.min(MOST_TICKS, Math.floor(width / (TICK_PX * scale.text))));
  if ("desired_num_ticks" in axis.ticker) axis.ticker.setv({ desired_num_ticks });
  applyScale(figure, scale);
}

/** A text in lines of at most so many characters, all about as long. */
function linesOf(text, most) {
  const wanted = text.length / Math.max(1, Math.ceil(text.length / Math.max(1, most)));
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = `${lines.at(-1)} ${word}`.trim();
    const isFull = lines.at(-1).length >= wanted || line.length > most;
    if (isFull && lines.at(-1)) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines;
}
