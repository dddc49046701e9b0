// The panel of the lesson: what is on screen beside what to do, and the way through it.

import { make } from "./elements.js";
import { createLessonSteps } from "./lesson_steps.js";

const CLAIMS = ["floor", "balance", "queue", "lever"];

/** Its elements by name, as yet without words; `acts` hear the buttons. */
export function createLessonParts(names, context, acts) {
  const { words, id } = context;
  const button = (key, click, attributes = {}) =>
    make("button", { type: "button", click, ...attributes }, words(key));
  const title = make("h2", { id: id("lesson"), tabindex: -1 });
  const [scene, point, task] = [make("p"), make("p"), make("span")];
  const status = make("p", { class: "overlap-lesson-status" });
  const attempt = button("what_if.try", acts.attempt, { class: "overlap-primary" });
  const asking = make("div", { class: "overlap-lesson-asking" });
  const turn = make("div", { class: "overlap-lesson-turn" },
    make("p", {}, make("strong", {}, words("lesson.turn")), " ", task), attempt, status);
  const steps = createLessonSteps(names, context, acts.go);
  const again = button("lesson.restart", acts.restart);
  const back = button("lesson.back", () => acts.move(-1));
  const skip = button("lesson.skip", acts.skip);
  const next = button("lesson.next", () => acts.move(1));
  const leave = button("lesson.end.explore", acts.leave, { class: "overlap-primary" });
  const ways = make("div", { class: "overlap-lesson-ways" }, again, back, skip, next, leave);
  const end = make("ul", { class: "overlap-lesson-end" },
    ...CLAIMS.map((name) => make("li", {}, words(`lesson.end.${name}`))));
  const body = make("div", { class: "overlap-lesson-body" },
    title, scene, asking, point, turn, end);
  const element = make("section", { class: "overlap-lesson", "aria-labelledby": title.id, hidden: true },
    body, make("div", { class: "overlap-lesson-foot" }, steps.element, ways));
  return {
    element, hold: holdGrown(body), title, scene, asking, point, turn, task, attempt, status, end, steps,
    ways, again, back, skip, next, leave,
  };
}

/**
 * What lies below `element` stays where it is when that would need less room again.
 * `hold(key)` lets go where something else is shown.
 */
function holdGrown(element) {
  const held = { key: "", width_px: 0 };
  function letGo() {
    element.style.minHeight = "";
  }
  new ResizeObserver(() => {
    if (element.offsetWidth !== held.width_px) letGo();
    else element.style.minHeight = `${element.offsetHeight}px`;
    held.width_px = element.offsetWidth;
  }).observe(element);
  return (key) => {
    if (key !== held.key) letGo();
    held.key = key;
  };
}
