// The driver of the embedded page: the twin computes what Python computes in the served
// app, in the same page and without a request. Nothing is stored.

import { mount } from "../front/front.js";
import { createSession } from "../twin/session.js";
import { createHost } from "./host.js";

const HIDDEN_FIRST = "overlap-behind"; // until the figures are drawn over the snapshot

/** Bring the page to life. `config` is the front's, `data` the twin's. */
export function embed(config, data) {
  const { main, root } = createRoot();
  let session = createSession(data, queryOf(location.hash));
  let host = null;
  const front = mount(root, config, send, placeOf());

  function show(view) {
    front.update(view);
    host?.changed(view);
  }
  // Answered after the move is noted as sent, as by any other driver.
  function send(move) {
    queueMicrotask(() => show(session.move(move)));
  }
  function restart(query) {
    session = createSession(data, query);
    show(session.view());
  }
  // Of the event: meanwhile a move that rests may have written its own address.
  addEventListener("hashchange", ({ newURL }) => restart(queryOf(new URL(newURL).hash)));
  const takeGround = () => {
    document.body.style.background = getComputedStyle(root).backgroundColor;
  };
  new MutationObserver(takeGround).observe(root,
    { attributes: true, attributeFilter: ["data-theme"] });
  show(session.view());
  front.ready.then(() => {
    reveal(main, root);
    host = createHost({
      view: () => session.view(),
      move: (move) => session.move(move),
      trial: (query) => createSession(data, query),
      show,
      restart,
    }, root);
  });
}

/** Where the widget is built: over the snapshot, unseen, with its width. */
function createRoot() {
  const main = document.querySelector("main");
  const root = document.createElement("div");
  root.className = HIDDEN_FIRST;
  main.append(root);
  return { main, root };
}

function reveal(main, root) {
  for (const other of [...main.children]) if (other !== root) other.remove();
  root.classList.remove(HIDDEN_FIRST);
  root.dataset.drawn = "";
}

/** What differs from the served page: links keep the state behind `#`. */
function placeOf() {
  const hasAddress = !["about:", "data:", "blob:"].includes(location.protocol);
  const bare = location.href.split("#")[0];
  return {
    link: (address) => (hasAddress ? `${bare}#${address}` : null),
    write: (address) => history.replaceState(history.state, "", `#${address}`),
    canExport: false,
    isBare: queryOf(location.hash) === "",
  };
}

/** The settings behind `#`, or those behind `?` where there are none. */
function queryOf(hash) {
  return hash.length > 1 ? hash.slice(1) : location.search.slice(1);
}
