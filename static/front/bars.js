// The bars of a figure one by one, by keyboard. The cursor is a slider: one element however
// many bars there are, whose value in words is heard once with each move, and which arrow
// keys reach in every screen reader.

import { createCursor } from "./bars_cursor.js";
import { createPicture } from "./bars_figure.js";
import { barAgain, barBeside, barNear, CAPTIONED, exposedBars, firstBar, lanesOfBars } from "./bars_lanes.js";
import { barCard, barText } from "./bars_said.js";

const PAGE = 10; // bars, of Page Up and Page Down

/**
 * The cursor over a figure of `createFigure`, whose columns are of the kind "lanes" or
 * "recording". `know` takes what is said beyond the columns: {transfers, exposed_s}.
 */
export function createBars(name, kind, figure, context) {
  const { words, announcer } = context;
  const picture = createPicture(figure.canvas, refresh);
  const cursor = createCursor(name, { keydown: press, focus: come, blur: rest }, context);
  let known = {};
  let lanes = [];
  let at = null; // {lane, bar, time, isNew}: where the cursor is, or was
  let [isIn, isFocused] = [false, false];

  function go(found, time) {
    if (!found?.bar) return;
    const isNew = !isIn || found.lane.key !== at.lane.key; // its name is to be said
    at = { ...found, time: time ?? (found.bar.left + found.bar.right) / 2, isNew };
    isIn = true;
    picture.bringIntoView(at.bar);
    draw();
    cursor.reveal();
  }
  function enter() {
    const { start, end } = picture.view().model.x_range;
    const isSeen = at && at.bar.right >= start && at.bar.left <= end;
    go(isSeen ? at : firstBar(lanes, { start, end }));
  }
  function leave() {
    isIn = false;
    draw();
  }
  const inLane = (bar) => go({ lane: at.lane, bar });
  const along = (way) => inLane(barBeside(at.lane.bars, at.bar, way));
  function jump(way) {
    const { bars } = at.lane;
    const beside = bars.indexOf(barBeside(bars, at.bar, way));
    if (beside >= 0) inLane(bars[Math.min(Math.max(beside + way * (PAGE - 1), 0), bars.length - 1)]);
  }
  function across(way) {
    const lane = lanes[lanes.findIndex(({ key }) => key === at.lane.key) + way];
    if (lane) go({ lane, bar: barNear(lane.bars, at.time) }, at.time);
  }
  function goExposed() {
    const all = exposedBars(kind, lanes, picture.dataOf);
    const isHere = ({ bar: { source, row } }) => isIn && source === at.bar.source && row === at.bar.row;
    if (all.length) go(all[(all.findIndex(isHere) + 1) % all.length]);
    else announcer.note(words("bars.none_exposed"));
  }
  const moves = {
    ArrowLeft: () => along(-1), ArrowRight: () => along(1),
    ArrowUp: () => across(-1), ArrowDown: () => across(1),
    PageUp: () => jump(1), PageDown: () => jump(-1),
    Home: () => inLane(at.lane.bars[0]), End: () => inLane(at.lane.bars.at(-1)),
    Enter() {}, " "() {}, e: goExposed,
  };
  function press(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const isOurs = key === "Escape" ? isIn : moves[key] && lanes.length > 0;
    if (!isOurs || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (key === "Escape") leave();
    else if (isIn || key === "e") moves[key]();
    else enter();
  }
  function come() {
    isFocused = true;
    picture.watch();
    refresh();
  }
  function rest() {
    isFocused = false;
    picture.rest();
    draw();
  }
  /** The figure draws other columns, or the same ones elsewhere. */
  function refresh() {
    if (!isFocused) return;
    lanes = picture.view() ? lanesOfBars(kind, picture.dataOf) : [];
    const again = at && barAgain(kind, lanes, at, picture.dataOf);
    at = again ? { ...at, ...again } : null;
    isIn &&= Boolean(at);
    draw();
  }
  function draw() {
    const bars = isIn ? at.lane.bars : [];
    const place = bars.indexOf(at?.bar);
    const now = place >= 0 ? place : bars.findLastIndex(({ left }) => left <= at.bar.left);
    cursor.show(bars.length, isIn ? now + 1 : 0, isIn ? textOf(at) : words("bars.none"));
    const box = isIn && isFocused && picture.boxOf(at.bar);
    cursor.place(box || null, box ? barCard(picture.view(), at.bar, picture.dataOf(at.bar.source)) : []);
  }
  function textOf(found) {
    const said = barText(words, kind, found, picture.dataOf, { ...known, isWhole: picture.isWhole() });
    const name = kind === "recording" && found.isNew && CAPTIONED.includes(found.lane.source)
      ? picture.captionOver(found.lane.y) : "";
    return name ? words("bars.in_lane", { name, said }) : said;
  }
  figure.element.classList.add("overlap-under");
  figure.element.append(cursor.element);
  draw();
  return {
    know(facts) {
      known = facts;
      if (isIn) draw();
    },
    /** Nothing is said any more of the bars that were there; `facts` are of those to come. */
    forget(facts) {
      known = facts;
      at = null;
      leave();
    },
  };
}
