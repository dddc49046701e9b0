// The Bokeh figures: embeds their JSON, fills their sources, paints their roles.
// A figure lives in a document of its own on this page only; nothing of it goes back
// to a server.

import { clearCards, dismissCards, paintCards, showCardsOnTap } from "./figure_cards.js";
import { coloured, fillItem } from "./figure_first.js";
import { applyRanges, followWindow, moveWindow, watchSliders, watchWindow } from "./figure_ranges.js";
import { applyScale, madeSizes, scaleOf, setMade, watchScale } from "./figure_scale.js";
import { fitAxis, fitGaps, fittingTexts, shortCaptions } from "./figure_texts.js";
import { createWaits } from "./figure_waits.js";
import { wordedColumns, wordedItem, wordedProps } from "./figure_words.js";

const GAP_PX = 6; // narrower bars lose the gap between them
const REACH_PX = 10; // a click so near to a plot is meant for it

async function bokehLoaded() {
  while (globalThis.Bokeh?.embed === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return globalThis.Bokeh;
}

async function embedFigure(item, element, words, { state, colourOf }) {
  const Bokeh = await bokehLoaded();
  // A copy with a target of its own: the same item may stand on a page twice.
  const own = wordedItem(words, item);
  const drawn = firstColumns(words, state);
  fillItem(own, { columns: drawn, ranges: state.ranges }, colourOf);
  const views = await Bokeh.embed.embed_item(own, element);
  const view = views.roots[0];
  const events = view.canvas_view.events_el;
  events.removeAttribute("tabindex"); // sliders, table and summary say all of it
  events.setAttribute("aria-hidden", "true");
  events.style.touchAction = "pan-y pinch-zoom"; // a vertical swipe scrolls the page
  showCardsOnTap(events);
  clearWholly(view.canvas_view.primary);
  const { model } = view;
  const figure = { view, model, words, doc: model.document, frame: null, columns: {}, drawn };
  return { ...figure, made: madeSizes(figure) };
}

// Bokeh draws half a pixel further down and right than it clears, so that something which
// once crossed the left edge, as titles do while a figure has no width, left a column there.
function clearWholly(layer) {
  layer.clear = () => layer.ctx.clearRect(-1, -1, layer.bbox.width + 2, layer.bbox.height + 2);
}

// Those of a first state but for texts, which must fit a figure that stands.
function firstColumns(words, { sources = {}, names }) {
  const known = Object.entries(sources).filter(([, columns]) => !columns.room);
  return Object.fromEntries(known.map(([name, columns]) =>
    [name, wordedColumns(words, name, columns, names)]));
}

function removeFigure({ view, doc }) {
  view.remove();
  const { documents } = globalThis.Bokeh; // which would keep it for ever
  documents.splice(documents.indexOf(doc), 1);
}

function fillSource(figure, name, columns) {
  const source = figure.doc.get_model_by_name(name);
  if (source === null) return;
  setData(figure, name, source, columns.room ? fittingTexts(columns, figure) : columns);
}

// Only what differs: each source that is set costs as much as all of its marks anew.
function setData(figure, name, source, columns) {
  const isSame = figure.drawn[name] && areEqual(figure.drawn[name], columns);
  figure.drawn[name] = columns;
  if (!isSame) source.data = columns;
}

function areEqual(one, other) {
  const keys = Object.keys(other);
  return keys.length === Object.keys(one).length && keys.every((key) =>
    one[key]?.length === other[key].length
    && other[key].every((value, row) => Object.is(value, one[key][row])));
}

function refit(figure) {
  for (const [name, columns] of Object.entries(figure.columns)) {
    if (columns.room) fillSource(figure, name, columns);
  }
  fitGaps(figure, GAP_PX);
  fitAxis(figure);
  keepCaptions(figure);
}

function applyFigure(figure, state, isHeld) {
  for (const [name, properties] of Object.entries(state.props ?? {})) {
    const model = figure.doc.get_model_by_name(name);
    if (name === figure.model.name) applyScale(figure, figure.scale, properties.height);
    else if (model) setMade(figure, model, wordedProps(figure.words, properties));
  }
  applyRanges(figure, state, isHeld);
  for (const [name, columns] of Object.entries(state.sources ?? {})) {
    figure.columns[name] = wordedColumns(figure.words, name, columns, state.names);
    fillSource(figure, name, figure.columns[name]);
  }
  fitGaps(figure, GAP_PX);
  fitAxis(figure);
  keepCaptions(figure);
}

// Names of lanes stay at the left edge while the time axis moves.
function keepCaptions(figure) {
  const captions = figure.columns.captions;
  if (captions === undefined) return;
  const x = captions.text.map(() => figure.model.x_range.start);
  const text = shortCaptions(captions.text, figure);
  setData(figure, "captions", figure.doc.get_model_by_name("captions"), { ...captions, x, text });
}

// Axes that grew under the reader's hand take the place that the last view wants.
function settle(figure) {
  if (figure.frame !== null) return;
  applyRanges(figure, { ranges: figure.wanted }, false);
  refit(figure);
}

function paintFigure(figure, colorOf) {
  paintCards(figure, colorOf);
  for (const model of figure.doc._all_models.values()) {
    const painted = coloured(model.type, model, colorOf);
    if (Object.keys(painted).length) model.setv(painted);
  }
}

async function embedAll(items, elements, words, first) {
  const figures = {};
  for (const [name, element] of Object.entries(elements).filter(([, place]) => place)) {
    const { states, colourOf } = await first();
    const state = states[name] ?? {};
    figures[name] = await embedFigure(items[name], element, words, { state, colourOf });
  }
  return figures;
}

/**
 * Embed the figures that have an element; see `apply`, `paint` and the window's moves.
 * `first()`, or its promise, is what they are told at once: {states, colourOf}.
 */
export async function embedFigures(items, elements, words, first) {
  const figures = await embedAll(items, elements, words, first);
  const all = Object.values(figures);
  const places = Object.values(elements).filter(Boolean);
  const sliders = watchSliders(places[0].getRootNode(), () => all.forEach(settle));
  const stopDismissing = dismissCards(all);
  const root = places[0].closest(".overlap");
  const rescale = () => all.forEach((figure) => applyScale(figure, scaleOf(root)));
  rescale();
  const stopWatching = watchScale(root, () => {
    rescale();
    all.forEach(refit);
  });
  const resized = new ResizeObserver(() => all.forEach(refit));
  places.forEach((element) => resized.observe(element));
  const waits = createWaits(elements, (states) => {
    for (const [name, state] of Object.entries(states)) {
      if (figures[name] && state) applyFigure(figures[name], state, sliders.isHeld());
    }
  });
  return {
    apply: waits.apply,
    flush: waits.flush,
    /** No card stays open. */
    dismiss: () => all.forEach(clearCards),
    /** The next ranges hold, even if they were those of the last view. */
    forget() {
      for (const figure of all) figure.frame = null;
    },
    paint(colorOf) {
      rescale();
      all.forEach((figure) => paintFigure(figure, colorOf));
    },
    onPick(tell) {
      for (const name of ["curve", "map", "ranks"]) {
        if (figures[name]) watchPicks(figures[name], (place) => tell(name, place));
      }
    },
    destroy() {
      waits.destroy();
      resized.disconnect();
      stopWatching();
      sliders.destroy();
      stopDismissing();
      all.forEach(removeFigure);
    },
    ...windowOf(figures.recording ?? figures.against),
  };
}

// A click on the curve or the map tells the place under it; keys and sliders do as well.
function watchPicks({ view }, tell) {
  const events = view.canvas_view.events_el;
  events.style.cursor = "pointer";
  events.addEventListener("click", (event) => {
    const { left, top } = events.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const { bbox, x_scale, y_scale } = view.frame;
    const isNear = (at, low, high) => at > low - REACH_PX && at < high + REACH_PX;
    if (!isNear(x, bbox.left, bbox.right) || !isNear(y, bbox.top, bbox.bottom)) return;
    tell({ x: x_scale.invert(x), y: y_scale.invert(y) });
  });
}

// Where the recording is looked at: told, and moved by the front's buttons.
function windowOf(figure) {
  const moving = (change) => {
    const { start, end } = figure.model.x_range;
    moveWindow(figure, ...change(start, end));
  };
  const redraw = () => {
    keepCaptions(figure);
    refit(figure);
  };
  return {
    hasWindow: Boolean(figure),
    onWindow(tell) {
      if (figure) watchWindow(figure, redraw, tell);
    },
    onLook(tell) {
      const range = figure?.model.x_range;
      // Only of the reader's moves: one that follows another figure would lead it back.
      range?.change.connect(() => figure.moved && tell(range.start, range.end));
    },
    look(start, end) {
      if (figure) followWindow(figure, start, end);
    },
    zoom(factor) {
      moving((start, end) => {
        const [middle, half] = [(start + end) / 2, (end - start) / 2 / factor];
        return [middle - half, middle + half];
      });
    },
    pan(fraction) {
      moving((start, end) => [start, end].map((time) => time + fraction * (end - start)));
    },
    fit() {
      const bounds = figure.model.x_range.bounds;
      if (bounds) moveWindow(figure, ...bounds);
    },
  };
}
