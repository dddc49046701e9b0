// The panel of the lesson: what is on screen beside what to do, and the way through it.

import { make, setAttribute, setText } from "./elements.js";
import { keepFocus } from "./focus.js";
import { createLessonSteps } from "./lesson_steps.js";
import { pointText, sceneText, taskText } from "./lesson_texts.js";
import { isAsked } from "./parts.js";

const CLAIMS = ["floor", "balance", "queue", "lever"];

/**
 * `way` hears the buttons. `asking` is where the question of a step belongs. `show(step, view,
 * status)` draws; the closing words where the lesson is over.
 */
export function createLessonPanel(names, context, way) {
  const { words, lesson: memory, guess } = context;
  const parts = panelParts(names, context, way);
  const { element, title, body, asking, scene, point, turn, task, attempt, status, end, steps } = parts;
  const hold = holdGrown(body);
  const told = () => [point, task].map(({ textContent }) => textContent);

  function showPlaces(view) {
    const { isOver } = memory;
    const [asks, tells] = [!isOver && Boolean(view.covered), !isOver && !view.covered];
    element.classList.toggle("overlap-lesson-asks", asks);
    for (const [one, isThere] of [
      [steps.element, isAsked(view.state, "controls.lesson")], [asking, !isOver],
      [scene, !tells], [point, tells], [turn, tells], [end, isOver],
    ]) one.hidden = !isThere;
  }
  return {
    element, title, asking, told,
    show(step, view, reached) {
      const { isOver } = memory;
      hold([step.name, isOver, view.state.projector].join(), Boolean(view.covered));
      showPlaces(view);
      steps.show(isOver ? null : step.name, memory.done);
      setText(title, isOver ? words("lesson.end.title") : lessonTitle(words, names, view.state));
      setText(scene, isOver ? words("lesson.end.text") : sceneText(words, step, view));
      setText(point, view.covered ? "" : pointText(words, step, view, guess));
      setText(task, view.covered ? "" : taskText(words, step, view));
      setText(status, reached.text);
      status.classList.toggle("overlap-reached", reached.isDone);
      keepFocus(attempt, () => (attempt.hidden = !view.measured?.what_if?.numbers), title);
      drawWays(parts, words, { step, view, names, isOver, isDone: reached.isDone });
    },
  };
}

/** "Step 2 of 6: The floor"; its name alone where an author has that step and no other. */
export function lessonTitle(words, names, state) {
  const [at, all] = [names.indexOf(state.lesson) + 1, names.length];
  const name = words(`lesson.${state.lesson}.name`);
  return isAsked(state, "controls.lesson") ? words("lesson.title", { at, all, name }) : name;
}

function drawWays({ ways, again, back, skip, next, leave }, words, shown) {
  const { step, view, names, isOver, isDone } = shown;
  const canGo = isAsked(view.state, "controls.lesson");
  setAttribute(back, "aria-disabled", step.name === names[0] && !isOver && "true");
  setText(next, words(step.name === names.at(-1) ? "lesson.finish" : "lesson.next"));
  next.classList.toggle("overlap-primary", isDone);
  again.hidden = isOver || Boolean(view.covered);
  back.hidden = !canGo;
  leave.hidden = !isOver;
  keepFocus(ways, () => {
    next.hidden = isOver || !canGo;
    skip.hidden = !view.covered || isOver;
  }, next, leave, back, again);
}

/** Its elements by name, as yet without most words. */
function panelParts(names, context, way) {
  const { words, id } = context;
  const button = (key, click, attributes = {}) =>
    make("button", { type: "button", click, ...attributes }, words(key));
  const title = make("h2", { id: id("lesson"), tabindex: -1 });
  const [scene, point, task] = [make("p"), make("p"), make("span")];
  const status = make("p", { class: "overlap-lesson-status" });
  const attempt = button("what_if.try", way.attempt, { class: "overlap-primary" });
  const asking = make("div", { class: "overlap-lesson-asking" });
  const turn = make("div", { class: "overlap-lesson-turn" },
    make("p", {}, make("strong", {}, words("lesson.turn")), " ", task), attempt, status);
  const end = make("ul", { class: "overlap-lesson-end" },
    ...CLAIMS.map((name) => make("li", {},
      make("strong", {}, words(`lesson.${name}.name`)), `: ${words(`lesson.end.${name}`)}`)));
  const body = make("div", { class: "overlap-lesson-body" }, title, scene, asking, point, turn, end);
  const steps = createLessonSteps(names, context, way.go);
  const [again, back, skip, next, leave] = [
    button("lesson.restart", way.restart), button("lesson.back", () => way.move(-1)),
    button("lesson.skip", way.skip), button("lesson.next", () => way.move(1)),
    button("lesson.end.explore", way.leave, { class: "overlap-primary" }),
  ];
  const ways = make("div", { class: "overlap-lesson-ways" }, again, back, skip, next, leave);
  const element = make("section", { class: "overlap-lesson", "aria-labelledby": title.id, hidden: true },
    body, make("div", { class: "overlap-lesson-foot" }, steps.element, ways));
  return {
    element, body, title, scene, asking, point, turn, task, attempt, status, end, steps,
    ways, again, back, skip, next, leave,
  };
}

/**
 * What lies below `element` stays where it is when that would need less room again.
 * `hold(key, asks)` lets go where something else is shown, but not on a reveal.
 */
function holdGrown(element) {
  const held = { key: "", asks: false, width_px: 0 };
  function grip(isNew) {
    if (isNew) element.style.minHeight = "";
    element.style.minHeight = `${element.getBoundingClientRect().height}px`;
  }
  new ResizeObserver(() => {
    const { offsetWidth: width_px } = element;
    grip(width_px !== held.width_px);
    held.width_px = width_px;
  }).observe(element);
  return (key, asks) => {
    if (key !== held.key || (asks && !held.asks)) queueMicrotask(() => grip(true));
    Object.assign(held, { key, asks });
  };
}
