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
  const [scene, task] = [make("p"), make("span")];
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
    make("div", { class: "overlap-lesson-scene" }, title, scene),
    make("div", {}, asking, turn, end));
  const element = make("section", { class: "overlap-lesson", "aria-labelledby": title.id, hidden: true },
    body, make("div", { class: "overlap-lesson-foot" }, steps.element, ways));
  return {
    element, title, scene, asking, turn, task, attempt, status, end, steps,
    ways, again, back, skip, next, leave,
  };
}
