// Figures that most pages never show: each is embedded with the first state it gets, so
// that a page without it opens as quickly as before.

import { createFigures } from "./late_figures.js";

/**
 * As `createFigures`, for the figures of `places`, each on its own. `told` are its `pick`
 * and `look`: what hears a click into one of them, and where one is looked at.
 */
export function createRareFigures(items, places, context, colourOf, told) {
  const made = new Map();
  let latestColour = colourOf;

  function madeOf(name) {
    if (!made.has(name)) {
      const own = createFigures(items, { [name]: places[name] }, context, latestColour, told);
      made.set(name, own);
    }
    return made.get(name);
  }
  return {
    apply(states) {
      for (const name of Object.keys(places)) {
        if (states[name]) madeOf(name).apply({ [name]: states[name] });
      }
    },
    /** The figure isn't shown any more; it begins anew where it is again. */
    forget: (name) => made.get(name)?.forget(),
    /** All figures go, with what they show. */
    drop() {
      made.forEach((one) => one.destroy());
      made.clear();
    },
    refit: () => made.forEach((one) => one.refit()),
    paint(colour) {
      latestColour = colour;
      made.forEach((one) => one.paint(colour));
    },
    /** Kept once those that are embedded are drawn. */
    ready: () => Promise.all([...made.values()].map((one) => one.ready)),
    look: (start_ms, end_ms) => made.forEach((one) => one.look(start_ms, end_ms)),
    destroy: () => made.forEach((one) => one.destroy()),
  };
}
