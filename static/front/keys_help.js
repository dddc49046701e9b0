// The list of keys on the screen. Each is a button too: whoever has no keyboard, or has
// switched the keys off, finds every action here.

import { make } from "./elements.js";
import { hasKeys, keysOf } from "./keys.js";

const ALWAYS = [["Tab", "tab"], ["← → ↑ ↓", "arrows"], ["Esc", "escape"]];

/** A dialog; `open(state)` lists the keys of a page, and `act(name)` does what one says. */
export function createKeysHelp({ words, id }, act) {
  const title = make("h2", { id: id("keys") }, words("keys.title"));
  const list = make("ul");
  const close = make("button", { type: "button", click: () => element.close() }, words("keys.close"));
  const element = make("dialog",
    { class: "overlap-help", "aria-labelledby": title.id, keydown: toggle, click: leave },
    make("div", {}, make("div", { class: "overlap-help-head" }, title, close),
      make("p", {}, words("keys.hint")), list));

  function toggle(event) {
    if (event.key === "?") element.close();
  }
  function leave({ target }) {
    if (target === element) element.close(); // beside it
  }
  function row(key, name) {
    const text = words(`key.${name}`);
    const parts = [make("kbd", {}, key), " ", text];
    const run = () => {
      element.close();
      act(name);
    };
    return make("li", {}, ALWAYS.some(([, one]) => one === name) || name === "presets"
      ? make("span", {}, ...parts)
      : make("button", { type: "button", click: run }, ...parts));
  }
  return {
    element,
    isOffered: hasKeys,
    open(state) {
      const own = keysOf(state).filter(([, name]) => name !== "help");
      const keys = [["1–6", "presets"], ...own.map(([key, name]) => [key.toUpperCase(), name])];
      list.replaceChildren(...[...keys, ...ALWAYS].map(([key, name]) => row(key, name)));
      element.showModal();
    },
  };
}
