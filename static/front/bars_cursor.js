// The cursor over a figure, as it is seen: a ring around one bar, and the bar's card.

import { make, setAttribute } from "./elements.js";

const RING_PX = 12; // of the ring, however narrow its bar is
const BESIDE_PX = 8; // from the ring to the card

/**
 * A slider that lies over a figure and takes no pointer. `show(count, at, text)` says where
 * it stands, 0 for nowhere; `place(box, rows)` puts ring and card there, null takes both
 * away.
 */
export function createCursor(name, listeners, { words, id }) {
  const hint = make("span", { id: id(`${name}-bars`), class: "overlap-keys" }, words("bars.hint"));
  const ring = make("div", { class: "overlap-cursor-ring", hidden: true });
  const card = make("dl", { class: "overlap-cursor-card", hidden: true });
  const element = make("div", {
    class: "overlap-cursor", role: "slider", tabindex: 0, "aria-valuemin": 0,
    "aria-label": words("bars.title"), "aria-describedby": hint.id, ...listeners,
  }, hint, ring, card);
  return {
    element,
    show(count, at, text) {
      setAttribute(element, "aria-valuemax", count);
      setAttribute(element, "aria-valuenow", at);
      setAttribute(element, "aria-valuetext", text);
      setAttribute(element, "data-in", at > 0);
    },
    place(box, rows = []) {
      ring.hidden = card.hidden = !box;
      if (!box) card.replaceChildren();
      if (!box) return;
      placeRing(ring, box);
      card.hidden = rows.length === 0;
      card.replaceChildren(...rows.map(([field, text]) =>
        make("div", {}, make("dt", {}, field), make("dd", {}, text))));
      placeCard(card, box, element);
    },
    reveal: () => ring.scrollIntoView({ block: "nearest", inline: "nearest" }),
  };
}

function placeRing({ style }, { left, top, width, height }) {
  const wide = Math.max(width, RING_PX);
  const high = Math.max(height, RING_PX);
  style.left = `${left - (wide - width) / 2}px`;
  style.top = `${top - (high - height) / 2}px`;
  style.width = `${wide}px`;
  style.height = `${high}px`;
}

/**
 * Beside the bar and inside of the figure's width: below it in the upper half, else above,
 * unless it would end outside of the window there and not on the other side.
 */
function placeCard(card, { left, top, width, height }, element) {
  card.style.left = "0px"; // where it is as wide as it wants to be
  const { offsetWidth: wide, offsetHeight: high } = card;
  const { clientWidth, clientHeight } = element;
  const { top: from } = element.getBoundingClientRect();
  const [above, below] = [top - BESIDE_PX - high, top + height + BESIDE_PX];
  const fits = (y) => from + y >= 0 && from + y + high <= window.innerHeight;
  const [first, other] = top + height / 2 < clientHeight / 2 ? [below, above] : [above, below];
  const middle = left + width / 2 - wide / 2;
  card.style.left = `${Math.min(Math.max(middle, 0), Math.max(clientWidth - wide, 0))}px`;
  card.style.top = `${fits(first) || !fits(other) ? first : other}px`;
}
