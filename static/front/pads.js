// The curve and the map as controls: a click, or the arrow keys, move the point.

import { make, setAttribute, setText } from "./elements.js";

const ALIKE = 1e-9;
const MOVED = ["bucket", "bandwidth", "overhead"];
const TELLS = { curve: "bucket tail", map: `${MOVED.join(" ")} tail regime` }; // in its value

/**
 * A picture that is a slider: Bokeh draws into `canvas`. `keys` are actions by the name of
 * the key; what else is pressed goes to the page. `show({now, most, text, summary})` says
 * the count that it stands at, in words, and what the picture shows.
 */
export function createPad(name, keys, { words, id }) {
  const summary = make("p", { id: id(`${name}-summary`), class: "overlap-unseen" });
  const hint = make("p", { id: id(`${name}-keys`), class: "overlap-keys" }, words(`pad.${name}.hint`));
  const canvas = make("div", { class: `overlap-figure overlap-figure-${name}` });
  const slider = make(
    "div",
    {
      class: "overlap-pad", role: "slider", tabindex: 0, "aria-valuemin": 1,
      "data-tells": TELLS[name], "aria-label": words(`pad.${name}`), "aria-describedby": `${summary.id} ${hint.id}`,
      keydown: press,
    },
    canvas,
    hint,
  );
  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
  return {
    element: make("div", {}, summary, slider),
    canvas,
    /** What stands in the place of the picture; null for the picture. */
    cover: (text) => setAttribute(canvas, "data-covered", text),
    show({ now, most, text, summary: sentence }) {
      setAttribute(slider, "aria-valuemax", most);
      setAttribute(slider, "aria-valuenow", now);
      setAttribute(slider, "aria-valuetext", text);
      setText(summary, sentence);
    },
  };
}

/** The point that pads move: ahead of the driver while moves of it are on their way. */
export function createPoint(outbox) {
  const at = {};
  return {
    at,
    move(key, value) {
      at[key] = value;
      outbox.set(key, value);
    },
    follow(state) {
      for (const key of MOVED) if (!(key in at) || outbox.isSettled(key)) at[key] = state[key];
    },
  };
}

/** The stop before or after a value; the value itself where there is none. */
export function nextStop(stops, value, way) {
  const found = way < 0
    ? stops.findLast((stop) => stop < value * (1 - ALIKE))
    : stops.find((stop) => stop > value * (1 + ALIKE));
  return found ?? value;
}

/** The stop that is nearest on a logarithmic axis. */
export function nearestStop(stops, value) {
  const far = (stop) => Math.abs(Math.log(stop / value));
  return stops.filter((stop) => stop > 0).reduce((best, stop) => (far(stop) < far(best) ? stop : best));
}
