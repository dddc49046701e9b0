// Texts in the figures: labels that must fit their bars, notes that must stay inside.

const CHARACTER_PX = 7.2; // of 12 px digits and letters, on the safe side
const NOTE_CHARACTER_PX = 8.5; // of notes, some of them larger and bold

/** Pixels of the plot that a unit of its x axis takes; a decade, of a logarithmic one. */
export function pixelsPerUnit({ view, model }) {
  const { start, end } = model.x_range;
  const width = view.frame?.bbox?.width || view.el.clientWidth;
  const isLog = model.x_scale?.type === "LogScale";
  return width / ((isLog ? Math.log10(end / start) : end - start) || 1);
}

/**
 * The columns of a text source as they fit now. Labels that are wider than their room
 * are left out; all of a lane get the room of its longest, so that a row of equal bars
 * has all of its labels or none, unless each stands `alone`. Notes move to where they must end instead, and give
 * way only to a caption to their left.
 */
export function fittingTexts(columns, figure) {
  const scale = pixelsPerUnit(figure);
  const lengths = columns.text.map((text) => text.length);
  const longest = Math.max(0, ...lengths);
  const needed = (columns.end ? NOTE_CHARACTER_PX : CHARACTER_PX) * longest + 4;
  const fits = columns.room.map((room, row) =>
    room * scale >= (columns.alone ? CHARACTER_PX * lengths[row] + 4 : needed));
  if (columns.end) return endingNotes(columns, fits, needed, figure);
  return { ...columns, x: columns.x.map((place, row) => (fits[row] ? place : NaN)) };
}

function endingNotes(columns, fits, needed, figure) {
  const [scale, start] = [pixelsPerUnit(figure), figure.model.x_range.start];
  const x = columns.x.map((place, row) => (fits[row] ? place : columns.end[row]));
  const left = x.map((place, row) => (place - start) * scale - (fits[row] ? 0 : needed));
  const isClear = (row) => columns.clear_px[row] === 0 || left[row] >= columns.clear_px[row];
  return {
    ...columns,
    x,
    align: fits.map((fit) => (fit ? "left" : "right")),
    text: columns.text.map((text, row) => (isClear(row) ? text : "")),
  };
}

/** Bars that are too narrow for a gap between them are drawn without. */
export function fitGaps(figure, narrowest_px) {
  const bars = figure.columns.compute;
  const drawn = figure.doc.get_model_by_name("compute_bars");
  if (!drawn || !bars?.left.length) return;
  const width = (bars.right.at(-1) - bars.left[0]) / bars.left.length;
  drawn.glyph.setv({ line_alpha: width * pixelsPerUnit(figure) < narrowest_px ? 0 : 1 });
}
