// What a newcomer sees first in Explore: one thing to try, and the way to the lesson.

import { make, setText } from "./elements.js";
import { stepKey } from "./guess.js";
import { isWhole } from "./parts.js";
import { timeText } from "./quantities.js";

const FIXED = ["scenario", "plan", "bandwidth", "overhead"]; // of where it starts

/**
 * One line that can be dismissed; `start()` begins the lesson. `show(view)` leaves it out of
 * a page that shows some of its parts only, and where the bucket size alone won't do; it is
 * gone for good with another scenario, or once what was done is undone.
 */
export function createLessonInvite({ lesson }, { words, guess, lesson: memory }, start) {
  const { start: first, checks } = lesson[0];
  const { goal } = checks.find(({ of }) => of === "tail_s");
  const text = make("p");
  const begin = make("button", { type: "button", click: start }, words("lesson.invite.start"));
  const dismiss = make("button", { type: "button", click: close }, words("notice.dismiss"));
  const element = make("div", { class: "overlap-invite", hidden: true }, text, begin, dismiss);

  function close() {
    memory.isInvited = false;
    element.hidden = true;
  }
  /** Whether only the bucket size differs from how the page, and the lesson, began. */
  function isAlone(state, tail_s) {
    const others = stepKey({ state: { ...state, bucket: 0 } });
    const isFirst = FIXED.every((key) => state[key] === first[key]) && tail_s >= goal;
    memory.began ??= isFirst ? others : "elsewhere";
    return others === memory.began;
  }
  return {
    element,
    show(view) {
      const { state, explore } = view;
      const tail_s = explore?.numbers.tail_s;
      const isThere = tail_s !== undefined && isAlone(state, tail_s);
      const isDone = isThere && tail_s < goal;
      if (state.lesson !== "off" || state.scenario !== first.scenario || (memory.isReached && !isDone)) {
        memory.isInvited = false;
      }
      element.hidden = !memory.isInvited || !isWhole(state) || !isThere || Boolean(guess.told);
      if (element.hidden) return;
      memory.isReached = isDone;
      const key = isDone ? "lesson.invite.done" : "lesson.invite";
      const steps = lesson.length;
      setText(text, words(key, { goal: timeText(goal), tail: timeText(tail_s), steps }));
    },
  };
}
