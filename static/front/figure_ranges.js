// Ranges of the figures: those of a view, those the reader has moved, and rest.

const SETTLE_MS = 600; // after the last move of a slider its axes may shrink again
const WINDOW_MOVE_MS = 60; // at most so often does a pan ask for finer marks

/** Set a range whose new place may lie outside of its old bounds. */
function setRange(range, { start, end, bounds }) {
  if (bounds !== undefined) range.setv({ bounds: null });
  range.setv({ start, end });
  if (bounds !== undefined) range.setv({ bounds });
}

/**
 * Give a figure the ranges of a view. Those of a frame that is shown already stay as
 * the reader has moved them; while a slider is held, axes grow and don't shrink. A view
 * without ranges leaves them as they are.
 */
export function applyRanges(figure, state, isHeld) {
  if (state.ranges === undefined) return;
  if (state.frame !== undefined && state.frame === figure.frame) return;
  figure.frame = state.frame ?? null;
  figure.wanted = state.ranges;
  figure.moved = false; // by the reader: what is set here needs no answer
  for (const [name, wanted] of Object.entries(figure.wanted)) {
    const range = name === `${figure.model.name}_x`
      ? figure.model.x_range
      : figure.doc.get_model_by_name(name);
    if (range) setRange(range, isHeld ? { ...wanted, end: Math.max(range.end, wanted.end) } : wanted);
  }
  figure.moved = true;
}

/**
 * `widened(view)`: its figures, whose time axis ends where it did while the answer was
 * covered, or later: so nothing moves when that is revealed. The axes are their own again
 * once `keyOf(view)`, the step, is another; that of a recording stays as it was moved.
 */
export function createHeldAxes(keyOf) {
  let held = null; // {key, figures} of the last covered view

  function widened({ figures, covered }, name) {
    const [axis, was] = [figures[name], covered[name]].map((one) => one?.ranges?.[`${name}_x`]);
    if (!axis || !was || was.start !== axis.start || was.end <= axis.end) return figures[name];
    return {
      ...figures[name],
      frame: covered[name].frame,
      ranges: { ...figures[name].ranges, [`${name}_x`]: was },
    };
  }
  return (view) => {
    const key = keyOf(view);
    if (view.covered) held = { key, figures: view.figures };
    else if (held?.key !== key || view.figures?.against) held = null;
    if (view.covered || !held) return view.figures;
    const covered = held.figures;
    const names = Object.keys(covered).filter((name) => view.figures[name]);
    const own = names.map((name) => [name, widened({ figures: view.figures, covered }, name)]);
    return { ...view.figures, ...Object.fromEntries(own) };
  };
}

/** Knows whether a slider in `root` is being moved; `onRest()` when it isn't any more. */
export function watchSliders(root, onRest) {
  let isPressed = false;
  let timer = 0;
  let isHeld = false;
  const isSlider = (event) => event.composedPath()[0]?.type === "range";
  const rest = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (isPressed) return;
      isHeld = false;
      onRest();
    }, SETTLE_MS);
  };
  const press = (event) => {
    if (!isSlider(event)) return;
    isPressed = isHeld = true;
  };
  const move = (event) => {
    if (!isSlider(event)) return;
    isHeld = true;
    rest();
  };
  const release = () => {
    if (!isPressed) return;
    isPressed = false;
    rest();
  };
  const listeners = [
    [root, "pointerdown", press], [root, "input", move],
    [window, "pointerup", release], [window, "pointercancel", release],
  ];
  for (const [target, type, listener] of listeners) target.addEventListener(type, listener);
  return {
    isHeld: () => isHeld,
    destroy() {
      clearTimeout(timer);
      for (const [target, type, listener] of listeners) {
        target.removeEventListener(type, listener);
      }
    },
  };
}

/** Tells where a figure is looked at after the reader moved it, and what to redraw. */
export function watchWindow(figure, redraw, tell) {
  const range = figure.model.x_range;
  let timer = null;
  range.change.connect(() => {
    redraw();
    if (!figure.moved) return;
    timer ??= setTimeout(() => {
      timer = null;
      tell({ start: range.start, end: range.end });
    }, WINDOW_MOVE_MS);
  });
}

/** Look at what another figure looks at; the reader moved that one, so nobody is told. */
export function followWindow(figure, start, end) {
  const { x_range: range } = figure.model;
  if (range.start === start && range.end === end) return;
  figure.moved = false;
  moveWindow(figure, start, end);
  figure.moved = true;
}

/** Look at another part, no further than the bounds. */
export function moveWindow({ model: { x_range: range } }, start, end) {
  const [low, high] = range.bounds ?? [-Infinity, Infinity];
  const width = Math.min(Math.max(end - start, range.min_interval ?? 0), high - low);
  const from = Math.min(Math.max(start, low), high - width);
  range.setv({ start: from, end: from + width });
}
