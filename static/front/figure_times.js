// Which moment of its time axis a figure shows at a place of the window.

import { viewIn } from "./figure_views.js";

/** In the axis' own unit, and within what it shows; NaN where nothing is drawn. */
export function timeAt(place, clientX) {
  const view = viewIn(place);
  if (!view) return NaN;
  const { left } = view.canvas_view.events_el.getBoundingClientRect();
  const { bbox, x_scale } = view.frame;
  return x_scale.invert(Math.min(Math.max(clientX - left, bbox.left), bbox.right));
}
