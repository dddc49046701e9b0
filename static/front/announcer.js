// Says changes once, politely, to those who can't see them.

import { make, setText } from "./elements.js";

const SPEECH_REST_MS = 500;

/** A live region; `say(text)` is heard once nothing newer came for half a second. */
export function createAnnouncer() {
  const element = make("div", { class: "overlap-unseen", "aria-live": "polite" });
  let timer = 0;

  return {
    element,
    say(describe) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const text = describe();
        if (text) setText(element, text);
      }, SPEECH_REST_MS);
    },
    /** Nothing that was said stays to be read again. */
    forget: () => setText(element, ""),
    destroy() {
      clearTimeout(timer);
    },
  };
}
