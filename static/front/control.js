// One quantity that the learner moves: slider, number box, smaller and larger.

import { make, setAttribute, setText } from "./elements.js";
import { controlText, kindOf, perUnit } from "./measures.js";
import { plainNumber } from "./quantities.js";
import { readQuantity } from "./typed.js";

/**
 * `spec` is {key, stops}: the slider runs over the index of the stops, the box takes any
 * value between the first and the last. `onMove(value)` hears every change by hand.
 * `show(value, stops, noteOf, alsoOf)` follows the driver; a note stands beside the unit,
 * and what else is known of a value is only heard.
 */
export function createControl(spec, { words, id }, onMove) {
  const parts = controlParts(spec.key, words, id);
  let stops = spec.stops;
  let value = stops[0];
  let [noteOf, alsoOf] = [() => "", () => ""];
  let isTyped = false; // since the box last showed the value

  function draw() {
    drawValue(parts, words, spec.key, value, stops, noteOf(value), alsoOf(value));
  }
  function move(next) {
    if (next === undefined || next === value) return;
    value = next;
    parts.tell("");
    draw();
    onMove(value);
  }
  function commit() {
    if (!isTyped) return;
    const isAsShown = parts.box.value === boxText(spec.key, value);
    const read = isAsShown ? { value } : readBox(parts.box.value, spec.key, value, stops, words);
    move(read.value);
    parts.tell(read.message ?? "");
    restore();
  }
  function restore() {
    parts.box.value = boxText(spec.key, value);
    isTyped = false;
  }
  function goBack(held) {
    move(held);
    draw(); // the thumb has moved even where the value hasn't
  }
  const smaller = () => move(stops.findLast((stop) => stop < value * (1 - 1e-9)));
  const larger = () => move(stops.find((stop) => stop > value * (1 + 1e-9)));
  const forget = () => parts.tell("");
  const byKey = { Enter: commit, Escape: forget, ArrowDown: smaller, ArrowUp: larger };

  followSlider(parts.range, () => value, { moveTo: (index) => move(stops[index]), goBack });
  parts.smaller.addEventListener("click", smaller);
  parts.larger.addEventListener("click", larger);
  parts.box.addEventListener("input", () => (isTyped = true));
  parts.box.addEventListener("change", commit);
  parts.box.addEventListener("blur", restore);
  parts.box.addEventListener("keydown", (event) => {
    if (!(event.key in byKey)) return;
    event.preventDefault();
    byKey[event.key]();
    restore();
  });
  return {
    element: parts.element,
    show(shown, shownStops, shownNoteOf, shownAlsoOf) {
      if (shown !== value) parts.tell("");
      [value, stops, noteOf, alsoOf] = [shown, shownStops, shownNoteOf, shownAlsoOf];
      draw();
    },
  };
}

/**
 * What a hand does to a slider. A finger that swipes over it to scroll the page changes
 * it first; once the browser takes the swipe, the slider goes back to where it was.
 */
export function followSlider(range, valueNow, { moveTo, goBack }) {
  let held = valueNow();
  range.addEventListener("pointerdown", () => (held = valueNow()));
  range.addEventListener("pointercancel", () => goBack(held));
  range.addEventListener("input", () => moveTo(Number(range.value)));
}

function controlParts(key, words, id) {
  const ids = { range: id(key), label: id(`${key}-label`), hint: id(`${key}-hint`) };
  const name = words(`control.${key}`);
  const describedBy = { "aria-describedby": ids.hint };
  const label = make("label", { id: ids.label, for: ids.range }, name);
  const range = make("input", { id: ids.range, type: "range", min: 0, step: 1, "data-tells": key, ...describedBy });
  const box = make("input", {
    type: "text",
    inputmode: kindOf(key) === "count" ? "numeric" : "decimal",
    autocomplete: "off",
    class: "overlap-box",
    "aria-label": words("control.box", { name, unit: words(`unit.${key}.other`) }),
    ...describedBy,
  });
  const unit = make("span", { class: "overlap-unit" });
  const hint = make("p", { id: ids.hint, class: "overlap-hint" }, words(`hint.${key}`));
  const message = make("p", { role: "status", class: "overlap-message" });
  const [smaller, larger] = ["smaller", "larger"].map((way) => stepButton(way, name, words));
  const element = make(
    "div",
    { class: "overlap-control", role: "group", "aria-labelledby": ids.label },
    make("div", { class: "overlap-control-head" }, label, make("span", {}, box, unit)),
    make("div", { class: "overlap-control-row" }, smaller, make("span", {}, range), larger),
    hint,
    message,
  );
  const tell = (text) => {
    setText(message, text);
    hint.hidden = text !== "";
  };
  return { element, range, box, unit, smaller, larger, tell };
}

function stepButton(way, name, words) {
  return make(
    "button",
    { type: "button", "aria-label": words(`control.${way}`, { name }) },
    way === "smaller" ? "\u2212" : "+",
  );
}

function drawValue(parts, words, key, value, stops, note, also) {
  const index = nearest(stops, value);
  const last = stops.length - 1;
  const text = [controlText(words, key, value), note, also].filter(Boolean).join(", ");
  const unit = words(`unit.${key}.${value === 1 ? "one" : "other"}`);
  setAttribute(parts.range, "max", last);
  if (Number(parts.range.value) !== index) parts.range.value = index;
  setAttribute(parts.range, "aria-valuetext", text);
  parts.range.style.setProperty("--overlap-at", `${(100 * index) / last}%`);
  const isEdited = parts.box.matches(":focus");
  if (!isEdited) parts.box.value = boxText(key, value);
  setText(parts.unit, note ? `${unit}, ${note}` : unit);
  setAttribute(parts.smaller, "aria-disabled", value <= stops[0] ? "true" : null);
  setAttribute(parts.larger, "aria-disabled", value >= stops[last] ? "true" : null);
}

function nearest(stops, value) {
  const above = stops.findIndex((stop) => stop >= value);
  if (above <= 0) return above < 0 ? stops.length - 1 : 0;
  return value - stops[above - 1] < stops[above] - value ? above - 1 : above;
}

/** The rate of a port follows from bandwidth and ring, often as an endless fraction. */
function boxText(key, value) {
  const shown = key === "port" ? Number(value.toPrecision(5)) : value;
  return plainNumber(shown / perUnit(key));
}

/** The value that typed text asks for, and a sentence where another one is used. */
function readBox(text, key, value, stops, words) {
  if (text.trim() === "") return { value };
  const name = words(`control.${key}`);
  const { value: asked, problem } = readQuantity(key, text);
  if (problem) {
    const sentence = problem === "unit" ? `box.unit.${kindOf(key)}` : `box.${problem}`;
    const used = controlText(words, key, value);
    return { value, message: words(sentence, { asked: text.trim(), name, used }) };
  }
  return clamped(asked, key, stops, words, name);
}

function clamped(asked, key, stops, words, name) {
  const bounds = [stops[0], stops.at(-1)];
  const exact = Number(asked.toPrecision(12)); // as the page writes it, so that it reads back
  const inside = Math.min(Math.max(exact, bounds[0]), bounds[1]);
  const used = kindOf(key) === "count" ? Math.round(inside) : inside;
  const [low, high] = bounds.map((bound) => controlText(words, key, bound));
  if (inside !== exact) return { value: used, message: words("box.bounds", { name, low, high }) };
  return { value: used, message: used === exact ? "" : words("box.whole", { name }) };
}
