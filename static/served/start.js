// The start of a page of our own server: once its picture is painted come the scripts,
// in their order, and then the session. Until the figures are drawn the picture stays.

import { afterPaint } from "../embed/after_paint.js";
import { keepOneView } from "./one_view.js";

(() => {
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
  afterPaint(run);
})();
