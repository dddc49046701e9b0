// What a figure of Bokeh has drawn, for a cursor over its bars: columns, places, changes.

import { moveWindow } from "./figure_ranges.js";
import { viewIn } from "./figure_views.js";

const NO_BARS = { left: [], right: [], bottom: [], top: [] };

/** The figure that is drawn in `place`, if one is; `onChange()` hears once of many changes. */
export function createPicture(place, onChange) {
  let watched = null; // document
  let isTold = true;
  const tell = () => {
    isTold = true;
    onChange();
  };
  const changed = () => {
    if (isTold) queueMicrotask(tell);
    isTold = false;
  };
  const resized = new ResizeObserver(changed);
  const dataOf = (source) =>
    viewIn(place)?.model.document.get_model_by_name(source)?.data ?? NO_BARS;
  return {
    view: () => viewIn(place),
    dataOf,
    /** Listen from now on, and until `rest()`. */
    watch() {
      resized.observe(place);
      const { document: now } = viewIn(place)?.model ?? {};
      if (!now || now === watched) return;
      watched = now;
      watched.on_change(changed);
    },
    rest: () => resized.disconnect(),
    /** The name over the lane that has its top there: the nearest one above. */
    captionOver(y) {
      const { text = [], y: heights = [] } = dataOf("captions");
      const above = Array.from(heights, (height, row) => [height, text[row]]).filter(([height]) => height > y);
      return above.sort(([one], [other]) => one - other)[0]?.[1] ?? "";
    },
    /** Whether all of the axis is in view; else not all bars need be there. */
    isWhole() {
      const { start, end, bounds } = viewIn(place).model.x_range;
      return !bounds || (start <= bounds[0] && end >= bounds[1]);
    },
    /** Where a bar lies in pixels from the corner of `place`; null where it is out of view. */
    boxOf({ left, right, bottom, top }) {
      const { frame, canvas_view: { events_el: events } } = viewIn(place);
      const { x_scale, y_scale, bbox } = frame;
      const [from, to] = [events, place].map((one) => one.getBoundingClientRect());
      const x = [left, right].map((time) => x_scale.compute(time));
      if (x[1] < bbox.left || x[0] > bbox.right) return null;
      const [low, high] = [Math.max(x[0], bbox.left), Math.min(x[1], bbox.right)];
      return {
        left: low + from.left - to.left, width: high - low,
        top: y_scale.compute(top) + from.top - to.top,
        height: y_scale.compute(bottom) - y_scale.compute(top),
      };
    },
    /** Look where a bar lies, where the axis of the figure moves. */
    bringIntoView({ left, right }) {
      const { model } = viewIn(place);
      const { start, end, bounds } = model.x_range;
      const isInside = left >= start && right <= end;
      const isAround = left <= start && right >= end;
      if (!bounds || isInside || isAround) return;
      const from = right - left < end - start ? (left + right - end + start) / 2 : left;
      moveWindow({ model }, from, from + end - start);
    },
  };
}
