// Ways to give a guess: a number in a box, or one of several options.

import { make, setAttribute, setText } from "./elements.js";
import { guessBounds, readGuess } from "./guess_values.js";
import { kindOf, perUnit } from "./measures.js";
import { guessText } from "./predict_said.js";
import { plainNumber } from "./quantities.js";

const NEAR = 1e-9; // of a step
const UNIT_KEYS = { guess_tail: "overhead", guess_bucket: "bucket" };

/**
 * A box for a number with a step down and up, empty until there is a guess. `key` is the
 * quantity, "guess_tail" or "guess_bucket"; `onGuess(value)` hears each guess, null for none.
 * `show(value, {step, most})` follows; `read()` takes what is typed and is false where that
 * is no guess, which a sentence then says.
 */
export function createNumberWay(key, { words, id }, onGuess) {
  const parts = numberParts(key, words, id);
  const { box, message, smaller, larger } = parts;
  let [value, step, most] = [null, 1, 1];

  const boxText = () => (value === null ? "" : plainNumber(value / perUnit(key)));
  function give(next) {
    value = next;
    setText(message, "");
    draw();
    onGuess(value);
  }
  function go(way) {
    const [low, high] = guessBounds(key, most);
    const start = way > 0 ? low : kindOf(key) === "count" ? high : low;
    const beside = value === null ? start : nextStep(value, step, way);
    give(Math.min(Math.max(beside, low), high));
  }
  function read() {
    if (box.value === boxText()) return true;
    const text = box.value.trim();
    const found = text === "" ? { value: null } : readGuess(words, key, text, most);
    if (found.message) setText(message, found.message);
    else give(found.value);
    return !found.message;
  }
  function press(event) {
    const way = { ArrowDown: -1, ArrowUp: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    if (read()) go(way);
  }
  function draw() {
    const [low, high] = guessBounds(key, most);
    const isOne = value !== null && value / perUnit(key) === 1;
    box.value = boxText();
    setText(parts.unit, words(`unit.${UNIT_KEYS[key]}.${isOne ? "one" : "other"}`));
    setAttribute(smaller, "aria-disabled", value !== null && value <= low);
    setAttribute(larger, "aria-disabled", value !== null && value >= high);
  }
  box.addEventListener("change", read);
  box.addEventListener("keydown", press);
  smaller.addEventListener("click", () => go(-1));
  larger.addEventListener("click", () => go(1));
  return {
    element: parts.element,
    first: box,
    read,
    show(shown, bounds) {
      const isTyped = box.value !== boxText(); // and not taken yet
      if (shown !== value) setText(message, "");
      [value, step, most] = [shown, bounds.step, bounds.most];
      if (!isTyped || !box.matches(":focus")) draw();
    },
  };
}

function numberParts(key, words, id) {
  const name = words("predict.guess");
  const unit = make("span", { class: "overlap-muted" });
  const message = make("p", { id: id(`${key}-message`), role: "status", class: "overlap-message" });
  const box = make("input", {
    id: id(key), type: "text", inputmode: kindOf(key) === "count" ? "numeric" : "decimal",
    autocomplete: "off", class: "overlap-box", "aria-describedby": message.id,
    "aria-label": words("control.box", { name, unit: words(`unit.${UNIT_KEYS[key]}.other`) }),
  });
  const label = make("label", { for: box.id }, name);
  const [smaller, larger] = ["smaller", "larger"].map((way) => make("button",
    { type: "button", class: "overlap-nudge", "aria-label": words(`control.${way}`, { name }) },
    way === "smaller" ? "\u2212" : "+"));
  const number = make("div", { class: "overlap-guess-row" }, smaller, box, larger, unit); // on one line
  const row = make("div", { class: "overlap-guess-row" }, label, number);
  return { element: make("div", {}, row, message), box, unit, message, smaller, larger };
}

/** The next whole number of steps above or below a value. */
function nextStep(value, step, way) {
  const at = value / step;
  const next = way > 0 ? Math.floor(at + NEAR) + 1 : Math.ceil(at - NEAR) - 1;
  return Number((next * step).toPrecision(12));
}

/**
 * Options of which one is chosen. `onGuess(name)` hears which; `show(name, {names})` follows.
 */
export function createOptionWay(question, { words, id }, onGuess) {
  const legend = make("legend", { class: "overlap-unseen" }, words("predict.guess"));
  const element = make("fieldset", { class: "overlap-options" }, legend);
  let drawn = "";

  function fill(names) {
    const labels = names.map((name) => make("label", {},
      make("input", { type: "radio", name: id(`guess-${question}`), value: name, change: () => onGuess(name) }),
      make("span", {}, guessText(words, question, name))));
    element.replaceChildren(legend, ...labels);
  }
  return {
    element,
    get first() {
      return element.querySelector("input:checked") ?? element.querySelector("input");
    },
    read: () => true,
    show(shown, { names }) {
      if (names.join() !== drawn) fill(names);
      drawn = names.join();
      for (const radio of element.querySelectorAll("input")) radio.checked = radio.value === shown;
    },
  };
}
