// The title and what holds for the whole page: its mode, how it looks, what is shared.

import { make, setAttribute } from "./elements.js";
import { createParts, isWhole } from "./parts.js";

const MODES = ["explore", "lesson", "measured"];

/**
 * `show(state)` follows the driver. `buttons` are what other parts of the page are opened
 * with, by their names among the controls, and `more` of a projector; `display` is the fold.
 * The lesson is a mode too: `startLesson()` begins it. The title of a page that shows some of
 * its parts only is that of the page around it.
 */
export function createHeader({ words, id, outbox }, { predict, more, share }, display, startLesson) {
  const modes = createModes(words, id, outbox, startLesson);
  const title = make("h1", {}, words("title"));
  const rows = [
    [modes.element, "controls.mode", "controls.lesson"],
    ...(predict ? [[predict, "controls.predict"]] : []),
    [display.element, ...display.parts],
    [share, "controls.share"],
  ];
  const tools = make("div", { class: "overlap-header-tools" }, ...rows.map(([element]) => element));
  display.element.before(more);
  const parts = createParts([...rows, [tools, ...rows.flatMap(([, ...names]) => names)]]);
  const element = make("header", { class: "overlap-header" }, title, tools);
  return {
    element,
    show(state) {
      parts.show(state);
      title.classList.toggle("overlap-unseen", !isWhole(state));
      element.classList.toggle("overlap-unseen", tools.hidden && !isWhole(state));
      modes.show(state);
      display.show(state);
    },
  };
}

/** The lesson is shown in either mode; choosing one of the two leaves it. */
function createModes(words, id, outbox, startLesson) {
  let lesson = "off";
  function choose({ target: { value } }) {
    element.setAttribute("aria-busy", "true");
    if (value === "lesson") {
      startLesson();
      return;
    }
    if (lesson !== "off") outbox.set("lesson", "off");
    outbox.set("mode", value);
  }
  const radios = MODES.map((value) =>
    make("input",
      { type: "radio", name: id("mode"), value, class: "overlap-unseen", change: choose }));
  const labels = radios.map((radio) =>
    make("label", {}, radio, make("span", {}, words(`mode.${radio.value}`))),
  );
  const parts = createParts([
    [labels[0], "controls.mode", "controls.lesson"],
    [labels[1], "controls.lesson"],
    [labels[2], "controls.mode"],
  ]);
  const legend = make("legend", { class: "overlap-unseen" }, words("control.mode"));
  const element = make("fieldset", { class: "overlap-modes" }, legend, ...labels);
  return {
    element,
    /** What is shown; what was chosen meanwhile stays checked, as pending. */
    show(state) {
      lesson = state.lesson ?? "off";
      parts.show(state);
      const shown = lesson === "off" ? state.mode : "lesson";
      const isSettled = outbox.isSettled("mode") && outbox.isSettled("lesson");
      setAttribute(element, "aria-busy", isSettled ? null : "true");
      for (const [index, { value }] of radios.entries()) {
        labels[index].classList.toggle("overlap-shown", value === shown);
        if (isSettled) radios[index].checked = value === shown;
      }
    },
  };
}
