// The start of a page of our own server: once its picture is painted come the scripts,
// in their order, and then the session. Until the figures are drawn the picture stays.

import { keepOneView } from "./one_view.js";

(() => {
  const FRAME_MS = 250; // a page that is hidden has no frames: it starts all the same
  const { front, scripts, item } = JSON.parse(document.getElementById("overlap-start").textContent);

  function added(src) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      Object.assign(script, { src, async: false, onload: resolve, onerror: reject });
      document.head.append(script);
    });
  }
  async function run() {
    globalThis.overlapFront = import(new URL(front, document.baseURI));
    await Promise.all([globalThis.overlapFront, ...scripts.map(added)]);
    keepOneView(Bokeh.require("models/renderers/glyph_renderer"));
    await Bokeh.embed.embed_items({}, [item]);
  }
  function begin() {
    cancelAnimationFrame(painted);
    clearTimeout(late);
    setTimeout(run);
  }
  const painted = requestAnimationFrame(begin);
  const late = setTimeout(begin, FRAME_MS);
})();
