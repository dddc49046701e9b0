// Runs the page's large scripts once its picture has been painted, one after the other,
// so that the first paint waits for none of them.

(() => {
  const FRAME_MS = 250; // a page that is hidden has no frames: it starts all the same
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
  let timer = 0;
  const begin = () => {
    clearTimeout(timer);
    timer = setTimeout(runNext);
  };
  const painted = requestAnimationFrame(begin);
  timer = setTimeout(() => {
    cancelAnimationFrame(painted);
    runNext();
  }, FRAME_MS);
})();
