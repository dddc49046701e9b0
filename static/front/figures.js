// The Bokeh figures: embeds their JSON, fills their sources, paints their roles.
// A figure lives in a document of its own on this page only; nothing of it goes back
// to a server.

const CHARACTER_PX = 7.2; // of 12 px digits and letters, on the safe side
const NOTE_CHARACTER_PX = 8.5; // of notes, some of them larger and bold
const WINDOW_MOVE_MS = 60; // at most so often does a pan ask for finer marks

const cardStyle = (colorOf) => `
  :host {
    max-width: min(26rem, 46vw);
    padding: 6px 8px;
    border: 1px solid ${colorOf("axis")};
    border-radius: 4px;
    background: ${colorOf("panel")};
    color: ${colorOf("text")};
    font: 13px/1.4 system-ui, sans-serif;
    overflow-wrap: anywhere;
    opacity: 1;
  }
  .bk-tooltip-row-label {
    padding-right: 8px;
    color: ${colorOf("muted")};
    text-align: left;
    overflow-wrap: normal;
  }`;

// Cards of the hover tool in the widget's colours, and never wider than half a phone.
// They may hang outside of the widget, where its variables don't reach.
function styleCards(view, colorOf) {
  for (const tool of view.tool_views.values()) {
    for (const card of tool.ttmodels?.values() ?? []) card.stylesheets = [cardStyle(colorOf)];
  }
}

async function bokehLoaded() {
  while (globalThis.Bokeh?.embed === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return globalThis.Bokeh;
}

async function embedFigure(item, element) {
  const Bokeh = await bokehLoaded();
  // A copy with a target of its own: the same item may stand on a page twice.
  const views = await Bokeh.embed.embed_item(structuredClone(item), element);
  const view = views.roots[0];
  const events = view.canvas_view.events_el;
  events.removeAttribute("tabindex"); // sliders, table and summary say all of it
  events.setAttribute("aria-hidden", "true");
  events.style.touchAction = "pan-y pinch-zoom"; // a vertical swipe scrolls the page
  return { view, model: view.model, doc: view.model.document, frame: null, columns: {} };
}

function figurePixelsPerUnit(figure) {
  const range = figure.model.x_range;
  const width = figure.view.frame?.bbox?.width || figure.view.el.clientWidth;
  return width / (range.end - range.start || 1);
}

function endingNotes(columns, fits) {
  return {
    ...columns,
    x: columns.x.map((x, row) => (fits[row] ? x : columns.end[row])),
    align: fits.map((fit) => (fit ? "left" : "right")),
  };
}

// Labels that are wider than their room are left out. All of a lane get the room of
// its longest, so that a row of equal bars has all of its labels or none. A note is
// never left out: it moves to where it must end instead.
function fittingTexts(columns, pixelsPerUnit) {
  const longest = Math.max(0, ...columns.text.map((text) => text.length));
  const needed = (columns.end ? NOTE_CHARACTER_PX : CHARACTER_PX) * longest + 4;
  const fits = columns.room.map((room) => room * pixelsPerUnit >= needed);
  if (columns.end) return endingNotes(columns, fits);
  return { ...columns, text: columns.text.map((text, row) => (fits[row] ? text : "")) };
}

// `name` may be an index into a list of names that the rows share.
function withNames(columns, names) {
  if (names === undefined || columns.name === undefined) return columns;
  return { ...columns, name: columns.name.map((index) => names[index]) };
}

function fillSource(figure, name, columns) {
  const source = figure.doc.get_model_by_name(name);
  if (source === null) return;
  const shown = columns.room ? fittingTexts(columns, figurePixelsPerUnit(figure)) : columns;
  source.data = shown;
}

function refitTexts(figure) {
  for (const [name, columns] of Object.entries(figure.columns)) {
    if (columns.room) fillSource(figure, name, columns);
  }
}

// Ranges of a frame that is already shown stay as the reader has moved them.
function applyRanges(figure, state) {
  if (state.frame !== undefined && state.frame === figure.frame) return;
  figure.frame = state.frame ?? null;
  figure.moved = false; // by the reader: what is set here needs no answer
  for (const [name, range] of Object.entries(state.ranges ?? {})) {
    const model = name === `${figure.model.name}_x`
      ? figure.model.x_range
      : figure.doc.get_model_by_name(name);
    model?.setv(range);
  }
  figure.moved = true;
}

function applyFigure(figure, state) {
  for (const [name, properties] of Object.entries(state.props ?? {})) {
    const model = name === figure.model.name ? figure.model : figure.doc.get_model_by_name(name);
    model?.setv(properties);
  }
  applyRanges(figure, state);
  for (const [name, columns] of Object.entries(state.sources ?? {})) {
    figure.columns[name] = withNames(columns, state.names);
    fillSource(figure, name, figure.columns[name]);
  }
  keepCaptions(figure);
}

// Names of lanes stay at the left edge while the time axis moves.
function keepCaptions(figure) {
  const captions = figure.columns.captions;
  if (captions === undefined) return;
  const x = captions.text.map(() => figure.model.x_range.start);
  figure.doc.get_model_by_name("captions").data = { ...captions, x };
}

function paintFigure(figure, colorOf) {
  styleCards(figure.view, colorOf);
  for (const model of figure.doc._all_models.values()) {
    const painted = {};
    for (const tag of model.tags ?? []) {
      const [property, role] = String(tag).split("=");
      if (role) painted[property] = property in model && model[property]?.value !== undefined
        ? { value: colorOf(role) }
        : colorOf(role);
    }
    if (Object.keys(painted).length) model.setv(painted);
  }
}

// Tells where a figure is looked at, at most every WINDOW_MOVE_MS and at last.
function watchWindow(figure, tell) {
  const range = figure.model.x_range;
  let timer = null;
  const soon = () => {
    keepCaptions(figure);
    refitTexts(figure);
    if (!figure.moved) return;
    timer ??= setTimeout(() => {
      timer = null;
      tell({ start: range.start, end: range.end });
    }, WINDOW_MOVE_MS);
  };
  range.change.connect(soon);
}

function moveWindow(figure, start, end) {
  const range = figure.model.x_range;
  const [low, high] = range.bounds ?? [-Infinity, Infinity];
  const width = Math.min(end - start, high - low);
  const from = Math.min(Math.max(start, low), high - width);
  range.setv({ start: from, end: from + width });
}

export async function embedFigures(items, elements) {
  const figures = {};
  for (const [name, element] of Object.entries(elements)) {
    if (element) figures[name] = await embedFigure(items[name], element);
  }
  const resized = new ResizeObserver(() => Object.values(figures).forEach(refitTexts));
  Object.values(elements).forEach((element) => element && resized.observe(element));
  const moving = (change) => {
    const { start, end } = figures.recording.model.x_range;
    moveWindow(figures.recording, ...change(start, end));
  };
  return {
    apply(states) {
      for (const [name, state] of Object.entries(states)) {
        if (figures[name] && state) applyFigure(figures[name], state);
      }
    },
    paint(colorOf) {
      Object.values(figures).forEach((figure) => paintFigure(figure, colorOf));
    },
    onWindow(tell) {
      if (figures.recording) watchWindow(figures.recording, tell);
    },
    zoom(factor) {
      moving((start, end) => {
        const [middle, half] = [(start + end) / 2, ((end - start) / 2) / factor];
        return [middle - half, middle + half];
      });
    },
    pan(fraction) {
      moving((start, end) => [start, end].map((time) => time + fraction * (end - start)));
    },
    fit() {
      const bounds = figures.recording.model.x_range.bounds;
      if (bounds) moveWindow(figures.recording, ...bounds);
    },
    destroy() {
      resized.disconnect();
      Object.values(figures).forEach(({ view }) => view.remove());
    },
  };
}
