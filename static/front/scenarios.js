// Which backward pass is explored, and back to how it starts.

import { make, makeSelect, setOptions } from "./elements.js";

/** A chooser and Reset; `show(state)` follows the driver. */
export function createScenarios(scenarios, { words, id, outbox }) {
  const send = (value) => outbox.set("scenario", value);
  const { select, element } = makeSelect(id("scenario"), words("control.scenario"), send);
  const reset = make(
    "button",
    { type: "button", click: () => outbox.post({ type: "reset" }) },
    words("control.reset"),
  );
  setOptions(select, scenarios.map(({ name, title }) => [name, title]), null);
  return {
    element: make("div", { class: "overlap-tools" }, element, reset),
    show(state) {
      if (outbox.isSettled("scenario")) select.value = state.scenario;
    },
  };
}
