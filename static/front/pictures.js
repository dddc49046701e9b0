// What Explore and Measured share around their pictures: verdict, legend, figure.

import { make, setParts, setText } from "./elements.js";

/** The sentence everything is about, and the one that explains it. */
export function createVerdict() {
  const heading = make("h2");
  const why = make("p");
  keepRoom(why);
  return {
    element: make("div", { class: "overlap-verdict" }, heading, why),
    show(parts, text) {
      setParts(heading, parts);
      setText(why, text);
    },
  };
}

/**
 * What was once as high keeps that room, as `--overlap-held`, while it is as wide: what lies
 * below doesn't go up and down with the length of a text.
 */
function keepRoom(element) {
  let [held, wide] = [0, 0];
  new ResizeObserver(([{ contentRect: { width, height } }]) => {
    if (width === 0 || (width === wide && height <= held)) return;
    [held, wide] = [width === wide ? height : 0, width];
    element.style.setProperty("--overlap-held", `${held}px`);
  }).observe(element);
}

/** A picture with words for those who can't see it; Bokeh draws into `canvas`. */
export function createFigure(name, { words, id }) {
  const summary = make("p", { id: id(`${name}-summary`), class: "overlap-unseen" });
  const canvas = make("div", { class: `overlap-figure overlap-figure-${name}` });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-labelledby", summary.id);
  setText(summary, words("figure.waiting"));
  return {
    element: make("div", {}, summary, canvas),
    canvas,
    describe: (text) => setText(summary, text),
  };
}

/** What the fills mean; `show({role: is there})` leaves out what isn't in the picture. */
export function createLegend(words, roles) {
  const entries = Object.fromEntries(roles.map((role) =>
    [role, make("li", {}, make("span", { class: `overlap-swatch overlap-swatch-${role}` }),
      words(`legend.${role}`))]));
  const name = words("region.legend");
  return {
    element: make("ul", { class: "overlap-legend", "aria-label": name }, ...Object.values(entries)),
    show(isThere) {
      for (const [role, there] of Object.entries(isThere)) entries[role].hidden = !there;
    },
  };
}
