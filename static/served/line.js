// Between a page and its session: neither moves nor state are lost with the connection.

import { FILE_PATIENCE_MS } from "../front/moves.js";
import { createConnection } from "./connection.js";
import { createHeldMoves } from "./held_moves.js";
import { giveLeft, reloadWith, takeLeft } from "./kept_page.js";

const NEW_SESSION = { key: "error.new_session", values: {} };

/**
 * Sends the moves of the front in `root` to the session of a component: `model` and `view`
 * are what the library's `render` gets. `tellLost()` hears that the connection is gone.
 * When it is back, what changed meanwhile is shown and what waited is sent. Where the
 * session is gone too, a page of ours (`isOurs`) is loaded anew at its address.
 */
export function createLine({ model, view, root, isOurs }, tellLost) {
  const left = isOurs ? takeLeft() : {};
  const held = createHeldMoves((move) => model.send_msg(move));
  const connection = createConnection(view.model.document, {
    lost,
    back: isOurs ? back : null,
    refused: isOurs ? startAnew : () => {},
  });
  let isCatchingUp = false; // with what was shown while nobody heard it
  let { hasFiles = false } = left; // that were opened on this page
  let isWithout = hasFiles; // which its session doesn't have any more

  function lost() {
    held.hold();
    tellLost();
  }
  function back(json) {
    const { document, id, data } = view.model;
    const now = document.constructor.from_json(json).get_model_by_id(id)?.data;
    if (now?.session !== data.session) {
      startAnew();
      return;
    }
    isCatchingUp = true;
    model.send_msg({ type: "show" });
  }
  function startAnew() {
    tellLost(); // what the front still has is handed out too
    reloadWith(root, { moves: held.forAnother(), hasFiles });
  }
  return {
    send(move) {
      if (move.type === "upload") [hasFiles, isWithout] = [true, false];
      held.send(move);
      connection.expect(() => held.isAnswered(move.seq), move.data && FILE_PATIENCE_MS);
    },
    /** The view state as it is shown, with what must be said of the session itself. */
    seen(shown) {
      held.answered(shown.seq);
      if (isCatchingUp) queueMicrotask(held.release);
      isCatchingUp = false;
      return isWithout ? { ...shown, notices: [...shown.notices, NEW_SESSION] } : shown;
    },
    /** Do what the page before had still to do. Returns what then shows it as it was. */
    goOn() {
      for (const move of left.moves ?? []) model.send_msg(move);
      return () => giveLeft(root, left);
    },
    destroy: connection.destroy,
  };
}
