// Moves out: numbered, and those of a dragged control sent one at a time.

export const PATIENCE_MS = 4_000;
export const FILE_PATIENCE_MS = 15_000; // a file, or a piece of one, may go over a slow line

/**
 * Sends moves and knows which of them have been answered.
 *
 * At most one coalesced move is unanswered; of those that come meanwhile, the newest of
 * each slot waits. So a fast drag sends what the driver can keep up with and ends on
 * its last value. `onSilence` hears that the answer to any move is overdue; what waits
 * for that answer then goes.
 */
export function createOutbox(send, onSilence) {
  const waiting = new Map();
  const sentOfSlot = new Map();
  const timers = new Map(); // of the moves that aren't answered
  let seq = 0;
  let answeredSeq = 0;
  let inFlight = null;

  function sendNumbered(move) {
    seq += 1;
    const patience_ms = move.data || move.type === "export" ? FILE_PATIENCE_MS : PATIENCE_MS;
    timers.set(seq, setTimeout(giveUp, patience_ms, seq));
    send({ ...move, seq });
    return seq;
  }
  function sendNext() {
    if (waiting.size === 0) return;
    const [slot, move] = waiting.entries().next().value;
    waiting.delete(slot);
    inFlight = seq + 1;
    sentOfSlot.set(slot, inFlight);
    sendNumbered(move);
  }
  function sendWaiting() {
    for (const [slot, late] of waiting) sentOfSlot.set(slot, sendNumbered(late));
    waiting.clear();
  }
  function giveUp(overdue) {
    timers.delete(overdue);
    onSilence();
    if (overdue === inFlight) {
      inFlight = null;
      sendNext();
    }
  }
  function forgetTimers(upTo) {
    for (const [sent, timer] of timers) {
      if (sent > upTo) continue;
      clearTimeout(timer);
      timers.delete(sent);
    }
  }
  function postLatest(slot, move) {
    waiting.delete(slot);
    waiting.set(slot, move);
    if (inFlight === null) sendNext();
  }
  return {
    /** Send when the move in flight is answered, unless a newer one of the slot comes. */
    postLatest,
    /** A setting and its new value, coalesced. */
    set: (key, value) => postLatest(key, { type: "set", key, value }),
    /** Send at once. What waits goes first, so that moves keep their order. */
    post(move) {
      sendWaiting();
      return sendNumbered(move);
    },
    /** Nobody answers any more: what waits goes to whoever holds moves meanwhile. */
    lost() {
      sendWaiting();
      onSilence();
    },
    /** Note that all moves up to this one are answered. */
    answered(upTo) {
      answeredSeq = Math.max(answeredSeq, upTo);
      seq = Math.max(seq, upTo);
      forgetTimers(upTo);
      if (inFlight === null || answeredSeq < inFlight) return;
      inFlight = null;
      sendNext();
    },
    /** Whether the latest view answers the last move of this slot. */
    isSettled(slot) {
      return !waiting.has(slot) && (sentOfSlot.get(slot) ?? 0) <= answeredSeq;
    },
    /** Whether the latest view answers every move. */
    isIdle() {
      return waiting.size === 0 && answeredSeq === seq;
    },
    /** Forget what waits. */
    destroy() {
      forgetTimers(Infinity);
      inFlight = null;
      waiting.clear();
    },
  };
}
