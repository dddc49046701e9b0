// The flag of a guess: on the time axis, where it is dragged, and on the curve.

import { followSlider } from "./control.js";
import { make, setAttribute, setText } from "./elements.js";
import { isAskedStep } from "./guess.js";
import { createOver } from "./predict_over.js";
import { timeText } from "./quantities.js";

// In the lanes of a simulated step: below the words at the end of the pass, and between lanes.
const LANES_TOP_Y = 8.95;
const LANES_GAP_Y = 2.65;

/** A pole with a flag that says "guess"; it stands at a share of its box. */
function createPole(words) {
  const label = make("span", { class: "overlap-flag-word" });
  const element = make("div", { class: "overlap-flag", "aria-hidden": "true", hidden: true }, label);
  return {
    element,
    /**
     * At a share of a box that is so wide. What lies beyond is at its edge, and says so; `text`
     * beside the word is left out where there is no room for it from the share `free` on.
     */
    stand(share, { text = "", isGiven = true, width, free = 0 }) {
      const end = share > 1 ? "\u2192" : "";
      const write = (...parts) => setText(label, parts.filter(Boolean).join(" "));
      const word = words(isGiven ? "predict.flag" : "predict.flag.none");
      element.hidden = !(share >= 0);
      element.style.insetInlineStart = `min(${100 * Math.min(share, 1)}%, 100% - 1.5px)`;
      element.classList.toggle("overlap-flag-open", !isGiven);
      write(word, text, end);
      const isBefore = share * width + label.offsetWidth > width;
      element.classList.toggle("overlap-flag-before", isBefore);
      if (isBefore && (Math.min(share, 1) - free) * width < label.offsetWidth) write(word, end);
    },
    hide: () => (element.hidden = true),
  };
}

/**
 * The flag over the time axis of the figure in `canvas`: a slider while a tail is asked for,
 * and afterwards a mark with a bracket to where the tail ends. `onGuess(time_s)` hears it
 * moved; `show(guess, view, step_s)` follows.
 */
export function createTimeFlag(name, canvas, { words }, onGuess) {
  const pole = createPole(words);
  const veil = make("div", { class: "overlap-veil", "aria-hidden": "true" }, words("predict.open_number"));
  const bracket = make("div", { class: "overlap-flag-bracket", hidden: true });
  const range = make("input", {
    type: "range", class: "overlap-flag-range", min: 0, "aria-label": words("predict.axis"),
  });
  const over = createOver(canvas, place, veil, range, pole.element, bracket);
  let shown = { isOpen: false, value: null, told: null, pass_ms: null, axis_ms: 0, step_s: 1e-3 };

  function place({ x, y, width }) {
    const { isOpen, isAskedNow, value, told, pass_ms, axis_ms, step_s } = shown;
    const isThere = Number.isFinite(pass_ms);
    const isLanes = name === "lanes";
    veil.hidden = !(isOpen && isThere && isLanes);
    range.hidden = !(isAskedNow && isThere);
    over.element.style.setProperty("--overlap-from", `${100 * x(pass_ms)}%`);
    over.element.style.setProperty("--overlap-to", `${100 * x(axis_ms)}%`);
    over.element.style.setProperty("--overlap-top", isLanes ? `${100 * y(LANES_TOP_Y)}%` : "0%");
    over.element.style.setProperty("--overlap-gap", isLanes ? `${100 * y(LANES_GAP_Y)}%` : "calc(100% - 1em)");
    const isMarked = isThere && (isAskedNow || (told && told.guess !== null));
    const at_ms = (time_s) => pass_ms + (time_s ?? 0) * 1e3;
    if (isMarked) {
      const text = value === null ? "" : timeText(value);
      over.element.style.setProperty("--overlap-at", `${100 * x(at_ms(value))}%`);
      pole.stand(x(at_ms(value)), { text, isGiven: value !== null, width, free: x(pass_ms) });
    } else pole.hide();
    drawRange(range, words, { value, step_s, most_s: (axis_ms - pass_ms) / 1e3 });
    drawBracket(bracket, isMarked && told ? [x(at_ms(value)), x(at_ms(told.truth))] : null);
  }
  followSlider(range, () => shown.value, {
    moveTo: (steps) => onGuess(Number((steps * shown.step_s).toPrecision(12))),
    goBack: onGuess,
  });
  return {
    element: over.element,
    follow: over.follow,
    destroy: over.destroy,
    show(guess, view, step_s) {
      const figure = view.figures?.[name];
      const isTail = guess.question === "tail";
      shown = {
        isOpen: Boolean(view.covered), isAskedNow: view.covered === "tail", value: guess.value,
        told: isTail && !view.covered && isAskedStep(guess, view) ? guess.told : null,
        pass_ms: figure?.props?.pass_end?.location ?? null,
        axis_ms: axisEnd(view, name),
        step_s,
      };
      over.follow();
    },
  };
}

/** Where the time axis of a figure ends, in milliseconds, however it is zoomed. */
export function axisEnd({ figures }, name) {
  const { end = 0, bounds } = figures?.[name]?.ranges?.[`${name}_x`] ?? {};
  return bounds?.[1] ?? end;
}

function drawRange(range, words, { value, step_s, most_s }) {
  const steps = Math.floor(most_s / step_s + 1e-9);
  setAttribute(range, "max", steps);
  range.value = Math.round((value ?? 0) / step_s);
  setAttribute(range, "aria-valuetext", value === null
    ? words("predict.axis.none") : words("predict.axis.value", { guess: timeText(value) }));
}

/** Between two shares of the frame; none where they are the same or out of sight. */
function drawBracket(bracket, ends) {
  const [low, high] = (ends ?? []).toSorted((one, other) => one - other);
  bracket.hidden = !ends || low >= 1 || high <= 0 || high - low < 1e-4;
  if (bracket.hidden) return;
  bracket.style.insetInlineStart = `${100 * Math.max(low, 0)}%`;
  bracket.style.borderInlineEndWidth = high > 1 ? "0" : ""; // it goes on
  bracket.style.inlineSize = `${100 * (Math.min(high, 1) - Math.max(low, 0))}%`;
}

/** The guessed bucket size on the curve, once it is revealed. */
export function createSizeFlag(canvas, { words }) {
  const pole = createPole(words);
  const over = createOver(canvas, place, pole.element);
  let size = null;

  function place({ x, width }) {
    if (size === null) pole.hide();
    else pole.stand(x(size), { width });
  }
  return {
    element: over.element,
    follow: over.follow,
    destroy: over.destroy,
    show(guess, view) {
      const isTold = guess.question === "best" && guess.told && !view.covered && isAskedStep(guess, view);
      size = isTold ? guess.told.guess : null;
      over.follow();
    },
  };
}
