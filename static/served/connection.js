// The connection of a page to its session: noticed when it is gone, and made again.

import { PATIENCE_MS } from "../front/moves.js";

const GRACE_MS = 1_000; // for an answer that is on its way while the server answers others
const WAITS_MS = [300, 1_000, 2_000, 4_000]; // before each try, the last one again and again
const MOST_REFUSALS = 2; // by a server that answers: it doesn't know the session any more
const WAKING = [["visibilitychange", document], ["online", window], ["pageshow", window]];

const connections = new WeakMap(); // of documents, as they are first used
let isWatching = false;

/** Have the library's connections tell of themselves: it hands out none before one is lost. */
function watchConnections() {
  if (isWatching) return;
  isWatching = true;
  const { prototype } = globalThis.Bokeh.require("client/connection").ClientConnection;
  const { send } = prototype;
  prototype.send = function sendSeen(message) {
    if (this.session) connections.set(this.session.document, this);
    return send.call(this, message);
  };
}

/**
 * Follows the connection of a Bokeh document, if it has one. `acts` hear of it:
 * - `lost()`: it is gone, and is tried again until it is back;
 * - `back(json)`: it is there, and this is the document that the server has; without this
 *   act the library builds the page anew from it;
 * - `refused()`: the server is there, but doesn't take this page's token any more.
 */
export function createConnection(shown, acts) {
  watchConnections();
  // The library says it in words of its own, and soon stops trying.
  const own = { reconnect_session: false, notify_connection_status: false };
  shown.config.setv(own, { sync: false });
  let isLost = false;
  let hasTried = false; // and the server was there
  let refusals = 0;
  let tries = 0;
  let timer = null;
  let buffered_bytes = 0; // at the last look at a socket that was silent

  function lose() {
    if (isLost) return;
    isLost = true;
    [hasTried, tries, refusals] = [false, 0, 0];
    acts.lost();
    tryLater();
  }
  function tryLater() {
    clearTimeout(timer);
    const wait_ms = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)];
    timer = setTimeout(tryNow, wait_ms * (0.75 + Math.random() / 2)); // a room doesn't come at once
    tries += 1;
  }
  async function tryNow() {
    const isThere = await answers();
    if (!isLost) return;
    if (isThere && refusals >= MOST_REFUSALS) {
      acts.refused();
      return;
    }
    if (isThere) {
      hasTried = true;
      connections.get(shown).reconnect();
    }
    tryLater();
  }
  /** Whether anybody answers there, whatever becomes of the socket. */
  async function answers() {
    const { url } = connections.get(shown);
    try {
      const address = url.replace(/^ws/, "http").replace(/ws$/, "metadata");
      const signal = AbortSignal.timeout(PATIENCE_MS);
      // Without credentials it takes no connection that was there before and may be dead too.
      const asked = { cache: "no-store", credentials: "omit", mode: "no-cors", signal };
      const { status } = await fetch(address, asked);
      return status < 500; // a proxy may answer for a server that is gone; 0 is another host's
    } catch {
      return false;
    }
  }
  /** A server that answers others but not us has lost us: the way to it is open at one end. */
  async function suspect(isAnswered) {
    if (!connections.has(shown)) return; // a notebook has none
    const isThere = await answers();
    if (isThere) await new Promise((resolve) => setTimeout(resolve, GRACE_MS));
    if (isLost || isAnswered()) return;
    if (isThere && !isSending()) drop();
    else setTimeout(() => isAnswered() || suspect(isAnswered), GRACE_MS);
  }
  function isSending() {
    const before_bytes = buffered_bytes;
    buffered_bytes = connections.get(shown).socket?.bufferedAmount ?? 0;
    return buffered_bytes !== before_bytes && buffered_bytes > 0;
  }
  function drop() {
    const connection = connections.get(shown);
    const { socket } = connection;
    if (socket) Object.assign(socket, { onclose: null, onerror: null, onmessage: null });
    connection.socket = null;
    socket?.close();
    lose();
  }
  /** After sleep, or on another network: try at once, or find out whether it is still there. */
  function wake() {
    const connection = connections.get(shown);
    if (document.hidden || !connection) return;
    if (isLost) {
      tries = 0;
      tryLater();
      return;
    }
    let isAnswered = false;
    connection.session.force_roundtrip().then(() => (isAnswered = true), () => (isAnswered = true));
    setTimeout(() => isAnswered || suspect(() => isAnswered), PATIENCE_MS);
  }
  function replaced(json) {
    isLost = false;
    clearTimeout(timer);
    acts.back(json);
  }
  shown.on_event("connection_lost", (_, event) => {
    connections.set(shown, event.connection.deref());
    if (isLost && hasTried) refusals += 1;
    hasTried = false;
    lose();
  });
  // The library asks for the whole document anew and would build the page anew from it.
  if (acts.back) shown.replace_with_json = replaced;
  for (const [name, target] of WAKING) target.addEventListener(name, wake);
  return {
    /** A move is on its way: unless it is answered in time, the connection is looked at. */
    expect(isAnswered, patience_ms = PATIENCE_MS) {
      if (!isLost) setTimeout(() => isAnswered() || suspect(isAnswered), patience_ms);
    },
    destroy() {
      clearTimeout(timer);
      isLost = false;
      for (const [name, target] of WAKING) target.removeEventListener(name, wake);
    },
  };
}
