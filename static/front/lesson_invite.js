// What a newcomer sees first in Explore: one thing to try, and the way to the lesson.

import { make, setText } from "./elements.js";
import { isWhole } from "./parts.js";
import { timeText } from "./quantities.js";

/**
 * One line that can be dismissed; `start()` begins the lesson. `show(view)` leaves it out of
 * a page that shows some of its parts only.
 */
export function createLessonInvite({ lesson }, { words, guess, lesson: memory }, start) {
  const { goal } = lesson[0].checks.find(({ of }) => of === "tail_s");
  const text = make("p");
  const begin = make("button", { type: "button", click: start }, words("lesson.invite.start"));
  const dismiss = make("button", { type: "button", click: close }, words("notice.dismiss"));
  const element = make("div", { class: "overlap-invite", hidden: true }, text, begin, dismiss);

  function close() {
    memory.isInvited = false;
    element.hidden = true;
  }
  return {
    element,
    show(view) {
      const { state, explore } = view;
      if (state.lesson !== "off") memory.isInvited = false;
      const tail_s = explore?.numbers.tail_s;
      const isBusy = tail_s === undefined || guess.told; // with a question
      element.hidden = !memory.isInvited || !isWhole(state) || Boolean(isBusy);
      if (element.hidden) return;
      const key = tail_s < goal ? "lesson.invite.done" : "lesson.invite";
      const steps = lesson.length;
      setText(text, words(key, { goal: timeText(goal), tail: timeText(tail_s), steps }));
    },
  };
}
