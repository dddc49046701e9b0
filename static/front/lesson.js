// The guided lesson: one step at a time, with a question, something to do and a check.

import { make, setAttribute, setText } from "./elements.js";
import { keepFocus } from "./focus.js";
import { createLessonInvite } from "./lesson_invite.js";
import { createLessonParts } from "./lesson_parts.js";
import { pointText, sceneText, statusOf, taskText } from "./lesson_texts.js";
import { isAsked } from "./parts.js";

/**
 * The invitation and the panel of the lesson, `elements`, and `asking`, where the question of
 * a step belongs. `show(view)` follows, `start()` begins where the reader was. `heard(before,
 * now, asked, changed)` is what there is to be heard between two views: `asked` is of the
 * question and its outcome, `changed()` of what else changed.
 */
export function createLesson(config, context) {
  const { words, outbox, lesson: memory } = context;
  const names = config.lesson.map(({ name }) => name);
  const acts = { go, move, restart, leave, attempt, skip };
  const parts = createLessonParts(names, context, acts);
  const { element, title } = parts;
  const start = () => go(memory.last ?? names[0]);
  const invite = createLessonInvite(config, context, start);
  let isLed = false; // the reader asked for what comes: focus goes there
  let view = null;
  let status = { isDone: false, text: "" };
  let toldStatus = "";

  function go(name) {
    isLed = true;
    outbox.set("lesson", name);
  }
  function move(way) {
    const at = names.indexOf(view.state.lesson) + way;
    if (memory.isOver || at === names.length) close(way > 0);
    else if (at >= 0) go(names[at]);
  }
  function close(isOver) {
    memory.isOver = isOver;
    draw();
    title.focus();
  }
  function restart() {
    isLed = true;
    outbox.post({ type: "reset" });
  }
  function attempt() {
    isLed = true;
    outbox.post({ type: "try" });
  }
  function skip() {
    outbox.set("predict", "off");
  }
  function leave() {
    outbox.set("lesson", "off");
    outbox.set("mode", "explore");
  }
  function follow(shown) {
    const { lesson } = shown.state;
    if (view?.state.lesson !== lesson) memory.isOver = false;
    if (lesson !== "off") memory.last = lesson;
    view = shown;
    const step = stepOf(view);
    if (step) note(step);
  }
  function note(step) {
    const { explore, covered, state } = view;
    if (covered) memory.tried.tails.clear();
    else if (explore && state.plan === "layers") memory.tried.note("bucket", view);
    status = statusOf(words, step, view, memory, context.guess);
    if (status.isDone) memory.done.add(step.name);
  }
  function stepOf({ state }) {
    return config.lesson.find(({ name }) => name === state.lesson);
  }
  function draw() {
    const step = stepOf(view);
    const { isOver } = memory;
    parts.steps.show(isOver ? null : step.name, memory.done);
    const isCovered = Boolean(view.covered);
    parts.hold([step.name, isCovered, isOver, view.state.projector].join());
    element.classList.toggle("overlap-lesson-asks", isCovered && !isOver);
    for (const [one, isThere] of [
      [parts.steps.element, isAsked(view.state, "controls.lesson")], [parts.asking, !isOver],
      [parts.scene, isOver || isCovered], [parts.point, !isOver && !isCovered],
      [parts.turn, !isOver && !isCovered], [parts.end, isOver],
    ]) one.hidden = !isThere;
    setText(title, isOver ? words("lesson.end.title") : titleOfStep(step));
    setText(parts.scene, isOver ? words("lesson.end.text") : sceneText(words, step, view));
    setText(parts.point, pointText(words, step, view, context.guess));
    setText(parts.task, taskText(words, step, view));
    setText(parts.status, status.text);
    parts.status.classList.toggle("overlap-reached", status.isDone);
    const canTry = Boolean(view.measured?.what_if?.numbers);
    keepFocus(parts.attempt, () => (parts.attempt.hidden = !canTry), title);
    drawWays(step, isOver);
  }
  function drawWays(step, isOver) {
    const { again, back, skip: skipping, next, leave: leaving, ways } = parts;
    const [isFirst, isLast] = [names[0], names.at(-1)].map((name) => name === step.name);
    const canGo = isAsked(view.state, "controls.lesson");
    setAttribute(back, "aria-disabled", isFirst && !isOver && "true");
    setText(next, words(isLast ? "lesson.finish" : "lesson.next"));
    next.classList.toggle("overlap-primary", status.isDone);
    again.hidden = isOver || Boolean(view.covered);
    back.hidden = !canGo;
    leaving.hidden = !isOver;
    keepFocus(ways, () => {
      next.hidden = isOver || !canGo;
      skipping.hidden = !view.covered || isOver;
    }, next, leaving, back, again);
  }
  function titleOfStep({ name }) {
    const at = names.indexOf(name) + 1;
    return words("lesson.title", { at, all: names.length, name: words(`lesson.${name}.name`) });
  }
  return {
    elements: [invite.element, element],
    asking: parts.asking,
    start,
    show(shown) {
      follow(shown);
      invite.show(view);
      const isOn = view.state.lesson !== "off";
      const home = element.parentElement.querySelectorAll(".overlap-modes input");
      keepFocus(element, () => (element.hidden = !isOn), ...home);
      if (!isOn) return;
      draw();
      if (!outbox.isIdle()) return;
      if (isLed) title.focus();
      isLed = false;
    },
    heard(before, now, asked, changed) {
      const step = stepOf(now);
      if (!step) return asked || changed();
      const isNew = before.state.lesson !== step.name || (now.covered && !before.covered);
      if (isNew) return title.matches(":focus") ? "" : [titleOfStep(step), asked].join(". ");
      const texts = before.covered && !now.covered
        ? [asked, parts.point.textContent, parts.task.textContent]
        : [asked || changed(), toldStatus === status.text ? "" : status.text];
      toldStatus = status.text;
      return texts.filter(Boolean).join(" ");
    },
  };
}
