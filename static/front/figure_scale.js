// Figures grow with the text of the page: their texts, lines, and the room that all take.
// Styles decide, whoever sets them and when: `font-size` of the widget's root scales all,
// and its variable `--overlap-stroke` makes lines and hatches so many times as heavy.

import { make } from "./elements.js";

const PAGE_PX = 16; // the text of a page for which the figures' sizes are made
const CHART_LINE_PX = 2;
const FACTORS = {
  text: [
    "text_font_size", "axis_label_text_font_size", "major_label_text_font_size",
    "axis_label_standoff", "major_label_standoff", "major_tick_in", "major_tick_out",
    "x_offset", "padding", "size",
    "min_border_left", "min_border_right", "min_border_top", "min_border_bottom",
  ],
  stroke: ["line_width"],
  hatch: ["hatch_weight", "hatch_scale"],
};

/** How much larger than they are made the texts, lines and hatches in `root` are. */
export function scaleOf(root) {
  const style = getComputedStyle(root);
  const factor = (name) => parseFloat(style.getPropertyValue(`--overlap-${name}`)) || 1;
  const text = parseFloat(style.fontSize) / PAGE_PX || 1;
  const stroke = text * factor("stroke");
  return { text, stroke, hatch: stroke * factor("hatch") };
}

/** Calls `onChange()` when what `scaleOf(root)` says may differ; returns how to stop it. */
export function watchScale(root, onChange) {
  const probe = make("span", { class: "overlap-probe overlap-scale-probe" });
  const observer = new ResizeObserver(onChange);
  root.append(probe);
  observer.observe(probe);
  return () => {
    observer.disconnect();
    probe.remove();
  };
}

/** The sizes that a figure is made with, by its models, to be scaled from. */
export function madeSizes({ model, doc }) {
  const sizes = [];
  for (const one of doc._all_models.values()) {
    for (const [factor, names] of Object.entries(FACTORS)) {
      for (const name of names) {
        const made = name in one ? one[name] : null;
        if (scaled(made, 2) !== made) sizes.push({ one, name, made, factor });
      }
    }
  }
  return { sizes, height: model.height, more_px: 0 };
}

/** Set properties of a model as a view gives them: sizes as they are made. */
export function setMade(figure, model, properties) {
  const set = { ...properties };
  for (const entry of figure.made.sizes) {
    if (entry.one !== model || !(entry.name in properties)) continue;
    entry.made = properties[entry.name];
    set[entry.name] = scaledBy(figure.scale, entry);
  }
  model.setv(set);
}

/** Draw a figure at its scale; `height` is what it is made with, in pixels. */
export function applyScale(figure, scale, height = figure.made.height) {
  const isSame = Object.keys(FACTORS).every((name) => figure.scale?.[name] === scale[name]);
  figure.scale = scale;
  figure.made.height = height;
  figure.model.setv({ height: Math.round((height + figure.made.more_px) * scale.text) });
  if (isSame) return;
  for (const entry of figure.made.sizes) entry.one.setv({ [entry.name]: scaledBy(scale, entry) });
  if (scale.stroke > scale.text && figure.model.name === "lanes") outlineBars(figure, scale);
}

function scaledBy(scale, { name, made, factor }) {
  return scaled(made, scale[factor], factor === "text" || name === "hatch_scale");
}

// Heavy strokes: no outline of a bar is lighter than the lines of a chart are made.
function outlineBars({ made: { sizes } }, { text }) {
  for (const { one, name } of sizes) {
    if (one.type !== "Quad" || name !== "line_width") continue;
    one.setv({ line_width: { value: Math.max(one.line_width.value, CHART_LINE_PX * text) } });
  }
}

/** A number, a text such as "12px" or a value of all marks, times a factor; else itself. */
function scaled(made, factor, isWhole = false) {
  if (typeof made === "number") return isWhole ? Math.round(made * factor) : made * factor;
  if (typeof made === "string" && made.endsWith("px")) return `${parseFloat(made) * factor}px`;
  const value = made?.value;
  return value === undefined || value === null ? made : { value: scaled(value, factor, isWhole) };
}
