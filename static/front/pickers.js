// Which recording, device and step of measured mode is shown.

import { make, makeSelect, setOptions } from "./elements.js";
import { timeText } from "./quantities.js";

const PICKED = ["recording", "device", "step"];

/** What is shown, in three choices; the device only where there are several. */
export function createPickers({ words, id, outbox }) {
  const pickers = PICKED.map((type) => {
    const name = words(`pick.${type}`);
    const send = (value) => outbox.postLatest(type, { type, value: Number(value) });
    return { type, ...makeSelect(id(type), name, send) };
  });
  return {
    element: make("div", { class: "overlap-pickers" }, ...pickers.map((one) => one.element)),
    show(measured) {
      const texts = pickerTexts(words, measured);
      for (const { type, select, element } of pickers) {
        element.hidden = texts[type].length < (type === "device" ? 2 : 1);
        if (!outbox.isSettled(type)) continue;
        const options = texts[type].map((text, index) => [String(index), text]);
        setOptions(select, options, String(measured[type]));
      }
    },
  };
}

/** "Step 5" where the trace only numbers its steps, else the name that it gives. */
export function stepName(words, name) {
  return /^\d+$/.test(name) ? words("step.numbered", { n: name }) : String(name);
}

/** The recordings, the devices and the steps that there are to choose, in words. */
export function pickerTexts(words, { recordings, devices, steps = [] }) {
  return {
    recording: recordings.map(({ name, format, rank }) =>
      words(rank === null ? "recording.plain" : "recording.ranked", { name, format, rank })),
    device: devices.map((device) => words("device.numbered", { n: device })),
    step: steps.map(({ name, complete, span_s }) =>
      words(complete ? "step.complete" : "step.partial", {
        name: stepName(words, name),
        span: timeText(span_s),
      })),
  };
}
