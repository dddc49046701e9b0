// Posting to the page around the frame, and waiting for the next frame.

const FRAME_MS = 100; // a frame that nobody sees has no animation frames

/** A message of ours to the parent; `id` is that of the message it answers. */
export function post(type, content, id) {
  const answered = id === undefined ? {} : { id };
  window.parent.postMessage({ overlap: 1, type, ...content, ...answered }, "*");
}

/** Call `act` once, with the next animation frame or soon after. */
export function nextFrame(act) {
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    act();
  };
  requestAnimationFrame(once);
  setTimeout(once, FRAME_MS);
}
