// Blank: the result is out of sight while a room thinks, and there again with one key.

import { make } from "./elements.js";
import { keepFocus } from "./focus.js";

/**
 * `turn(isBlank)` hides what `root` shows of the result, or shows it; without it the other
 * way. `element` is the way back for a pointer.
 */
export function createBlank(root, { words }) {
  const button = make("button", { type: "button", click: () => turn(false) }, words("blank.show"));
  const element = make("div", { class: "overlap-blank" }, button);
  const isOn = () => root.dataset.blank !== undefined;

  function turn(isBlank = !isOn()) {
    keepFocus(root, () => {
      if (isBlank) root.dataset.blank = "";
      else delete root.dataset.blank;
    }, button);
    return isBlank;
  }
  return { element, isOn, turn };
}
