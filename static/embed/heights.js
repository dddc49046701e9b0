// Tells the page around the frame how high the content is, in the forms that are in use.

import { nextFrame, post } from "./posts.js";

/**
 * Posts the height of what `root` holds whenever it changes. It follows from the width of
 * the frame alone, so a host that sets the frame to it causes no other one.
 */
export function createHeights(root) {
  let told = 0;
  let isWaiting = false;

  function tell() {
    isWaiting = false;
    const height = Math.ceil(root.getBoundingClientRect().bottom + window.scrollY);
    if (height <= 0 || height === told) return; // 0: in a frame that isn't laid out
    told = height;
    postHeight(height);
  }
  const observer = new ResizeObserver(() => {
    if (!isWaiting) nextFrame(tell);
    isWaiting = true;
  });
  observer.observe(root);
  return {
    /** Post it again, for a host that has come later. */
    repeat() {
      told = 0;
      tell();
    },
    destroy: () => observer.disconnect(),
  };
}

// Canvas takes an object (instructure/canvas-lms@05e9653 doc/api/lti_window_post_message.md),
// Sakai the same as JSON text (sakaiproject/sakai@5db99af basiclti/docs/POSTMESSAGE.md).
function postHeight(height) {
  const resize = { subject: "lti.frameResize", height };
  post("height", { height });
  window.parent.postMessage(resize, "*");
  window.parent.postMessage(JSON.stringify(resize), "*");
}
