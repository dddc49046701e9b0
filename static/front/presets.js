// Presets: a click, or a number key, away from a state that shows one thing.

import { make, setAttribute } from "./elements.js";

/**
 * A row of buttons, each with its number. `show(view)` marks the one whose state is shown;
 * `choose(at)` takes one by its place and returns its name, if there is one.
 */
export function createPresets(presets, { words, id, outbox, lesson }) {
  const title = make("span", { id: id("presets") }, words("presets.title"));
  const choose = ({ name }) => {
    lesson.isInvited = false; // the answer to it may be among them
    outbox.post({ type: "preset", value: name });
  };
  const buttons = presets.map((preset, at) =>
    make("button", { type: "button", click: () => choose(preset) },
      make("b", {}, String(at + 1)), " ", words(`preset.${preset.name}`)));
  const element = make("div",
    { class: "overlap-presets", role: "group", "aria-labelledby": title.id }, title, ...buttons);
  return {
    element,
    choose(at) {
      if (!presets[at]) return null;
      choose(presets[at]);
      return words(`preset.${presets[at].name}`);
    },
    show({ state }) {
      for (const [at, { start }] of presets.entries()) {
        const isHere = Object.entries(start).every(([key, value]) => state[key] === value);
        setAttribute(buttons[at], "aria-current", isHere && "true");
      }
    },
    /** Stand after another element; focus stays where it is. */
    placeAfter(other) {
      if (other.nextElementSibling === element) return;
      const held = element.getRootNode().activeElement;
      other.after(element);
      if (element.contains(held)) held.focus({ preventScroll: true });
    },
  };
}
