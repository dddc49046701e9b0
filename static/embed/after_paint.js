// What may wait for the first paint of a page.

const LONGEST_FRAME_MS = 250; // a page that is hidden has no frames: it starts all the same

/** Have `run` called once the page has been painted. */
export function afterPaint(run) {
  function begin() {
    cancelAnimationFrame(painted);
    clearTimeout(late);
    setTimeout(run);
  }
  const painted = requestAnimationFrame(begin);
  const late = setTimeout(begin, LONGEST_FRAME_MS);
}
