// A part of the step with numbers of its own: dragged on the picture, or typed.

import { make, setAttribute, setText } from "./elements.js";
import { timeAt } from "./figure_times.js";
import { keepFocus } from "./focus.js";
import { controlText, perUnit } from "./measures.js";
import { timeText } from "./quantities.js";
import { readQuantity } from "./typed.js";

const SHORTEST_PX = 4; // a shorter drag was none
const EDGES = ["from", "to"];

/**
 * `banner` says which part the numbers are of, `element` holds the ways to choose one, and
 * `over` lies on the picture in `canvas` while one is dragged.
 */
export function createPart(context, canvas) {
  const { words, outbox } = context;
  const whole = () => outbox.post({ type: "whole_step" });
  const send = (start_s, end_s) => outbox.post({ type: "part", start_s, end_s });
  const drag = createDrag(context, canvas, send);
  const boxes = createBoxes(context, send);
  const said = make("p");
  const [back, reset] = [0, 1].map(() =>
    make("button", { type: "button", click: whole }, words("part.whole")));
  const banner = make("div", { class: "overlap-part", role: "status", hidden: true }, said, back);
  const summary = make("summary", {}, words("part.title"));
  const element = make("details", { class: "overlap-fold" }, summary,
    make("div", { class: "overlap-part-ways", role: "group", "aria-label": words("part.title") },
      drag.button, boxes.element, reset, boxes.message));
  let met = null; // the recording that was shown last

  function draw({ part, steps, step, recording }) {
    if (recording !== met && steps.length === 1) element.open = true; // no marks, often
    met = recording;
    banner.hidden = reset.hidden = !part;
    if (part) {
      const [from, to] = [part.start_s, part.end_s].map(timeText);
      setText(said, words("part.shown", { from, to }));
      element.open = true;
    }
    boxes.show(part, steps[step]?.span_s ?? 0);
  }
  return {
    banner,
    element,
    over: drag.element,
    show(measured) {
      const ways = [drag.button, summary]; // on, once there is no way back to the whole step
      keepFocus(banner, () => keepFocus(element, () => draw(measured), ...ways), ...ways);
    },
  };
}

/** A button that lets the next drag on the picture choose; Escape gives up. */
function createDrag({ words }, canvas, send) {
  const band = make("div", { class: "overlap-band", hidden: true });
  const element = make("div", {
    class: "overlap-dragged", hidden: true, "aria-hidden": "true",
    pointerdown: begin, pointermove: move, pointerup: end, pointercancel: giveUp,
  }, band);
  const button = make("button",
    { type: "button", "aria-pressed": "false", click: () => turn(element.hidden) }, words("part.drag"));
  let begun = null;

  function turn(isOn) {
    element.hidden = !isOn;
    setAttribute(button, "aria-pressed", String(isOn));
    const act = isOn ? "addEventListener" : "removeEventListener";
    window[act]("keydown", escape);
    giveUp();
  }
  function escape({ key }) {
    if (key === "Escape") turn(false);
  }
  function begin(event) {
    begun = event.clientX;
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
  }
  function move({ clientX }) {
    if (begun === null) return;
    const { left } = element.getBoundingClientRect();
    band.hidden = false;
    band.style.left = `${Math.min(begun, clientX) - left}px`;
    band.style.width = `${Math.abs(clientX - begun)}px`;
  }
  function end({ clientX }) {
    const [low, high] = [Math.min(begun, clientX), Math.max(begun, clientX)];
    const isDrag = begun !== null && high - low >= SHORTEST_PX;
    giveUp();
    if (!isDrag) return;
    send(...[low, high].map((x) => roundTo(leastOf(canvas), timeAt(canvas, x)) / 1e3));
    turn(false);
  }
  function giveUp() {
    begun = null;
    band.hidden = true;
  }
  return { element, button };
}

/** What a hand can tell apart: a power of ten below a thousandth of what is in view. */
function leastOf(canvas) {
  const { left, right } = canvas.getBoundingClientRect();
  return 10 ** Math.floor(Math.log10((timeAt(canvas, right) - timeAt(canvas, left)) / 1e3));
}

function roundTo(least, value) {
  return Number((Math.round(value / least) * least).toPrecision(12));
}

/** Two boxes for the moments, in milliseconds from the start of the step. */
function createBoxes({ words, id }, send) {
  const message = make("p", { role: "status", class: "overlap-message" });
  const boxes = EDGES.map((edge) => make("input", {
    type: "text", inputmode: "decimal", autocomplete: "off", id: id(`part-${edge}`),
    class: "overlap-box", change: read,
  }));
  const labels = EDGES.map((edge, at) => make("label", { for: boxes[at].id }, words(`part.${edge}`)));
  let known = [0, 0];
  let span_s = 0; // of the step

  function read() {
    const found = boxes.map((box, at) =>
      (box.value === textOf(known[at]) ? { value: known[at] } : readMoment(box.value)));
    const wrong = found.findIndex(({ problem }) => problem);
    if (wrong >= 0) {
      setText(message, problemText(words, wrong, boxes[wrong].value, known[wrong], found[wrong]));
      boxes[wrong].value = textOf(known[wrong]);
      return;
    }
    const [start_s, end_s] = found.map(({ value }) => value);
    const problem = problemOf(start_s, end_s, span_s);
    setText(message, problem ? words(`part.${problem}`, { span: timeText(span_s) }) : "");
    if (problem) return;
    const inside = [Math.max(start_s, 0), Math.min(end_s, span_s)];
    write(inside);
    send(...inside);
  }
  function write(moments) {
    boxes.forEach((box, at) => (box.value = textOf(moments[at])));
  }
  return {
    message,
    element: make("div", { class: "overlap-part-boxes" },
      labels[0], boxes[0], labels[1], boxes[1], make("span", { class: "overlap-muted" }, "ms")),
    show(part, whole_s) {
      const { start_s, end_s } = part ?? { start_s: 0, end_s: whole_s };
      span_s = whole_s;
      if (start_s === known[0] && end_s === known[1]) return;
      known = [start_s, end_s];
      setText(message, "");
      write(known);
    },
  };
}

/** What is typed, to the nanosecond, as boxes show it. */
function readMoment(text) {
  const read = readQuantity("part", text);
  return read.problem ? read : { value: Math.round(read.value * 1e9) / 1e9 };
}

/** Why two moments bound no part of a step, if they don't. */
function problemOf(start_s, end_s, span_s) {
  if (start_s >= span_s || end_s <= 0) return "outside";
  return start_s >= end_s ? "order" : null;
}

/** To the nanosecond, which is as exact as recordings are. */
function textOf(time_s) {
  return String(Number((time_s / perUnit("part")).toFixed(6)));
}

function problemText(words, edge, asked, known_s, { problem }) {
  const sentence = problem === "unit" ? "box.unit.time" : `box.${problem}`;
  const values = { asked: asked.trim(), name: words(`part.edge.${EDGES[edge]}`) };
  return words(sentence, { ...values, used: controlText(words, "part", known_s) });
}
