// Making and changing elements; text is only ever set as text.

/**
 * An element with attributes and children (texts or elements). A function is taken for
 * a listener of that event, true for a bare attribute; false and null leave it out.
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else setAttribute(element, name, value);
  }
  element.append(...children);
  return element;
}

/** A sentence of the loaders, which speak English: marked in a page that doesn't. */
export function makeEnglish({ lang }, text) {
  return make("span", lang === "en" ? {} : { lang: "en", dir: "ltr" }, text);
}

/** Set an attribute where it differs; null and false remove it, true sets it bare. */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) {
    element.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Set the text of an element where it differs. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Replace the children of an element where their text differs. */
export function setParts(element, parts) {
  const text = parts.map((part) => part.textContent ?? part).join("");
  if (element.textContent !== text) element.replaceChildren(...parts);
}

/** A `<select>` and its label; `onChoice(value)` hears what is chosen by hand. */
export function makeSelect(id, name, onChoice) {
  const change = (event) => onChoice(event.target.value);
  const select = make("select", { id, class: "overlap-select", change });
  const label = make("label", { for: id }, name);
  return { select, element: make("div", { class: "overlap-choice" }, label, select) };
}

/** Fill a `<select>` with [value, text] pairs where they differ, and choose one. */
export function setOptions(select, options, chosen) {
  const shown = [...select.options].map((option) => [option.value, option.text]);
  if (JSON.stringify(shown) !== JSON.stringify(options)) {
    const fresh = options.map(([value, text]) => make("option", { value }, text));
    select.replaceChildren(...fresh);
  }
  if (select.value !== chosen) select.value = chosen;
}
