// What a page takes along when it is loaded anew; it stands in the history, not in a store.

import { givePlaces, placesNow } from "../front/languages.js";

const TYPED_BOXES = ".overlap-predict input[type=text], .overlap-room-list"; // and nowhere else
const GUESSED = ".overlap-options input";

/** Load the page anew, at its address; `more` is data that the next one gets. */
export function reloadWith(root, more) {
  const typed = [...root.querySelectorAll(TYPED_BOXES)].map(({ id, value }) => [id, value]);
  const chosen = root.querySelector(`${GUESSED}:checked`)?.value;
  const overlap = { ...more, places: placesNow(root), typed, chosen, scrollY };
  history.replaceState({ ...history.state, overlap }, "");
  location.reload();
}

/** What the page before this one left, once; {} where there was none. */
export function takeLeft() {
  const { overlap = {}, ...rest } = history.state ?? {};
  if (history.state?.overlap) history.replaceState(rest, "");
  return overlap;
}

/** Show it as it was: what was open, typed and focused, and where it was scrolled to. */
export function giveLeft(root, { places, typed = [], chosen, scrollY: y }) {
  if (!places) return;
  givePlaces(root, { ...places, figures: [] });
  for (const [id, value] of typed) typeAgain(root.querySelector(`#${CSS.escape(id)}`), value);
  for (const one of root.querySelectorAll(GUESSED)) if (one.value === chosen) one.click();
  scrollTo({ top: y, behavior: "instant" });
}

function typeAgain(box, value) {
  if (!box || box.value === value) return;
  box.value = value;
  for (const name of ["input", "change"]) box.dispatchEvent(new Event(name));
}
