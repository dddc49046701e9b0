// The figures as the front has them: they may come later than the first view.

import { joined } from "./figure_waits.js";
import { embedFigures } from "./figures.js";

const ZOOM = 2;
const PAN = 0.5;
const PAINT_MS = 300; // a page that nobody sees has no frames to wait for

/**
 * Embeds the figures and gives them what they were told meanwhile; `pick` hears clicks into
 * those that are controls, and `look` which part of a recorded step is looked at. `ready` is
 * kept once they are drawn, or can't be.
 */
export function createFigures(items, places, { words, outbox, notices }, colourOf, told) {
  let embedded = null;
  let waiting = null;
  let isGone = false;

  function start(figures) {
    if (isGone) {
      figures.destroy();
      return;
    }
    embedded = figures;
    embedded.paint(colourOf);
    if (waiting) embedded.apply(waiting);
    embedded.onPick(told.pick);
    embedded.onLook(told.look);
    embedded.onWindow(({ start: start_ms, end: end_ms }) => outbox.postLatest("window",
      { type: "window", start_s: start_ms / 1e3, end_s: end_ms / 1e3 }));
  }
  const failed = () => notices.tell({ key: "error.figures", values: {} });
  return {
    ready: embedFigures(items, places, words).then(start).catch(failed).then(painted),
    apply(states) {
      waiting = joined(waiting ?? {}, states);
      embedded?.apply(states);
    },
    refit() {
      if (!waiting || !embedded) return;
      embedded.apply(waiting);
      embedded.flush(); // also what is out of view
    },
    /** No marks are left in any figure that isn't among `kept`, and no card is open. */
    clear(kept) {
      embedded?.dismiss();
      const others = Object.entries(waiting ?? {}).filter(([name]) => !kept.includes(name));
      const empty = others.map(([name, { sources }]) => [name, { sources: emptySources(sources) }]);
      this.apply(Object.fromEntries(empty));
    },
    forget: () => embedded?.forget(),
    paint: (colour) => embedded?.paint(colour),
    look: (start_ms, end_ms) => embedded?.look(start_ms, end_ms),
    navigate: (way) => embedded && navigateFigure(embedded, way),
    destroy() {
      isGone = true;
      embedded?.destroy();
    },
  };
}

function emptySources(sources) {
  const empty = (columns) => Object.fromEntries(Object.keys(columns).map((key) => [key, []]));
  return Object.fromEntries(Object.entries(sources).map(([name, columns]) => [name, empty(columns)]));
}

/** The next frame has been painted, where frames are. */
function painted() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
    setTimeout(resolve, PAINT_MS);
  });
}

function navigateFigure(figures, way) {
  if (way === "fit") figures.fit();
  else if (way === "in" || way === "out") figures.zoom(way === "in" ? ZOOM : 1 / ZOOM);
  else figures.pan(way === "later" ? PAN : -PAN);
}
