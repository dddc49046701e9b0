// Moves that aren't answered yet: kept, so that none is lost with the connection.

const MOST_SENDS = 3; // of a move: what ends the connection each time isn't tried for ever
const ELSEWHERE = ["set", "reset", "preset"]; // what means the same in another session

/**
 * Sends moves, or holds them while there is nobody to send them to. Each is kept until it
 * is answered. `send(move)` takes those that go.
 */
export function createHeldMoves(send) {
  let kept = []; // {move, sent}: how often
  let isHeld = false;
  const moves = () => kept.map(({ move }) => move);

  function sendOne(one) {
    one.sent += 1;
    send(one.move);
  }
  return {
    send(move) {
      const one = { move, sent: 0 };
      kept.push(one);
      if (!isHeld) sendOne(one);
    },
    /** All up to this one are answered. */
    answered(seq) {
      kept = kept.filter(({ move }) => move.seq > seq);
    },
    isAnswered: (seq) => kept.every(({ move }) => move.seq !== seq),
    hold() {
      isHeld = true;
    },
    /** Send what isn't answered, once more or for the first time. */
    release() {
      isHeld = false;
      const last = newest(moves());
      kept = kept.filter(({ move, sent }) => last.includes(move) && sent < MOST_SENDS);
      kept.forEach(sendOne);
    },
    /** What a session that knows none of the others can do all the same, without numbers. */
    forAnother: () => newest(moves()).filter(({ type }) => ELSEWHERE.includes(type))
      .map(({ type, key, value }) => ({ type, key, value })),
  };
}

/** Of moves that set the same, only the last. */
function newest(moves) {
  const isLater = (move, at) => moves.slice(at + 1).some(({ type, key }) => type === "set" && key === move.key);
  return moves.filter((move, at) => move.type !== "set" || !isLater(move, at));
}
