// The way through the lesson: steps by name, back and next, and out of it.

/**
 * `now()` is the name of the step that is shown, `turn(isOver)` shows the closing words, or
 * the last step again. `arrived()` tells once that what was asked for here is shown.
 */
export function createLessonWay(names, { outbox, lesson: memory }, now, turn) {
  const lead = (act) => {
    memory.isLed = true;
    act();
  };
  const go = (name) => lead(() => outbox.set("lesson", name));
  return {
    go,
    start: () => go(memory.last ?? names[0]),
    move(way) {
      const at = names.indexOf(now()) + way;
      if (memory.isOver || at === names.length) turn(way > 0);
      else if (at >= 0) go(names[at]);
    },
    restart: () => lead(() => outbox.post({ type: "reset" })),
    attempt: () => lead(() => outbox.post({ type: "try" })),
    skip: () => outbox.set("predict", "off"),
    leave() {
      outbox.set("lesson", "off");
      outbox.set("mode", "explore");
    },
    arrived() {
      if (!outbox.isIdle()) return false;
      const was = memory.isLed;
      memory.isLed = false;
      return was;
    },
  };
}
