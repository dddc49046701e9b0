// The steps of the lesson by name: which one is shown, which are done.

import { make, setAttribute, setText } from "./elements.js";

/** Buttons in a list; `go(name)` hears which step is asked for. */
export function createLessonSteps(names, { words }, go) {
  const rows = names.map((name, at) => {
    const mark = make("span", { class: "overlap-lesson-mark", "aria-hidden": "true" });
    const number = make("span", { class: "overlap-unseen" }, `${at + 1} `);
    const state = make("span", { class: "overlap-unseen" });
    const text = make("span", { class: "overlap-lesson-name" }, words(`lesson.${name}.name`));
    const button = make("button", { type: "button", click: () => go(name) }, mark, number, text, state);
    return { name, at, mark, state, button };
  });
  return {
    element: make("nav", { class: "overlap-lesson-steps", "aria-label": words("lesson.nav") },
      make("ol", {}, ...rows.map(({ button }) => make("li", {}, button)))),
    /** The step that is shown, null at the end; and the names of those that are done. */
    show(current, done) {
      for (const { name, at, mark, state, button } of rows) {
        const isDone = done.has(name);
        setText(mark, isDone ? "\u2713" : String(at + 1));
        setText(state, isDone ? ` ${words("lesson.done")}` : "");
        setAttribute(button, "aria-current", name === current && "step");
      }
    },
  };
}
