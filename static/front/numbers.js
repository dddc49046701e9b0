// Numbers with their names, as description lists.

import { make, setText } from "./elements.js";

/**
 * A list of named numbers. `entries` are [key, name, hint]; `show(texts)` sets them by
 * key, where null hides one.
 */
export function createNumbers(entries, className = "") {
  const cells = new Map();
  const groups = entries.map(([key, name, hint]) => {
    const value = make("dd");
    const attributes = { class: `overlap-entry overlap-entry-${key}`, title: hint || null };
    const group = make("div", attributes, make("dt", {}, name), value);
    cells.set(key, { group, value });
    return group;
  });
  return {
    element: make("dl", { class: `overlap-numbers ${className}`.trim() }, ...groups),
    show(texts) {
      for (const [key, { group, value }] of cells) {
        group.hidden = texts[key] === null;
        setText(value, texts[key] ?? "");
      }
    },
  };
}
