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

/** A `<select>` with its name for those who can't see it. */
export function makeSelect(id, name, onChoice) {
  return make("select", {
    id,
    class: "overlap-select",
    "aria-label": name,
    change: (event) => onChoice(event.target.value),
  });
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
