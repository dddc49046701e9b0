// The curve over bucket sizes and the map over bucket size and link: pictures that move
// the point, and the tables that say the same.

import { createChoice, wordedOptions } from "./choices.js";
import { make, setText } from "./elements.js";
import { createMapTable, createSizesTable } from "./landscape_tables.js";
import { perUnit } from "./measures.js";
import { createPad, createPoint, nearestStop, nextStop } from "./pads.js";
import { createLegend } from "./pictures.js";
import { digits } from "./quantities.js";
import { bestText, coveredPadTexts, curveTexts, isSlowed, mapTexts } from "./sentences.js";

const AXES = ["bandwidth", "overhead"];

/** The curve. `show(view)` draws it; `pick({x})` takes the bucket size at a place of it. */
export function createCurve(config, context) {
  const { words, id, outbox } = context;
  const best = make("p", { class: "overlap-hint" });
  const table = createSizesTable(context);
  const { at, follow, move } = createPoint(outbox);
  let [most, least] = [1, 1]; // layers, and those of the best size
  const go = (size) => move("bucket", Math.min(Math.max(Math.round(size), 1), most));
  const [less, more] = [() => go(at.bucket - 1), () => go(at.bucket + 1)];
  const pad = createPad("curve", {
    ArrowLeft: less, ArrowDown: less, ArrowRight: more, ArrowUp: more,
    Home: () => go(1), End: () => go(most), m: () => go(least),
  }, context);
  const title = make("h2", { id: id("curve-title") }, words("curve.title"));
  const legend = createLegend(words, ["tails", "floor", "best_plan", "named_plan"]);
  const list = (state) =>
    legend.show({ named_plan: state.plan !== "layers", best_plan: !isSlowed(state) });
  return {
    element: make("section", { class: "overlap-curve", "aria-labelledby": title.id },
      title, legend.element, pad.element, best),
    table: table.element,
    canvas: pad.canvas,
    pick: ({ x }) => go(x),
    show(view) {
      const { state, explore, sweep: { sizes } } = view;
      follow(state);
      [most, least] = [sizes.bucket.length, explore.numbers.best_bucket];
      pad.cover(null);
      pad.show({ now: state.bucket, most, ...curveTexts(words, config, view) });
      list(state);
      setText(best, bestText(words, state, explore.numbers));
      table.show(sizes);
    },
    /** The same without any tail: the point moves on, and M leads nowhere. */
    cover(view) {
      follow(view.state);
      list(view.state);
      [most, least] = [view.controls.bucket.max, at.bucket];
      pad.cover(words("predict.hidden"));
      pad.show({ now: at.bucket, most, ...coveredPadTexts(words, config, view) });
      setText(best, "");
    },
  };
}

/** The map. `pick({x, y})` takes the size of the row and the stop at a place of it. */
export function createMap(config, context) {
  const { words, id, outbox } = context;
  const stops = Object.fromEntries(config.controls.map(({ key, stops: all }) => [key, all]));
  const axis = createChoice("axis", wordedOptions(words, "axis_over", AXES), context);
  const table = createMapTable(context);
  const { at, follow, move } = createPoint(outbox);
  let [key, sizes, least, isSize] = ["bandwidth", [1], 1, true];
  const along = (way) => move(key, nextStop(stops[key], at[key], way));
  const rows = (way) => move("bucket", nextStop(sizes, at.bucket, way));
  const pad = createPad("map", {
    ArrowLeft: () => along(-1), ArrowRight: () => along(1),
    ArrowDown: () => rows(-1), ArrowUp: () => rows(1), m: () => move("bucket", least),
    Home: () => move(key, stops[key][0]), End: () => move(key, stops[key].at(-1)),
  }, context);
  const title = make("h2", { id: id("map-title") }, words("map.title"));
  return {
    element: make("section", { class: "overlap-map", "aria-labelledby": title.id },
      make("div", { class: "overlap-above" }, title, axis.element),
      createLevels(config.levels, context), pad.element),
    table: table.element,
    canvas: pad.canvas,
    pick({ x, y }) {
      const row = Math.min(Math.max(Math.round(y), 1), sizes.length);
      const size = sizes[row - 1];
      if (size !== at.bucket || !isSize) move("bucket", size);
      move(key, nearestStop(stops[key], x * perUnit(key)));
    },
    show({ state, explore, map }) {
      follow(state);
      [key, sizes, least] = [state.axis, map.table.bucket, explore.numbers.best_bucket];
      isSize = state.plan === "layers";
      axis.show(state);
      const most = sizes.at(-1);
      pad.cover(null);
      pad.show({ now: state.bucket, most, ...mapTexts(words, config, state, explore) });
      table.show(map.table);
    },
    cover(view) {
      const { state } = view;
      follow(state);
      [key, sizes, least, isSize] = [state.axis, [at.bucket], at.bucket, true];
      axis.show(state);
      pad.cover(words("predict.hidden"));
      pad.show({ now: at.bucket, most: view.controls.bucket.max, ...coveredPadTexts(words, config, view) });
    },
  };
}

/** What the shades of the map stand for: shares of the pass, each up to its number. */
function createLevels(levels, { words, id }) {
  const title = make("p", { id: id("levels"), class: "overlap-hint" }, words("level.title"));
  const texts = [...levels.map((level) => digits(100 * level)), words("level.more")];
  const entries = texts.map((text, level) => {
    const shade = make("span", { class: "overlap-shade" });
    shade.style.background = `var(--overlap-level_${level})`;
    return make("li", {}, shade, text);
  });
  return make("div", { class: "overlap-scale" }, title,
    make("ul", { class: "overlap-levels", "aria-labelledby": title.id }, ...entries));
}
