// The bars of a recording that are in view, as a table: kernels and what is drawn as one.

import { createPicture } from "./bars_figure.js";
import { CAPTIONED, lanesOfBars } from "./bars_lanes.js";
import { millisecondTexts, wholeText } from "./quantities.js";
import { createTable, rowsOfColumns } from "./tables.js";

const MOST_ROWS = 200;
const VIEW_REST_MS = 150; // after the last move of the axis
const MS_IN_S = 1e3;

/** Follows the figure while it is open, by itself. */
export function createBarsTable(figure, context) {
  const { words } = context;
  const table = createTable("bars", words("table.bars"), [
    [words("column.lane"), "text"], [words("column.name"), "name"],
    ...["kernels", "start", "span"].map((key) => [words(`column.${key}`), "number"]),
  ], context);
  const picture = createPicture(figure.canvas, soon);
  let timer = 0;

  function draw() {
    if (!table.element.open || !picture.view()) return;
    const all = barsInView(picture);
    const listed = columnsOfBars(all.slice(0, MOST_ROWS), picture);
    const values = { shown: wholeText(listed.lane.length), total: wholeText(all.length) };
    table.show(
      () => rowsOfColumns(listed.lane, listed.name, listed.kernels.map(wholeText),
        ...[listed.start_s, listed.length_s].map(millisecondTexts)),
      () => Object.entries(listed),
      all.length > MOST_ROWS ? words("table.first_bars", values) : "",
    );
  }
  function soon() {
    clearTimeout(timer);
    timer = setTimeout(draw, VIEW_REST_MS);
  }
  table.element.addEventListener("toggle", () => {
    if (table.element.open) picture.watch();
    else picture.rest();
    draw();
  });
  return { element: table.element };
}

/** From the highest lane to the lowest, each in the order of time. */
function barsInView(picture) {
  const { start, end } = picture.view().model.x_range;
  return lanesOfBars("recording", picture.dataOf)
    .filter(({ source }) => CAPTIONED.includes(source))
    .flatMap(({ y, bars }) => bars
      .filter(({ left, right }) => right >= start && left <= end)
      .map((bar) => ({ bar, lane: picture.captionOver(y) })));
}

function columnsOfBars(found, picture) {
  const valuesOf = (key) => found.map(({ bar: { source, row } }) => picture.dataOf(source)[key][row]);
  const seconds = (key) => valuesOf(key).map((time_ms) => Number((time_ms / MS_IN_S).toPrecision(15)));
  return {
    lane: found.map(({ lane }) => lane), name: valuesOf("name"), kernels: valuesOf("kernels"),
    start_s: seconds("start"), length_s: seconds("length"),
  };
}
