// Settings that are one of a few texts.

import { make, makeEnglish, makeSelect, setOptions, setParts } from "./elements.js";
import { saidText } from "./said.js";

/**
 * A chooser of a setting; `options` are [value, text], with a sentence on each where a
 * third is given. Texts may be sentences as data; a hint that is a text is the model's own. `show(state, isOffered)` follows the driver; not all may be offered.
 */
export function createChoice(key, options, { words, id, outbox }) {
  const send = (value) => outbox.set(key, value);
  const { select, element } = makeSelect(id(key), words(`control.${key}`), send);
  const hints = Object.fromEntries(options.map(([value, , hint]) => [value, hint]));
  const hint = make("p", { id: id(`${key}-hint`), class: "overlap-hint" });
  setOptions(select, options.map(([value, text]) => [value, saidText(words, text)]), null);
  select.setAttribute("aria-describedby", hint.id);
  return {
    element: make("div", { class: "overlap-control" }, element, hint),
    show(state, isOffered = () => true) {
      for (const option of select.options) option.hidden = !isOffered(option.value);
      if (outbox.isSettled(key)) select.value = state[key];
      const said = hints[select.value] ?? "";
      setParts(hint, [typeof said === "string" ? makeEnglish(words, said) : saidText(words, said)]);
      hint.hidden = said === "";
    },
  };
}

/** Options whose texts are in the strings: `overlap.on`, `overlap.off`. */
export function wordedOptions(words, key, values) {
  return values.map((value) => [value, words(`${key}.${value}`)]);
}
