// The cards of the hover tool: in the widget's colours, and gone with Escape.

const cardStyle = (colorOf, scale) => `
  :host {
    max-width: min(26rem, 46vw);
    padding: 6px 8px;
    border: 1px solid ${colorOf("axis")};
    border-radius: 4px;
    background: ${colorOf("panel")};
    color: ${colorOf("text")};
    font: ${13 * scale.text}px/1.4 system-ui, sans-serif;
    overflow-wrap: anywhere;
    opacity: 1;
  }
  .bk-tooltip-row-label {
    padding-right: 8px;
    color: ${colorOf("muted")};
    text-align: left;
    overflow-wrap: normal;
  }`;

function cardsOf({ view }) {
  return [...view.tool_views.values()].flatMap((tool) => [...(tool.ttmodels?.values() ?? [])]);
}

/** Colours by name, since cards may hang where the widget's variables don't reach. */
export function paintCards(figure, colorOf) {
  for (const card of cardsOf(figure)) card.stylesheets = [cardStyle(colorOf, figure.scale)];
}

/** A finger has no pointer that hovers: a tap shows the card of what it hits. */
export function showCardsOnTap(events) {
  events.addEventListener("click", ({ pointerType, clientX, clientY }) => {
    if (pointerType !== "touch") return;
    events.dispatchEvent(
      new PointerEvent("pointermove", {
        clientX, clientY, pointerType: "mouse", isPrimary: true, bubbles: true, composed: true,
      }),
    );
  });
}

/** Take the cards of a figure away. */
export function clearCards(figure) {
  for (const card of cardsOf(figure)) card.clear();
}

/** Take the cards of all figures away on Escape; returns how to stop listening. */
export function dismissCards(figures) {
  const dismiss = (event) => {
    if (event.key === "Escape") figures.forEach(clearCards);
  };
  window.addEventListener("keydown", dismiss);
  return () => window.removeEventListener("keydown", dismiss);
}
