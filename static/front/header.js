// The title and what holds for the whole page: its mode, how it looks, what is shared.

import { make, setAttribute } from "./elements.js";
import { createParts, isWhole } from "./parts.js";

const MODES = ["explore", "measured"];

/**
 * `show(state)` follows the driver. `buttons` are what other parts of the page are opened
 * with, by their names among the controls, and `more` of a projector; `display` is the fold. The title of a page that
 * shows some of its parts only is that of the page around it.
 */
export function createHeader({ words, id, outbox }, { predict, more, share }, display) {
  const modes = createModes(words, id, (value) => outbox.set("mode", value));
  const title = make("h1", {}, words("title"));
  const rows = [
    [modes.element, "controls.mode"],
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
      modes.show(state.mode, outbox.isSettled("mode"));
      display.show(state);
    },
  };
}

function createModes(words, id, onChoice) {
  const radios = MODES.map((value) =>
    make("input", {
      type: "radio",
      name: id("mode"),
      value,
      class: "overlap-unseen",
      change: () => {
        element.setAttribute("aria-busy", "true");
        onChoice(value);
      },
    }),
  );
  const labels = radios.map((radio) =>
    make("label", {}, radio, make("span", {}, words(`mode.${radio.value}`))),
  );
  const legend = make("legend", { class: "overlap-unseen" }, words("control.mode"));
  const element = make("fieldset", { class: "overlap-modes" }, legend, ...labels);
  return {
    element,
    /** The mode of the picture; one that was chosen meanwhile stays checked, as pending. */
    show(mode, isSettled) {
      setAttribute(element, "aria-busy", isSettled ? null : "true");
      for (const [index, { value }] of radios.entries()) {
        labels[index].classList.toggle("overlap-shown", value === mode);
        if (isSettled) radios[index].checked = value === mode;
      }
    },
  };
}
