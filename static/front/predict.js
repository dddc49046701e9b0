// Predict, then reveal: what is asked of a step whose answer is covered, the guess, and
// what came out. The guess stays on the page; no driver gets it.

import { make, makeSelect, setAttribute, setOptions, setText } from "./elements.js";
import { bringIntoView, keepFocus } from "./focus.js";
import { followView, isAskedStep, guessOptions } from "./guess.js";
import { isAsked } from "./parts.js";
import { axisEnd, createSizeFlag, createTimeFlag } from "./predict_flags.js";
import { outcomeText, questionText } from "./predict_said.js";
import { createNumberWay, createOptionWay } from "./predict_ways.js";
import { createRoom } from "./room.js";

const QUESTIONS_ASKED = ["tail", "best", "regime", "lever"];
const STEPS_OF_AXIS = 150; // that a guess is stepped by, at least

/**
 * The panel, `element`, and a `button` that asks. `placeIn(host)` moves the one element to
 * where the verdict would stand, or into the lesson. `show(view, answers)` follows the driver, where verdicts stand in `answers`;
 * `reveal()` is what the button in the panel does, false where nothing is covered;
 * `ask(question)` covers; `lead(act)` does either with the panel in view; `guess()` is
 * {question, value, told} now; `onRevealed(tell)` hears each outcome, {question, guess, truth,
 * closeness}; `heard()` is what a view that was just shown must be told of, once, to those who
 * can't see it.
 */
export function createPredict(config, context) {
  const { words, outbox, guess } = context;
  const give = (value) => {
    guess.value = value;
    draw();
  };
  const panel = predictPanel(context, give, { reveal, ask, finish });
  const button = make("button", { type: "button", class: "overlap-predict-button", click: toggle },
    words("predict.open"));
  const listeners = [];
  let flags = [];
  let places = []; // of the verdicts, which have nothing to show without one
  let view = null;
  let toSay = "";
  let isRevealing = false;
  let isLed = false; // by a key, wherever the page is scrolled

  function reveal() {
    if (!view?.covered) return false;
    if (!panel.read()) return true; // a sentence says why
    holdHeight(panel.element.parentElement);
    isRevealing = true;
    outbox.post({ type: "set", key: "predict", value: "off" });
    return true;
  }
  function ask(question = guess.question ?? QUESTIONS_ASKED[0]) {
    outbox.set("predict", question);
  }
  function toggle() {
    if (!reveal()) ask();
  }
  function lead(act) {
    if (act() === false) return false;
    isLed = true;
    bring();
    return true;
  }
  function bring() {
    bringIntoView(panel.element.closest(".overlap-lesson, .overlap-answer"));
  }
  function finish() {
    Object.assign(guess, { key: "", value: null, told: null });
    panel.element.parentElement.style.minHeight = "";
    draw();
    if (button.getClientRects().length) button.focus();
  }
  function draw() {
    if (!view) return;
    panel.draw(guess, view);
    for (const flag of flags) flag.show(guess, view, timeStep(view));
    const isIn = (place) => place === panel.element.parentElement && !panel.element.hidden;
    for (const place of places) place.hidden = !isIn(place) && !isAsked(view.state, "show.verdict");
  }
  function tell(happened) {
    if (happened === "asked") toSay = `${questionText(words, view)} ${words("predict.hidden")}`;
    if (!view.covered) isRevealing = false;
    if (happened !== "revealed") return;
    const held = panel.element.getRootNode().activeElement;
    toSay = panel.said.contains(held) ? "" : outcomeText(words, guess.told, true, true);
    for (const listener of listeners) listener(guess.told);
  }
  return {
    element: panel.element,
    button,
    reveal,
    ask,
    lead,
    guess: () => ({ question: guess.question, value: guess.value, told: guess.told }),
    onRevealed: (listener) => listeners.push(listener),
    placeIn(host) {
      if (panel.element.parentElement !== host) host.prepend(panel.element);
    },
    /** Flags stand over the figures that are drawn in these places, `ready` once they are. */
    plantOn({ lanes, recording, curve }, ready) {
      flags = [createTimeFlag("lanes", lanes, context, give),
        createTimeFlag("recording", recording, context, give), createSizeFlag(curve, context)];
      for (const [at, canvas] of [lanes, recording, curve].entries()) canvas.after(flags[at].element);
      ready.then(() => flags.forEach((flag) => flag.follow()));
    },
    destroy: () => flags.forEach((flag) => flag.destroy()),
    heard() {
      const text = toSay;
      toSay = "";
      return text;
    },
    show(shown, answers = []) {
      places = answers;
      const isFirst = view === null;
      view = shown;
      const happened = followView(guess, view, isRevealing);
      if (view.covered || !guess.told) panel.element.parentElement.style.minHeight = "";
      if (isLed) queueMicrotask(bring); // once all of the page shows it
      isLed = false;
      keepFocus(panel.element, draw, panel.said, panel.first(), button);
      tell(happened);
      if (isFirst) toSay = "";
      setAttribute(button, "aria-pressed", String(Boolean(view.covered)));
    },
  };
}

/** `acts` are {reveal, ask, finish}: what its buttons do. */
function predictPanel(context, give, acts) {
  const { words, id } = context;
  const ways = {
    tail: createNumberWay("guess_tail", context, give),
    best: createNumberWay("guess_bucket", context, give),
    regime: createOptionWay("regime", context, give),
    lever: createOptionWay("lever", context, give),
  };
  const question = makeSelect(id("question"), words("predict.question"), (value) => acts.ask(value));
  setOptions(question.select,
    QUESTIONS_ASKED.map((one) => [one, words(`predict.question.${one}`)]), QUESTIONS_ASKED[0]);
  const title = make("h2", { id: id("predict-title") });
  const hidden = make("p", { class: "overlap-hidden-answer" }, words("predict.hidden"));
  const send = make("button", { type: "button", class: "overlap-reveal", click: acts.reveal },
    words("predict.reveal"));
  // No form: a sandbox of scripts alone lets none be submitted.
  const form = make("div", { class: "overlap-guess", keydown: pressEnter },
    ...Object.values(ways).map((way) => way.element), send, question.element);
  const said = make("p", { class: "overlap-outcome", tabindex: -1 });
  const again = make("button", { type: "button", click: () => acts.ask() }, words("predict.again"));
  const done = make("button", { type: "button", click: acts.finish }, words("predict.done"));
  const told = make("div", { class: "overlap-told" }, said, again, done);
  const room = createRoom(context);
  const element = make("section",
    { class: "overlap-predict", "aria-labelledby": title.id, hidden: true },
    title, make("div", { class: "overlap-asked" }, form, told, room.element), hidden);
  let now = ways.tail;

  function pressEnter(event) {
    if (event.key !== "Enter" || event.isComposing || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    acts.reveal();
  }
  function drawQuestion(guess, view) {
    now = ways[view.covered];
    for (const way of Object.values(ways)) way.element.hidden = way !== now;
    now.show(guess.value, boundsOf(view));
    setText(title, questionText(words, view));
    const canAsk = isAsked(view.state, "controls.predict");
    question.element.hidden = !canAsk || view.state.mode !== "explore";
    if (context.outbox.isSettled("predict")) question.select.value = view.covered;
  }
  return {
    element,
    said,
    read: () => now.read(),
    first: () => now.first,
    draw(guess, view) {
      const { covered, state } = view;
      element.hidden = !covered && !guess.told;
      title.hidden = hidden.hidden = form.hidden = !covered;
      told.hidden = Boolean(covered) || !guess.told;
      again.hidden = !isAsked(state, "controls.predict");
      if (covered) drawQuestion(guess, view);
      if (covered === "tail") guess.room.span_s ??= timeLeft(view);
      room.show(guess, view);
      const isAlone = !isAsked(state, "show.verdict");
      setText(said, guess.told && !covered
        ? outcomeText(words, guess.told, isAskedStep(guess, view), isAlone) : "");
    },
  };
}

/** What lies below stays where it is, also where the answer needs less room. */
function holdHeight(host) {
  host.style.minHeight = `${host.offsetHeight}px`;
}

/** What a guess of the open question may be, and in which steps. */
function boundsOf(view) {
  const { covered, state, controls } = view;
  if (covered === "best") return { step: 1, most: controls.bucket.max };
  return covered === "tail" ? { step: timeStep(view), most: 0 } : { names: guessOptions(covered, state) };
}

/** How much time the axis of the covered lanes leaves for a tail, in seconds. */
function timeLeft(view) {
  const name = view.state.mode === "explore" ? "lanes" : "recording";
  const { location } = view.figures?.[name]?.props?.pass_end ?? {};
  return location > 0 ? Math.max(axisEnd(view, name) - location, location / 10) / 1e3 : null;
}

/** In seconds: the largest of 1, 2, 5 times a power of ten that divides the axis finely. */
function timeStep(view) {
  const axis_ms = axisEnd(view, view.state.mode === "explore" ? "lanes" : "recording") || 100;
  const least = axis_ms / STEPS_OF_AXIS;
  const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
  const step_ms = [5, 2, 1].map((one) => one * power).find((step) => step <= least * (1 + 1e-9));
  return Number(((step_ms ?? power) / 1e3).toPrecision(12));
}
