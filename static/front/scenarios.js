// Which backward pass is explored, and back to how it starts.

import { make, makeSelect, setOptions } from "./elements.js";
import { resetAll } from "./guess.js";
import { saidText } from "./said.js";

/**
 * A chooser and Reset; `show(view)` follows the driver, which may have a scenario that the
 * page was not given: the run of a recording. It is listed from then on.
 */
export function createScenarios(scenarios, { words, id, outbox, guess }) {
  const send = (value) => outbox.set("scenario", value);
  const { select, element } = makeSelect(id("scenario"), words("control.scenario"), send);
  select.dataset.tells = "scenario";
  const reset = make(
    "button",
    { type: "button", click: () => resetAll({ outbox, guess }) },
    words("control.reset"),
  );
  const titles = new Map(scenarios.map(({ name, title }) => [name, saidText(words, title)]));
  return {
    element: make("div", { class: "overlap-tools" }, element, reset),
    show({ state, controls }) {
      if (controls?.scenario) titles.set(controls.scenario.name, saidText(words, controls.scenario.title));
      if (outbox.isSettled("scenario")) setOptions(select, [...titles], state.scenario);
    },
  };
}
