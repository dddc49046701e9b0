// The guided lesson: one step at a time, with a question, something to do and a check.

import { keepFocus } from "./focus.js";
import { createLessonInvite } from "./lesson_invite.js";
import { createLessonPanel, lessonTitle } from "./lesson_panel.js";
import { statusOf } from "./lesson_texts.js";
import { createLessonWay } from "./lesson_way.js";
import { timeText } from "./quantities.js";

/**
 * The invitation and the panel of the lesson, `elements`, and `asking`, where the question of
 * a step belongs. `show(view)` follows, `start()` begins where the reader was. `heard(before,
 * now, asked, changed)` is what there is to be heard between two views: `asked` is of the
 * question and its outcome, `changed(told)` of what else changed and isn't told.
 */
export function createLesson(config, context) {
  const { words, outbox, lesson: memory, guess } = context;
  const names = config.lesson.map(({ name }) => name);
  const way = createLessonWay(names, context, () => view.state.lesson, turn);
  const panel = createLessonPanel(names, context, way);
  const { element, title } = panel;
  const invite = createLessonInvite(config, context, way.start);
  const stepOf = ({ state }) => config.lesson.find(({ name }) => name === state.lesson);
  let view = null;
  let status = { isDone: false, text: "" };
  let toldStatus = "";
  memory.move = way.move;

  function turn(isOver) {
    memory.isOver = isOver;
    if (isOver && view.covered) outbox.set("predict", "off"); // no question is left open
    panel.show(stepOf(view), view, status);
    title.focus();
  }
  function note(step) {
    const { explore, covered, state } = view;
    if (covered) memory.tried.tails.clear();
    else if (explore && state.plan === "layers") memory.tried.note("bucket", view);
    status = statusOf(words, step, view, memory, guess);
    if (status.isDone) memory.done.add(step.name);
    memory.last = step.name;
  }
  function newStatus(now) {
    const text = toldStatus === status.text ? "" : status.text;
    toldStatus = status.text;
    const tail_s = now.explore?.numbers.tail_s;
    return { text, told: tail_s !== undefined && text.includes(timeText(tail_s)) ? ["tail", "regime"] : [] };
  }
  return {
    elements: [invite.element, element],
    asking: panel.asking,
    start: way.start,
    show(shown) {
      const isAsked = view && !view.covered && shown.covered;
      if (isAsked || view?.state.lesson !== shown.state.lesson) memory.isOver = false;
      view = shown;
      invite.show(view);
      const step = stepOf(view);
      const home = element.parentElement.querySelectorAll(".overlap-modes input");
      keepFocus(element, () => (element.hidden = !step), ...home);
      if (!step) return;
      note(step);
      panel.show(step, view, status);
      if (way.arrived()) title.focus();
    },
    heard(before, now, asked, changed) {
      const step = stepOf(now);
      if (!step) return asked || changed();
      if (memory.isOver) return before.covered ? "" : changed();
      const isNew = before.state.lesson !== step.name || (now.covered && !before.covered);
      if (isNew) return title.matches(":focus") ? "" : `${lessonTitle(words, names, now.state)}. ${asked}`;
      const { text, told } = newStatus(now);
      const texts = before.covered && !now.covered
        ? [asked, ...panel.told()]
        : [asked || changed(told), text];
      return texts.filter(Boolean).join(" ");
    },
  };
}
