// What tells an answer leaves the page while that is covered, and comes back as it was.

/** `cover(isCovered)` takes the elements out of the page, each from its own place. */
export function createHoles(elements) {
  const holes = elements.map((element) => [element, document.createComment("")]);
  return {
    cover(isCovered) {
      for (const [element, hole] of holes) {
        if (isCovered && element.parentNode) element.replaceWith(hole);
        else if (!isCovered && hole.parentNode) hole.replaceWith(element);
      }
    },
  };
}
