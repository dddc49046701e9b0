// The figures as the front has them: they may come later than the first view.

import { joined } from "./figure_waits.js";
import { embedFigures } from "./figures.js";

const ZOOM = 2;
const PAN = 0.5;
const ANSWER_MS = 1000;
const PAINT_MS = 300; // a page that nobody sees has no frames to wait for

/**
 * Embeds the figures, first the one that is in view, and gives them what they were told
 * meanwhile; `pick` hears clicks into those that are controls, and `look` which part of a
 * recorded step is looked at. `first` is kept once that one is drawn, `ready` once all are,
 * or can't be.
 */
export function createFigures(items, places, { words, outbox, notices }, colourOf, told) {
  const embedded = []; // in groups: each figure is in one of them
  let waiting = null;
  let isGone = false;
  let latestColour = colourOf;
  const each = (act) => embedded.forEach(act);

  function start(figures) {
    if (isGone) {
      figures.destroy();
      return;
    }
    embedded.push(figures);
    figures.paint(latestColour);
    if (waiting) figures.apply(waiting);
    figures.onPick(told.pick);
    figures.onLook(told.look);
    figures.onWindow(({ start: start_ms, end: end_ms }) => outbox.postLatest("window",
      { type: "window", start_s: start_ms / 1e3, end_s: end_ms / 1e3 }));
  }
  const failed = () => notices.tell({ key: "error.figures", values: {} });
  const known = () => ({ states: waiting ?? {}, colourOf: latestColour });
  const inTime = () => atRest(outbox).then(known); // a move is drawn before a figure is made
  const begun = (group, first) => embedFigures(items, group, words, first)
    .then(start).catch(failed).then(painted);
  const groups = Promise.resolve().then(() => inView(places)); // the page has been put together
  const first = groups.then(([seen]) => begun(seen, known));
  return {
    first,
    ready: first.then(() => groups)
      .then(([, others]) => Object.keys(others).length && begun(others, inTime)),
    apply(states) {
      waiting = joined(waiting ?? {}, states);
      each((figures) => figures.apply(states));
    },
    refit() {
      if (!waiting) return;
      each((figures) => figures.apply(waiting));
      each((figures) => figures.flush()); // also what is out of view
    },
    /** No marks are left in any figure that isn't among `kept`, and no card is open. */
    clear(kept) {
      each((figures) => figures.dismiss());
      const others = Object.entries(waiting ?? {}).filter(([name]) => !kept.includes(name));
      const empty = others.map(([name, { sources }]) => [name, { sources: emptySources(sources) }]);
      this.apply(Object.fromEntries(empty));
    },
    forget: () => each((figures) => figures.forget()),
    paint(colour) {
      latestColour = colour;
      each((figures) => figures.paint(colour));
    },
    look: (start_ms, end_ms) => each((figures) => figures.look(start_ms, end_ms)),
    navigate: (way) => each((figures) => figures.hasWindow && navigateFigure(figures, way)),
    destroy() {
      isGone = true;
      each((figures) => figures.destroy());
    },
  };
}

/** The places of the first figure that is in view, and those of all others. */
function inView(places) {
  const all = Object.entries(places).filter(([, place]) => place);
  const [first] = all.find(([, place]) => place.getClientRects().length) ?? all[0];
  const { [first]: seen, ...others } = Object.fromEntries(all);
  return [{ [first]: seen }, others];
}

function emptySources(sources) {
  const empty = (columns) => Object.fromEntries(Object.keys(columns).map((key) => [key, []]));
  return Object.fromEntries(Object.entries(sources).map(([name, columns]) => [name, empty(columns)]));
}

/** What was drawn is in the frame that is painted next, where frames are. */
function painted() {
  return new Promise((resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, PAINT_MS);
  });
}

/** No move has come, or is still to be answered and drawn, unless that takes long. */
async function atRest(outbox) {
  const until = performance.now() + ANSWER_MS;
  do await painted(); while (!outbox.isIdle() && performance.now() < until);
}

function navigateFigure(figures, way) {
  if (way === "fit") figures.fit();
  else if (way === "in" || way === "out") figures.zoom(way === "in" ? ZOOM : 1 / ZOOM);
  else figures.pan(way === "later" ? PAN : -PAN);
}
