// What lies over a figure at places of its own axes, and stays there while it is resized,
// zoomed or drawn anew.

import { make } from "./elements.js";
import { viewIn } from "./figure_views.js";

const STILL_FRAMES = 3; // in which nothing moved: the figure has come to rest

/**
 * A box as large as the frame of the figure that is drawn in `canvas`, from left to right in
 * any language; hidden while nothing is drawn. `onPlace(frame)` hears where the figure is
 * looked at, as {x: place => share, y: place => share, width}, shares of 1 from the upper
 * left; `follow()` begins to look, also after `onPlace` has to be told of something else.
 */
export function createOver(canvas, onPlace, ...children) {
  const element = make("div", { class: "overlap-over", dir: "ltr", hidden: true }, ...children);
  let known = "";
  let still = STILL_FRAMES;
  let ranges = null; // of the figure that is watched

  function look() {
    const box = frameOf(canvas, element.parentElement);
    const key = JSON.stringify(box);
    still = key === known ? still + 1 : 0;
    if (key !== known) place(box);
    known = key;
    if (still < STILL_FRAMES) requestAnimationFrame(look);
  }
  function place(box) {
    element.hidden = !box;
    if (!box) return;
    for (const [name, value_px] of Object.entries(box.inset)) element.style[name] = `${value_px}px`;
    const share = ([start, end]) => (at) => (at - start) / (end - start);
    onPlace({ x: share(box.x), y: share(box.y), width: box.width });
  }
  function follow() {
    const { model } = viewIn(canvas) ?? {};
    if (model && ranges !== model.x_range) {
      ranges = model.x_range;
      ranges.change.connect(follow);
    }
    known = "";
    if (still >= STILL_FRAMES) look();
    else still = 0;
  }
  const resized = new ResizeObserver(follow);
  resized.observe(canvas);
  return { element, follow, destroy: () => resized.disconnect() };
}

/** Where the frame of a figure lies in its host, in pixels, and what is looked at in it. */
function frameOf(canvas, host) {
  const view = viewIn(canvas);
  const bbox = view?.frame?.bbox;
  if (!(bbox?.width > 0) || !host) return null;
  const from = view.canvas_view.events_el.getBoundingClientRect();
  const to = host.getBoundingClientRect();
  if (from.width === 0) return null;
  const { x_range, y_range } = view.model;
  const left = Math.round(from.left - to.left - host.clientLeft + bbox.left);
  const top = Math.round(from.top - to.top - host.clientTop + bbox.top);
  const [width, height] = [bbox.width, bbox.height];
  return {
    inset: { left, top, width, height }, width,
    x: [x_range.start, x_range.end], y: [y_range.end, y_range.start],
  };
}
