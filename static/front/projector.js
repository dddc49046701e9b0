// The page as a room reads it. Styles do most of it; what they can't do is here.

import { make, setAttribute } from "./elements.js";
import { keepFocus } from "./focus.js";
import { isWhole } from "./parts.js";

/** A room is bright: on a projector the ground is light, whatever is chosen. */
export function themeOf({ theme, projector }) {
  return projector === "on" ? "light" : theme;
}

/**
 * Marks `root` while the projector is on; `show(state)` follows the driver. `more` opens
 * what is folded away meanwhile, and `unfold(isOpen)` does as well; of a page that shows
 * some of its parts only nothing is. Focus that would be lost goes to the first of `others`.
 * `onTurn()` hears when all colours and sizes differ.
 */
export function createProjector(root, { words }, onTurn) {
  const more = make("button", {
    type: "button", class: "overlap-opens overlap-unfold", "aria-expanded": "false", hidden: true,
    click: () => unfold(root.dataset.more === undefined),
  }, words("projector.more"));
  const ring = createRing(root);

  function unfold(isOpen) {
    if (isOpen) root.dataset.more = "";
    else keepFocus(root, () => delete root.dataset.more, more);
    setAttribute(more, "aria-expanded", String(isOpen));
  }
  function turn(isOn) {
    if (isOn) root.dataset.projector = "";
    else delete root.dataset.projector;
    ring.turn(isOn);
    unfold(isOn && root.dataset.more !== undefined);
    onTurn();
  }
  return {
    more,
    unfold,
    show(state, ...others) {
      const isOn = state.projector === "on";
      if (isOn !== (root.dataset.projector !== undefined)) keepFocus(root, () => turn(isOn), ...others);
      more.hidden = !isOn || !isWhole(state);
      if (isOn && more.hidden) root.dataset.more = "";
    },
    destroy: () => ring.turn(false),
  };
}

/** A ring around the pointer, so that the room sees where it is; it takes no clicks. */
function createRing(root) {
  const ring = make("span");
  const layer = make("div", { class: "overlap-pointer", hidden: true, "aria-hidden": "true" }, ring);

  function follow({ clientX, clientY, pointerType }) {
    const { left, top } = root.getBoundingClientRect();
    layer.hidden = pointerType === "touch";
    ring.style.transform = `translate(${clientX - left}px, ${clientY - top}px)`;
  }
  function hide() {
    layer.hidden = true;
  }
  return {
    turn(isOn) {
      const act = isOn ? "addEventListener" : "removeEventListener";
      root[act]("pointermove", follow);
      root[act]("pointerleave", hide);
      if (isOn) root.append(layer);
      else layer.remove();
    },
  };
}
