// Numbers with their names, as description lists.

import { make, setParts, setText } from "./elements.js";

/**
 * A list of named numbers. `entries` are [key, name, hint]; `show(texts, notes)` sets
 * them by key, each with a note where it has one; one without a text is hidden.
 */
export function createNumbers(entries, className = "") {
  const cells = new Map();
  const groups = entries.map(([key, name, hint]) => {
    const value = make("dd");
    const note = make("small");
    const attributes = { class: `overlap-entry overlap-entry-${key}`, title: hint || null };
    const group = make("div", attributes, make("dt", {}, name), value);
    cells.set(key, { group, value, note });
    return group;
  });
  return {
    element: make("dl", { class: `overlap-numbers ${className}`.trim() }, ...groups),
    show(texts, notes = {}) {
      for (const [key, { group, value, note }] of cells) {
        group.hidden = texts[key] === undefined;
        const text = make("bdi", {}, texts[key] ?? ""); // "4 ms" also where one reads leftwards
        setText(note, notes[key] ?? "");
        setParts(value, notes[key] ? [text, " ", note] : [text]);
      }
    },
  };
}

/**
 * What the named numbers mean, for those who can't hover over them; opens on demand.
 * `show(texts)` leaves out those that have no text.
 */
export function createMeanings(title, entries) {
  const groups = entries.map(([, name, hint]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, hint)));
  return {
    element: make("details", { class: "overlap-table overlap-meanings" },
      make("summary", {}, title), make("dl", {}, ...groups)),
    show(texts) {
      for (const [at, [key]] of entries.entries()) groups[at].hidden = texts[key] === undefined;
    },
  };
}
