// The title and what holds for all of the page: mode, scenario, theme, reset.

import { make, makeSelect, setOptions } from "./elements.js";

const MODES = ["explore", "measured"];
const THEMES = ["auto", "light", "dark"];

/** `show(state)` follows the driver; `onTheme(theme)` hears a choice at once. */
export function createHeader(scenarios, { words, id, outbox }, onTheme) {
  const set = (key) => (value) => outbox.postLatest(key, { type: "set", key, value });
  const modes = createModes(words, id, set("mode"));
  const scenario = makeSelect(id("scenario"), words("control.scenario"), set("scenario"));
  const theme = makeSelect(id("theme"), words("control.theme"), (value) => {
    onTheme(value);
    set("theme")(value);
  });
  const reset = make(
    "button",
    { type: "button", click: () => outbox.post({ type: "reset" }) },
    words("control.reset"),
  );
  setOptions(scenario, scenarios.map(({ name, title }) => [name, title]), null);
  setOptions(theme, THEMES.map((name) => [name, words(`theme.${name}`)]), "auto");
  return {
    element: make(
      "header",
      { class: "overlap-header" },
      make("h1", {}, words("title")),
      modes.element,
      make("div", { class: "overlap-tools" }, scenario, reset, theme),
    ),
    show(state) {
      if (outbox.isSettled("mode")) modes.check(state.mode);
      if (outbox.isSettled("scenario")) scenario.value = state.scenario;
      if (outbox.isSettled("theme")) theme.value = state.theme;
      scenario.hidden = state.mode !== "explore";
      reset.hidden = state.mode !== "explore";
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
      change: () => onChoice(value),
    }),
  );
  const labels = radios.map((radio) =>
    make("label", {}, radio, make("span", {}, words(`mode.${radio.value}`))),
  );
  return {
    element: make(
      "fieldset",
      { class: "overlap-modes" },
      make("legend", { class: "overlap-unseen" }, words("control.mode")),
      ...labels,
    ),
    check(mode) {
      for (const radio of radios) radio.checked = radio.value === mode;
    },
  };
}
