// Moves out: numbered, and those of a dragged control sent one at a time.

const PATIENCE_MS = 10_000;

/**
 * Sends moves and knows which of them have been answered.
 *
 * At most one coalesced move is unanswered; of those that come meanwhile, the newest of
 * each slot waits. So a fast drag sends what the driver can keep up with and ends on
 * its last value. `onSilence` hears that an answer is overdue; the next move then goes.
 */
export function createOutbox(send, onSilence) {
  const waiting = new Map();
  const sentOfSlot = new Map();
  let seq = 0;
  let answeredSeq = 0;
  let inFlight = null;
  let timer = 0;

  function sendNumbered(move) {
    seq += 1;
    send({ ...move, seq });
    return seq;
  }
  function sendNext() {
    if (waiting.size === 0) return;
    const [slot, move] = waiting.entries().next().value;
    waiting.delete(slot);
    inFlight = seq + 1;
    sentOfSlot.set(slot, inFlight);
    timer = setTimeout(giveUp, PATIENCE_MS);
    sendNumbered(move);
  }
  function land() {
    clearTimeout(timer);
    inFlight = null;
  }
  function giveUp() {
    land();
    onSilence();
    sendNext();
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
      for (const [slot, late] of waiting) sentOfSlot.set(slot, sendNumbered(late));
      waiting.clear();
      return sendNumbered(move);
    },
    /** Note that all moves up to this one are answered. */
    answered(upTo) {
      answeredSeq = Math.max(answeredSeq, upTo);
      seq = Math.max(seq, upTo);
      if (inFlight === null || answeredSeq < inFlight) return;
      land();
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
      land();
      waiting.clear();
    },
  };
}
