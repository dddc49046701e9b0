// Says changes once, politely, to those who can't see them.

import { make } from "./elements.js";

const SPEECH_REST_MS = 500;

/**
 * A live region: what `say` gets describes what is to be heard once nothing newer came for
 * half a second. `note(text)` is heard before it, or alone.
 */
export function createAnnouncer() {
  const element = make("div", { class: "overlap-unseen", "aria-live": "polite" });
  let timer = 0;
  let describe = () => "";
  let noted = "";

  function speak() {
    const text = [noted, describe()].filter(Boolean).join(" ");
    [describe, noted] = [() => "", ""];
    if (text) element.replaceChildren(make("p", {}, text)); // heard also if it was said before
  }
  function wait() {
    clearTimeout(timer);
    timer = setTimeout(speak, SPEECH_REST_MS);
  }
  return {
    element,
    say(newest) {
      describe = newest;
      wait();
    },
    note(text) {
      noted = text;
      wait();
    },
    /** Nothing that was said stays to be read again. */
    forget: () => element.replaceChildren(),
    destroy() {
      clearTimeout(timer);
    },
  };
}
