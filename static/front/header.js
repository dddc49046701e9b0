// The title and what holds for the whole page: mode, theme and what is shared.

import { make, makeSelect, setAttribute, setOptions } from "./elements.js";
import { createParts, isWhole } from "./parts.js";

const MODES = ["explore", "measured"];
const THEMES = ["auto", "light", "dark"];

/**
 * `show(state)` follows the driver; `onTheme(theme)` hears a choice at once. The title of
 * a page that shows some of its parts only is that of the page around it.
 */
export function createHeader({ words, id, outbox }, share, onTheme) {
  const modes = createModes(words, id, (value) => outbox.set("mode", value));
  const theme = makeSelect(id("theme"), words("control.theme"), (value) => {
    onTheme(value);
    outbox.set("theme", value);
  });
  setOptions(theme.select, THEMES.map((name) => [name, words(`theme.${name}`)]), "auto");
  const title = make("h1", {}, words("title"));
  const tools = make("div", { class: "overlap-header-tools" }, modes.element, theme.element, share);
  const parts = createParts([
    [modes.element, "controls.mode"],
    [theme.element, "controls.theme"],
    [share, "controls.share"],
    [tools, "controls.mode", "controls.theme", "controls.share"],
  ]);
  const element = make("header", { class: "overlap-header" }, title, tools);
  return {
    element,
    show(state) {
      parts.show(state);
      title.classList.toggle("overlap-unseen", !isWhole(state));
      element.classList.toggle("overlap-unseen", tools.hidden && !isWhole(state));
      modes.show(state.mode, outbox.isSettled("mode"));
      if (outbox.isSettled("theme")) theme.select.value = state.theme;
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
