// Focus stays with the reader where what had it is hidden or goes.

/**
 * Do `change()`. Focus that was in `element` and can't be seen afterwards goes to the first
 * of `others` that can.
 */
export function keepFocus(element, change, ...others) {
  const held = element.getRootNode().activeElement;
  const wasInside = Boolean(held) && element.contains(held);
  change();
  if (wasInside && !isShown(held)) others.find(isShown)?.focus();
}

/** What the reader has just heard: the keys that the focused control says by itself. */
export function toldByFocus(root) {
  return root.getRootNode().activeElement?.dataset.tells?.split(" ") ?? [];
}

/** Scroll as little as shows all of an element, or its beginning where it is too high. */
export function bringIntoView(element) {
  element.scrollIntoView({ block: element.offsetHeight > window.innerHeight ? "start" : "nearest" });
}

export function isShown(element) {
  return element.checkVisibility({ visibilityProperty: true });
}
