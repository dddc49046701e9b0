// Messages between the embedded page and the page around its frame, version 1.
//
// Out, by `postMessage` to the parent: `{overlap: 1, type, ...}`.
//   ready  {version, address, values, numbers, regime}  once, when everything is drawn
//   state  {address, values, numbers, regime}   after changes, at most one a frame, and as
//          the answer to each `set`, `get`, `reset` and `theme`
//   height {height}   CSS pixels that the page needs, when that changes, and after a `get`
//   error  {reason, key}   why a message was refused; `key` is the value at fault, if one is
// In, from the parent only: `{overlap: 1, type, id?, ...}`; `id`, a text or a number, comes
// back in the answer. Messages are done in their order, a few milliseconds of them a frame.
//   set    {values: {key: value, ...}} or {address: "..."}   all of it, or nothing
//   get    {}
//   reset  {}   as the button does
//   theme  {theme: "auto" | "light" | "dark"}; `{theme: "dark"}` alone works as well
//
// `values` are the settings under the keys of an address, numbers in seconds, bytes and
// bytes a second; text such as "25GB/s" may be sent too. They are checked as an address is:
// what is out of range is clamped, what can't be read is refused and changes nothing.
// `numbers` are those of the page in the same units, `regime` is which effect decides the
// tail; in measured mode there is no regime. While `predict` covers an answer, neither holds it.
//
// Origins: nothing that is posted is secret, so it goes to any parent ("*"). Only a message
// whose source is the parent is heard; it can do no more than a learner's hand. What isn't
// for us (no `overlap`) is ignored, what is and can't be understood is answered by `error`.

import { createHeights } from "./heights.js";
import { createInbox } from "./inbox.js";
import { nextFrame, post } from "./posts.js";

/**
 * Talks to the parent, if there is one. `session` is {view, move, show, restart, trial}:
 * `view()` and `move(move)` as of a session of the twin, `show(view)` draws a view,
 * `restart(query)` begins anew and draws, `trial(query)` is another session, to try moves in.
 * `changed(view)` hears each view that is drawn; `root` holds all of the page's content.
 */
export function createHost(session, root) {
  if (window.parent === window) return { changed() {}, destroy() {} };
  const states = createStates(session);
  const heights = createHeights(root);
  const inbox = createInbox(session, (id, type) => {
    if (type === "get") heights.repeat();
    states.answer(id);
  });
  post("ready", { version: pageVersion(), ...stateOf(session.view()) });
  return {
    changed: states.changed,
    destroy() {
      inbox.destroy();
      heights.destroy();
    },
  };
}

/** Posts the state once a frame, and to each message that asked for an answer. */
function createStates(session) {
  let last = JSON.stringify(stateOf(session.view()));
  let isWaiting = false;
  let ids = [];

  function tell() {
    isWaiting = false;
    const state = stateOf(session.view());
    const text = JSON.stringify(state);
    if (ids.length === 0 && text !== last) post("state", state);
    for (const id of ids) post("state", state, id);
    [last, ids] = [text, []];
  }
  function soon() {
    if (!isWaiting) nextFrame(tell);
    isWaiting = true;
  }
  return {
    changed: soon,
    answer(id) {
      ids.push(id);
      soon();
    },
  };
}

/** What a host gets to know of a view. */
function stateOf({ address, state, explore, measured }) {
  const { numbers = {} } = explore ?? measured ?? {};
  return { address, values: state, numbers, regime: explore?.regime ?? null };
}

function pageVersion() {
  const made = document.querySelector("meta[name=generator]")?.content ?? "";
  return made.split(" ").at(-1) || null;
}
