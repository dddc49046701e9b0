// What a step of the lesson asks of the learner, checked against what the page shows.

const IS_MET = {
  below: ({ value, goal }) => value < goal,
  above: ({ value, goal }) => value > goal,
  equals: ({ value, goal }) => value === goal,
  differs: ({ value, goal }) => value !== goal,
  same_as: ({ value, goal }, numbers) => value === numbers[goal],
  below_run: ({ value, goal }, _numbers, run) => value < goal * run.tail_s,
  tried: ({ goal }, _numbers, _run, tried) => tried.size >= goal,
};

/** What a page keeps of the lesson as long as it lives; who opens it bare is invited. */
export function createLessonMemory(isBare = false) {
  return {
    last: null, // the step that was shown last
    done: new Set(), // names of steps
    tried: createTried(),
    isInvited: isBare, // until the invitation is dismissed, followed, or of no use any more
    isReached: false, // what it asks for
    began: null, // all but the bucket size where the page began
    isOver: false, // the closing words are shown
    isLed: false, // on the way to what was asked for in the lesson, or back to its recording
    move: () => false, // a step on or back, up to them; the lesson puts its own here
  };
}

/**
 * The checks of a step, each with its `value` in this view and whether it `isMet`. None is
 * met while the answer is covered, or where another scenario took the step's place.
 */
export function checked(step, view, tried) {
  const numbers = view.explore?.numbers;
  const run = view.controls?.scenario?.run;
  const isOpen = Boolean(numbers) && !view.covered && !isElsewhere(step, view);
  return step.checks.map((check) => {
    const value = isOpen ? valueOf(check.of, view) : null;
    const isMet = value !== null && IS_MET[check.test]({ ...check, value }, numbers, run, tried);
    return { ...check, value, isMet };
  });
}

/** Whether the view shows something that the step isn't about. */
export function isElsewhere({ name, start }, { state, controls }) {
  if (start.mode === "measured") return state.mode === "explore" && !controls?.scenario?.run;
  return state.mode !== "explore" || (name !== "lever" && state.scenario !== start.scenario);
}

function valueOf(name, { state, explore, controls }) {
  if (name === "bucket" && state.plan !== "layers") return null; // a rule has no such size
  return explore.numbers[name] ?? state[name] ?? controls?.scenario?.run?.[name] ?? null;
}

/** The tail for each value of a setting that was tried, as long as all else stays. */
function createTried() {
  const tails = new Map();
  let rest = null;
  return {
    tails,
    get size() {
      return tails.size;
    },
    note(key, { state, explore }) {
      const now = JSON.stringify({ ...state, [key]: 0, theme: 0, lang: 0, projector: 0, axis: 0 });
      if (now !== rest) tails.clear();
      rest = now;
      tails.set(state[key], explore.numbers.tail_s);
    },
  };
}
