// The three controls of Explore, following the driver unless a hand is on them.

import { createControl } from "./control.js";
import { make } from "./elements.js";
import { sizeText } from "./quantities.js";

/** `show(view)` sets each control that has no move of its own on the way. */
export function createControls(specs, context) {
  const { words, outbox } = context;
  const rows = specs.map((spec) => {
    const send = (value) => outbox.set(spec.key, value);
    return { spec, control: createControl(spec, context, send) };
  });
  const element = make(
    "section",
    { class: "overlap-controls", "aria-label": words("region.controls") },
    ...rows.map(({ control }) => control.element),
  );
  return {
    element,
    show(view) {
      for (const { spec, control } of rows) {
        if (!outbox.isSettled(spec.key)) continue;
        const bounds = view.controls?.[spec.key] ?? {};
        const stops = bounds.max && spec.key === "bucket" ? wholeNumbers(bounds.max) : spec.stops;
        control.show(view.state[spec.key], stops, sizeNote(view, spec.key, bounds));
      }
    },
  };
}

/** The stops of a count that goes as far as the view says. */
function wholeNumbers(most) {
  return Array.from({ length: most }, (_, index) => index + 1);
}

/** The size of a full bucket beside the count of its layers, where it is known. */
function sizeNote(view, key, { sizes_bytes }) {
  if (key !== "bucket") return () => "";
  const { bucket_layers, bucket_bytes } = view.explore?.numbers ?? {};
  return (layers) => {
    const isShown = layers === bucket_layers;
    const size_bytes = isShown ? bucket_bytes : sizes_bytes?.[layers - 1];
    return size_bytes === undefined ? "" : sizeText(size_bytes);
  };
}
