// What tells an answer leaves the page while that is covered, and comes back as it was.

import { make } from "./elements.js";

/**
 * `cover(isCovered)` takes the elements out of the page, each from its own place. Those of
 * `roomy` leave their room, so that what lies below stays where it is: as high as they were,
 * or as the stylesheet has it where they weren't seen.
 */
export function createHoles(elements, roomy = []) {
  const holes = [
    ...elements.map((element) => [element, document.createComment("")]),
    ...roomy.map((element) => [element, make("div", { class: "overlap-hole" })]),
  ];
  function take(element, hole) {
    const { offsetHeight: high_px } = element;
    if (hole.style) hole.style.height = high_px ? `${high_px}px` : "";
    element.replaceWith(hole);
  }
  return {
    cover(isCovered) {
      for (const [element, hole] of holes) {
        if (isCovered && element.parentNode) take(element, hole);
        else if (!isCovered && hole.parentNode) hole.replaceWith(element);
        if (isCovered && hole.style) hole.hidden = element.hidden;
      }
    },
  };
}
