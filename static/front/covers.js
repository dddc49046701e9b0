// What tells an answer leaves the page while that is covered, and comes back as it was.

import { make } from "./elements.js";

/**
 * `cover(isCovered)` takes the elements out of the page, each from its own place. Those of
 * `roomy` leave their room, so that what lies below stays where it is.
 */
export function createHoles(elements, roomy = []) {
  const holes = [
    ...elements.map((element) => [element, document.createComment("")]),
    ...roomy.map((element) => [element, make("div", { class: "overlap-hole" })]),
  ];
  function take(element, hole) {
    const high = element.offsetHeight ?? 0;
    if (hole.style) Object.assign(hole.style, { height: `${high}px`, display: high ? "" : "none" });
    element.replaceWith(hole);
  }
  return {
    cover(isCovered) {
      for (const [element, hole] of holes) {
        if (isCovered && element.parentNode) take(element, hole);
        else if (!isCovered && hole.parentNode) hole.replaceWith(element);
      }
    },
  };
}
