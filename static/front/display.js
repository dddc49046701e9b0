// Display: how the page looks and which keys drive it, folded away behind one button.

import { make, makeSelect, setAttribute, setOptions } from "./elements.js";
import { createParts, isAsked } from "./parts.js";

const THEMES = ["auto", "light", "dark"];
const FOLDED = ["controls.theme", "controls.lang", "controls.projector"];

/**
 * The fold; `parts` are those of the state that it holds. `onTheme(theme)` hears a choice
 * at once. It closes with Escape, with a click elsewhere and once focus is elsewhere, so
 * that it never lies over what has it. `add(part, element)` puts more into it.
 */
export function createDisplay({ words, languages, id, outbox }, onTheme) {
  const theme = chooser("theme", THEMES.map((name) => [name, words(`theme.${name}`)]), onTheme);
  const lang = chooser("lang", languages);
  for (const option of lang.select.options) option.lang = option.value;
  const projector = createSwitch(words("control.projector"), (isOn) =>
    outbox.set("projector", isOn ? "on" : "off"));
  const panel = make("div",
    { id: id("display"), class: "overlap-display-panel", role: "group", hidden: true, "aria-label": words("display.open") },
    theme.element, lang.element, projector.element);
  const button = make("button", {
    type: "button", class: "overlap-opens overlap-display-button", "aria-expanded": "false",
    "aria-controls": panel.id, click: () => open(panel.hidden),
  }, words("display.open"));
  const element = make("div", { class: "overlap-display", keydown: leave, focusout: follow }, button, panel);
  const rows = [
    [theme.element, "controls.theme"], [lang.element, "controls.lang"],
    [projector.element, "controls.projector"],
  ];
  const parts = createParts(rows);

  function chooser(key, options, onChoice = () => {}) {
    const made = makeSelect(id(key), words(`control.${key}`), (value) => {
      onChoice(value);
      outbox.set(key, value);
    });
    setOptions(made.select, options, null);
    return made;
  }
  function open(isOpen) {
    panel.hidden = !isOpen;
    setAttribute(button, "aria-expanded", String(isOpen));
    const act = isOpen ? "addEventListener" : "removeEventListener";
    document[act]("pointerdown", elsewhere);
  }
  function elsewhere(event) {
    if (!event.composedPath().includes(element)) open(false);
  }
  function leave(event) {
    if (event.key !== "Escape" || panel.hidden) return;
    event.stopPropagation();
    open(false);
    button.focus();
  }
  function follow({ relatedTarget }) {
    if (relatedTarget && !element.contains(relatedTarget)) open(false);
  }
  return {
    element,
    button,
    parts: FOLDED,
    add(part, added) {
      rows.push([added, part]);
      panel.append(added);
    },
    close: () => open(false),
    show(state) {
      parts.show(state);
      if (state.projector === "on") theme.element.hidden = true; // always light
      if (!panel.hidden && !FOLDED.some((part) => isAsked(state, part))) open(false);
      for (const [key, { select }] of Object.entries({ theme, lang })) {
        if (outbox.isSettled(key)) select.value = state[key];
      }
      if (outbox.isSettled("projector")) projector.set(state.projector === "on");
    },
    destroy: () => open(false),
  };
}

/** A box to tick; `onTurn(isOn)` hears it turned by hand. */
export function createSwitch(name, onTurn) {
  const box = make("input", { type: "checkbox", change: () => onTurn(box.checked) });
  return {
    element: make("label", { class: "overlap-switch" }, box, name),
    set(isOn) {
      box.checked = isOn;
    },
  };
}
