// The curve and the map as controls: a click, or the arrow keys, move the point.

import { make } from "./elements.js";

const ALIKE = 1e-9;

/**
 * A figure that takes the focus. `keys` are actions by the name of the key; what else is
 * pressed goes to the page. `label` says what the figure is, `hint` how it is moved.
 */
export function createPad(figure, { label, hint, keys }, { id }) {
  const told = make("p", { id: id(`${figure.name}-keys`), class: "overlap-keys" }, hint);
  const element = make(
    "div",
    {
      class: "overlap-pad", role: "application", tabindex: 0,
      "aria-label": label, "aria-describedby": told.id, keydown: press,
    },
    figure.element,
    told,
  );
  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
  return { element };
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
