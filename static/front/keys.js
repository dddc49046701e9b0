// The presenter's keys: one letter or digit each, while focus is in the widget, never while
// something is typed, and all of them off with one switch.

import { isAsked } from "./parts.js";

const TYPED = "input:not([type=range], [type=checkbox], [type=radio]), textarea, select, [contenteditable]";

/** The keys, and the part of the page that each of them belongs to. */
export const SHORTCUTS = [
  ["n", "next", "controls.lesson"],
  ["k", "back", "controls.lesson"],
  ["q", "ask", "controls.predict"],
  ["r", "reveal", "controls.predict"],
  ["b", "blank", "controls.projector"],
  ["m", "best", "controls.bucket"],
  ["t", "tables", "show.tables"],
  ["0", "reset", "controls.scenario"],
  ["p", "projector", "controls.projector"],
  ["d", "theme", "controls.theme"],
  ["s", "share", "controls.share"],
  ["f", "fullscreen", "controls.projector"],
  ["?", "help", "controls.projector"],
];
const PRESETS_PART = "controls.scenario";

/** Whether a page has the keys at all: with the part that can switch them off. */
export function hasKeys(state) {
  return isAsked(state, "controls.projector");
}

/** The keys that a page has, of those that belong to its parts. */
export function keysOf(state) {
  return SHORTCUTS.filter(([, , part]) => isAsked(state, part));
}

/**
 * Listens on `root`; on a page of the widget's own also where nothing has focus. `acts` are
 * by name, `preset(at)` takes a digit, and `leave()` Escape that nothing else has taken.
 * `isOn()` says whether keys are on, `stateNow()` what is shown.
 */
export function createKeys(root, { acts, preset, leave }, isOn, stateNow) {
  const isOurs = document.body.dataset.overlap !== undefined;
  const place = isOurs ? document : root;

  function act(key, state) {
    if (key >= "1" && key <= "9") return isAsked(state, PRESETS_PART) && preset(Number(key) - 1);
    const found = keysOf(state).find(([name]) => name === key);
    return found ? acts[found[1]]() : false;
  }
  function press(event) {
    if (!isMeant(event, root, isOurs)) return;
    if (event.key === "Escape") leave();
    if (event.key === "Escape" || isTyped(event) || !isOn() || !hasKeys(stateNow())) return;
    if (act(keyPressed(event), stateNow()) === false) return;
    event.preventDefault();
    event.stopPropagation();
  }
  place.addEventListener("keydown", press);
  return { destroy: () => place.removeEventListener("keydown", press) };
}

/** No combination, and nothing that another part has taken. */
function isMeant(event, root, isOurs) {
  if (event.defaultPrevented || event.repeat || event.isComposing) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const [target] = event.composedPath();
  if (target.closest?.("dialog")) return false;
  return event.composedPath().includes(root) || (isOurs && target.closest?.("body > *") === null);
}

function isTyped(event) {
  return Boolean(event.composedPath()[0].closest?.(TYPED));
}

/** As it is labelled; where that isn't Latin, or a digit takes Shift, by its place. */
function keyPressed({ key, code, shiftKey }) {
  const name = key.toLowerCase();
  if (/^[a-z0-9?]$/.test(name)) return name;
  const isForeign = name.length === 1 && name > "\x7f";
  const [, digit, letter] = /^(?:Digit(\d)|Key([A-Z]))$/.exec(code) ?? [];
  if (digit && !shiftKey) return digit;
  return isForeign && letter ? letter.toLowerCase() : name;
}
