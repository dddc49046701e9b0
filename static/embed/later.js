// Runs the page's large scripts once its picture has been painted, one after the other,
// so that the first paint waits for none of them.

import { afterPaint } from "./after_paint.js";

(() => {
  const waiting = ["overlap-widget", "overlap-bokeh"];
  const rules = { createScript: (text) => text }; // both stand in the file as they are run
  const trusted = globalThis.trustedTypes?.createPolicy("overlap", rules) ?? rules;

  function runNext() {
    const text = document.getElementById(waiting.shift());
    const script = document.createElement("script");
    script.textContent = trusted.createScript(text.textContent);
    text.replaceWith(script);
    if (waiting.length) setTimeout(runNext);
  }
  afterPaint(runNext);
})();
