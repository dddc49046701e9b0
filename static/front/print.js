// On paper: the figures as drawings as wide as their places there, in light colours.
// Neither repaints in time by itself: the page is printed before its next frame.

import { make } from "./elements.js";
import { viewIn } from "./figure_views.js";

const LEAST_BAR_PX = 0.2; // of a bar without an outline: printers make a line of what is thinner
const TURNS = 100; // of promises, more than Bokeh takes from a colour to its marks

/**
 * Hears when the page is printed and when that is over. `page` lays it out; `colours(isPrinting)`
 * sets the colours and `refit()` fills the figures in `places` anew, both at once.
 */
export function createPrint(places, page, { colours, refit }) {
  const paper = window.matchMedia("print");
  let isBetween = false;
  let isPrinting = false;
  let drawings = [];

  function draw(shown) {
    erase();
    drawings = shown.map(drawingOf).filter(Boolean);
    for (const { place, drawing } of drawings) {
      place.after(drawing);
      place.hidden = true;
    }
  }
  function erase() {
    for (const { place, drawing } of drawings) {
      drawing.remove();
      place.hidden = false;
    }
    drawings = [];
  }
  async function begin() {
    isPrinting = true;
    page.open();
    colours(true);
    const shown = Object.values(places).filter((place) => place.checkVisibility());
    layOut(shown, refit);
    draw(shown); // a script that prints waits for nothing more
    if (page.shrink()) {
      colours(true);
      erase();
      layOut(shown, refit);
      draw(shown);
    }
    page.fit();
    // Marks take their colours in promises, which all end before the browser goes on.
    for (let turn = 0; turn < TURNS; turn += 1) await null;
    if (isPrinting) draw(shown);
  }
  function end() {
    isPrinting = false;
    erase();
    page.close();
    colours(false);
    layOut(Object.values(places), refit);
  }
  function follow(event) {
    if (event.type !== "change") isBetween = event.type === "beforeprint";
    const isWanted = isBetween || paper.matches;
    if (isWanted && !isPrinting) begin();
    if (!isWanted && isPrinting) end();
  }
  const told = [[window, "beforeprint"], [window, "afterprint"], [paper, "change"]];
  for (const [target, name] of told) target.addEventListener(name, follow);
  return {
    destroy() {
      for (const [target, name] of told) target.removeEventListener(name, follow);
    },
  };
}

/** Lay the figures out as wide as their places are now; once more where they grew higher. */
function layOut(places, refit) {
  const follow = () => places.forEach((place) => viewIn(place)?.after_resize());
  follow();
  refit();
  follow();
}

/** Of the first edge of a path, which is a bar's upper one. */
function widthOf(path) {
  const [, from, to] = /^M ([\d.]+) [\d.]+ L ([\d.]+) /.exec(path.getAttribute("d")) ?? [];
  return from === undefined ? Infinity : Math.abs(to - from);
}

/**
 * A vector drawing of the figure in a place; none while nothing is drawn there. It is as wide
 * as its paper, unless something stands beside its rows.
 */
function drawingOf(place) {
  const svg = viewIn(place)?.export("svg").canvas;
  if (!svg) return null;
  const [width, height] = ["width", "height"].map((name) => svg.getAttribute(name));
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  for (const bar of svg.querySelectorAll("path[stroke=none]")) if (widthOf(bar) < LEAST_BAR_PX) bar.remove();
  if (place.dataset.rows === undefined) {
    svg.removeAttribute("width");
    svg.removeAttribute("height");
  }
  return { place, drawing: make("div", { class: "overlap-drawing", "aria-hidden": "true" }, svg) };
}
