// The curve over bucket sizes and the map over bucket size and link: pictures that move
// the point, and the tables that say the same.

import { createChoice, wordedOptions } from "./choices.js";
import { make, setText } from "./elements.js";
import { controlText, perUnit } from "./measures.js";
import { createPad, nearestStop, nextStop } from "./pads.js";
import { createFigure, createLegend } from "./pictures.js";
import { millisecondTexts, percentText, timeText } from "./quantities.js";
import { curveText, mapText } from "./sentences.js";
import { createTable, rowsOfColumns } from "./tables.js";

const AXES = ["bandwidth", "overhead"];
const PARTS = ["tail_s", "queued_s", "overhead_s", "wire_s"];

/** The curve. `show(view)` draws it; `pick({x})` takes the bucket size at a place of it. */
export function createCurve(context) {
  const { words, id, outbox } = context;
  const figure = createFigure("curve", context);
  const best = make("p", { class: "overlap-hint" });
  const table = createSizesTable(words);
  let now = null;
  const go = (size) => outbox.set("bucket", Math.min(Math.max(Math.round(size), 1), now.most));
  const keys = {
    ArrowLeft: () => go(now.bucket - 1), ArrowDown: () => go(now.bucket - 1),
    ArrowRight: () => go(now.bucket + 1), ArrowUp: () => go(now.bucket + 1),
    Home: () => go(1), End: () => go(now.most), m: () => go(now.best),
  };
  const [label, hint] = [words("pad.curve"), words("pad.curve.hint")];
  const pad = createPad(figure, { label, hint, keys }, context);
  const title = make("h2", { id: id("curve-title") }, words("curve.title"));
  const legend = createLegend(words, ["tails", "floor", "best_plan"]);
  return {
    element: make("section", { class: "overlap-curve", "aria-labelledby": title.id },
      title, legend.element, pad.element, best),
    table: table.element,
    canvas: figure.canvas,
    pick: ({ x }) => go(x),
    show({ state, explore: { numbers, sizes } }) {
      now = { bucket: state.bucket, most: sizes.bucket.length, best: numbers.best_bucket };
      figure.describe(curveText(words, "summary.curve", numbers));
      setText(best, curveText(words, "curve.best", numbers));
      table.show(sizes);
    },
  };
}

/** The map. `stops` are those of bandwidth and overhead, `levels` the shares of a level. */
export function createMap(stops, levels, context) {
  const { words, id, outbox } = context;
  const figure = createFigure("map", context);
  const axis = createChoice("axis", wordedOptions(words, "axis_over", AXES), context);
  const tables = createMapTables(words);
  let now = null;
  const size = (step) => go(now.state.bucket + step);
  const go = (bucket) => outbox.set("bucket", Math.min(Math.max(Math.round(bucket), 1), now.most));
  const along = (way) => {
    const key = now.state.axis;
    outbox.set(key, nextStop(stops[key], now.state[key], way));
  };
  const keys = {
    ArrowLeft: () => along(-1), ArrowRight: () => along(1),
    ArrowDown: () => size(-1), ArrowUp: () => size(1), m: () => go(now.best),
  };
  const [label, hint] = [words("pad.map"), words("pad.map.hint")];
  const pad = createPad(figure, { label, hint, keys }, context);
  const title = make("h2", { id: id("map-title") }, words("map.title"));
  return {
    element: make("section", { class: "overlap-map", "aria-labelledby": title.id },
      make("div", { class: "overlap-above" }, title, axis.element),
      createLevels(words, levels), pad.element),
    table: tables.element,
    canvas: figure.canvas,
    pick({ x, y }) {
      const key = now.state.axis;
      go(y);
      outbox.set(key, nearestStop(stops[key], x * perUnit(key)));
    },
    show({ state, explore }) {
      now = { state, most: explore.sizes.bucket.length, best: explore.numbers.best_bucket };
      axis.show(state);
      figure.describe(mapText(words, state, explore));
      tables.show(explore.map);
    },
  };
}

/** What the shades of the map stand for: shares of the pass. */
function createLevels(words, levels) {
  const texts = levels.map((level, at) =>
    words(at ? "level.between" : "level.below", { low: percentText(levels[at - 1] ?? 0), high: percentText(level) }));
  texts.push(words("level.above", { low: percentText(levels.at(-1)) }));
  const entries = texts.map((text, at) => {
    const swatch = make("span", { class: "overlap-swatch overlap-swatch-level" });
    swatch.style.setProperty("--overlap-level", at / levels.length);
    return make("li", {}, swatch, text);
  });
  return make("div", { class: "overlap-levels" },
    make("p", { class: "overlap-hint" }, words("level.title")),
    make("ul", { class: "overlap-legend", "aria-label": words("level.title") }, ...entries));
}

function createSizesTable(words) {
  const columns = ["bucket_size", "transfers", "tail", "queued", "overhead", "wire"];
  const kinds = columns.map((key) => [words(`column.${key}`), "number"]);
  const table = createTable(words("table.sizes"), [...kinds, [words("column.regime"), "text"]]);
  return {
    element: table.element,
    show(sizes) {
      const regimes = () => sizes.regime.map((name) => words(`short.${name}`));
      table.show(() => rowsOfColumns(sizes.bucket.map(String), sizes.transfers.map(String),
        ...PARTS.map((key) => millisecondTexts(sizes[key])), regimes()));
    },
  };
}

/** A table for each axis, made when its values are known; the other one is hidden. */
function createMapTables(words) {
  const element = make("div", { class: "overlap-tables" });
  const made = new Map();

  function tableOf({ axis, values }) {
    if (!made.has(axis)) {
      const heads = values.map((value) => [controlText(words, axis, value), "text"]);
      const table = createTable(words(`table.map.${axis}`), [[words("column.bucket_size"), "number"], ...heads]);
      made.set(axis, table);
      element.append(table.element);
    }
    return made.get(axis);
  }
  return {
    element,
    show(map) {
      const shown = tableOf(map);
      for (const table of made.values()) table.element.hidden = table !== shown;
      shown.show(() => map.bucket.map((size, row) => [String(size), ...map.tail_s[row].map(
        (tail_s, at) => `${timeText(tail_s)}, ${words(`short.${map.regime[row][at]}`)}`)]));
    },
  };
}
