// The guesses of a room, as the teacher takes them down: drawn as dots, kept on the page.

import { make, setAttribute, setText } from "./elements.js";
import { guessOptions } from "./guess.js";
import { guessText } from "./predict_said.js";
import { createStrip } from "./room_strip.js";
import { countOf, hasRoom, nearCount, readGuesses, spreadOf } from "./room_values.js";

const ROOM_KEYS = { tail: "guess_tail", best: "guess_bucket" };

/**
 * A fold with a list to type in, or with options to count. `show(guess, view)` follows; the
 * truth is drawn in once it is told. All is kept in `guess.room`.
 */
export function createRoom(context) {
  const { words, id } = context;
  const note = make("span", { class: "overlap-fold-note" });
  const hint = make("p", { id: id("room-hint"), class: "overlap-hint" }, words("room.hint"));
  const list = make("textarea", {
    id: id("room"), class: "overlap-room-list", rows: 2, spellcheck: "false", autocomplete: "off",
    "aria-describedby": hint.id, input: () => take({ typed: list.value }),
  });
  const typed = make("div", { class: "overlap-room-typed" },
    make("label", { for: list.id }, words("room.list")), list, hint);
  const options = createCounts(words, id, (counts) => take({ counts }));
  const message = make("p", { role: "status", class: "overlap-message" });
  const said = make("p", { class: "overlap-room-said" });
  const strip = createStrip(context);
  const clear = make("button", { type: "button", click: empty }, words("room.clear"));
  const element = make("details", { class: "overlap-fold overlap-room" },
    make("summary", {}, words("room.title"), note),
    make("div", { class: "overlap-room-inner" },
      make("div", {}, typed, options.element, message, clear), make("div", {}, said, strip.element)));
  let shown = null; // {guess, view}

  function take(given) {
    Object.assign(shown.guess.room, given);
    draw();
  }
  function empty() {
    take({ typed: "", counts: {} });
    (ROOM_KEYS[shown.guess.question] ? list : options.first()).focus();
  }
  function draw() {
    const { guess, view } = shown;
    const { question, room } = guess;
    const key = ROOM_KEYS[question];
    const truth = guess.told && !view.covered ? guess.told.truth : null;
    const read = key ? readGuesses(words, key, room.typed, view.controls.bucket.max) : { values: [], message: "" };
    const count = key ? read.values.length : countOf(room.counts);
    typed.hidden = !key;
    options.element.hidden = Boolean(key);
    if (list.value !== room.typed) list.value = room.typed;
    if (!key) options.show(question, room.counts, guessOptions(question, view.state), truth);
    setText(message, read.message);
    setText(said, roomText(words, question, read.values, room.counts, truth));
    setText(note, count ? String(count) : "");
    strip.show({ question, values: read.values, span: spanOf(guess, view), truth });
    setAttribute(clear, "aria-disabled", count || room.typed ? null : "true");
  }
  return {
    element,
    show(guess, view) {
      shown = { guess, view };
      if (guess.question) draw();
    },
  };
}

/** How far the scale goes: the time that the covered lanes left after the pass; all sizes. */
function spanOf({ question, room }, { controls }) {
  return question === "tail" ? room.span_s ?? 0.1 : controls.bucket.max;
}

/** What the guesses come to, in words. */
function roomText(words, question, values, counts, truth) {
  const count = ROOM_KEYS[question] ? values.length : countOf(counts);
  if (count === 0) return words("room.none");
  const guesses = words.count("guesses", count);
  const near = ROOM_KEYS[question] ? truth !== null && nearCount(question, values, truth) : counts[truth] ?? 0;
  const verdict = truth === null ? "" : words(question === "tail" ? "room.near" : "room.right",
    { n: near, truth: guessText(words, question, truth) });
  return [ROOM_KEYS[question] ? spreadText(words, question, values, guesses) : `${guesses}.`, verdict]
    .filter(Boolean).join(" ");
}

function spreadText(words, question, values, guesses) {
  const { median, low, high } = spreadOf(values);
  const places = Object.entries({ median, low, high })
    .map(([name, value]) => [name, guessText(words, question, value)]);
  return words(low === high ? "room.same" : "room.spread", { guesses, ...Object.fromEntries(places) });
}

/** An option a row: how many chose it, one less, one more, and as many dots. */
function createCounts(words, id, onCounts) {
  const element = make("ul", { class: "overlap-room-options" });
  let rows = new Map();
  let drawn = "";
  let counts = {};

  function change(name, by) {
    const next = Math.max((counts[name] ?? 0) + by, 0);
    if (by > 0 && !hasRoom(counts)) return;
    onCounts({ ...counts, [name]: next });
  }
  function fill(question, names) {
    rows = new Map(names.map((name) => [name, countRow(words, id, guessText(words, question, name),
      `${question}-${name}`, (by) => change(name, by))]));
    element.replaceChildren(...[...rows.values()].map((row) => row.element));
  }
  return {
    element,
    first: () => element.querySelector("button"),
    show(question, now, names, truth) {
      counts = now;
      const key = [question, ...names].join();
      if (key !== drawn) fill(question, names);
      drawn = key;
      for (const [name, row] of rows) row.show(counts[name] ?? 0, name === truth);
    },
  };
}

function countRow(words, id, text, key, onChange) {
  const name = make("span", { id: id(`room-${key}`) }, text);
  const answer = make("strong", { hidden: true }, words("room.answer"));
  const button = (way, by, sign) => make("button", {
    type: "button", class: "overlap-nudge", "aria-label": words(`room.${way}`, { name: text }), click: () => onChange(by),
  }, sign);
  const less = button("less", -1, "\u2212");
  const total = make("output", { "aria-labelledby": name.id });
  const dots = make("span", { class: "overlap-room-dots", "aria-hidden": "true" });
  return {
    element: make("li", {}, make("span", {}, name, " ", answer), less, total, button("more", 1, "+"), dots),
    show(count, isTruth) {
      setText(total, String(count));
      setAttribute(less, "aria-disabled", count === 0 && "true");
      answer.hidden = !isTruth;
      dots.replaceChildren(...Array.from({ length: count }, () => make("i")));
    },
  };
}
