// The language of the page: told to those who read it aloud, and changed in place.

/** Say which language `root` speaks, and all of a page that is the widget's own. */
export function tellLanguage(root, lang, words) {
  const dir = words("language.dir");
  Object.assign(root, { lang, dir });
  if (document.body.dataset.overlap === undefined) return;
  Object.assign(document.documentElement, { lang, dir });
  document.title = words("title");
}

/** The languages that a page has, each with its own name: [["en", "English"], ...]. */
export function languageOptions(strings) {
  return Object.entries(strings).map(([lang, texts]) => [lang, texts["language.name"]]);
}

/**
 * What the reader has opened, where the focus is and how high the figures are, before the
 * page is built anew from the same view. Returns what gives all that to the new page; that
 * returns what lets the heights go, once the figures are drawn again.
 */
export function rememberPlaces(root) {
  const places = placesNow(root);
  return () => givePlaces(root, places);
}

/** What is open, focused and how high, as data. */
export function placesNow(root) {
  const pathsOf = (selector) => [...root.querySelectorAll(selector)].map((one) => pathOf(root, one));
  const [opened, unfolded] = [pathsOf("details[open]"), pathsOf("[aria-expanded=true]")];
  const figures = [...root.querySelectorAll(".overlap-figure")]
    .map((one) => [pathOf(root, one), one.offsetHeight]);
  const { activeElement } = root.getRootNode();
  const focused = root.contains(activeElement) ? pathOf(root, activeElement) : null;
  return { opened, unfolded, figures, focused };
}

/** Open and focus it so again; returns what lets the heights go. */
export function givePlaces(root, { opened, unfolded, figures, focused }) {
  for (const path of opened) at(root, path)?.setAttribute("open", "");
  for (const path of unfolded) {
    const button = at(root, path);
    if (button?.ariaExpanded === "false") button.click();
  }
  const held = figures.flatMap(([path, height_px]) => hold(at(root, path), height_px));
  if (focused) at(root, focused)?.focus({ preventScroll: true });
  return () => held.forEach((one) => (one.style.minHeight = ""));
}

function hold(figure, height_px) {
  if (!figure || height_px === 0) return [];
  figure.style.minHeight = `${height_px}px`;
  return [figure];
}

/** Which child of which child an element is: the same in a page of another language. */
function pathOf(root, element) {
  const path = [];
  for (let one = element; one !== root; one = one.parentElement) {
    path.unshift([...one.parentElement.children].indexOf(one));
  }
  return path;
}

function at(root, path) {
  return path.reduce((one, place) => one?.children[place], root);
}
