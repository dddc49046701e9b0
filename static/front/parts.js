// Which parts of the page are there: the state lists those that are asked for.

import { setAttribute } from "./elements.js";

/** Whether the lists of the state leave none of the page's parts out. */
export function isWhole({ controls = "all", show = "all" }) {
  return controls === "all" && show === "all";
}

/** Whether a part, as "controls.bucket" or "show.map", is in its list of the state. */
export function isAsked(state, part) {
  const [list, name] = part.split(".");
  const asked = state[list] ?? "all";
  return asked === "all" || asked.split(",").includes(name);
}

/**
 * `rows` are elements, each with the parts that it holds: `show(state)` hides an element
 * none of whose parts is asked for, from readers of all kinds.
 */
export function createParts(rows) {
  return {
    show(state) {
      for (const [element, ...parts] of rows) {
        setAttribute(element, "hidden", !parts.some((part) => isAsked(state, part)));
      }
    },
  };
}
