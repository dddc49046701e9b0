// Figures that nobody sees follow later: a move repaints what is in view, and the rest
// once the moves rest, or when it comes into view.

const REST_MS = 120;

/** The states of figures with what a later one gives; the rest stays as it is. */
export function joined(states, later) {
  const both = { ...states };
  for (const [name, state] of Object.entries(later)) {
    both[name] = { ...both[name], ...state };
    both[name].sources = { ...states[name]?.sources, ...state.sources };
    both[name].props = joinedProps(states[name]?.props, state.props);
  }
  return both;
}

/** Of each model those that are given later, and what else it had. */
function joinedProps(props = {}, later = {}) {
  const both = { ...props };
  for (const [model, given] of Object.entries(later)) both[model] = { ...props[model], ...given };
  return both;
}

/**
 * `apply(states)` hands the states of figures on to `draw(states)`: at once for those whose
 * element is in view, else soon. `flush()` hands on what waits.
 */
export function createWaits(elements, draw) {
  const unseen = new Set();
  let waiting = {};
  let timer = 0;

  function flush() {
    clearTimeout(timer);
    const states = waiting;
    waiting = {};
    draw(states);
  }
  const nameOf = new Map(Object.entries(elements).map(([name, element]) => [element, name]));
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) unseen.delete(nameOf.get(target));
      else unseen.add(nameOf.get(target));
    }
    if (Object.keys(waiting).some((name) => !unseen.has(name))) flush();
  });
  for (const element of nameOf.keys()) observer.observe(element);
  return {
    apply(states) {
      const entries = Object.entries(states);
      draw(Object.fromEntries(entries.filter(([name]) => !unseen.has(name))));
      waiting = joined(waiting, Object.fromEntries(entries.filter(([name]) => unseen.has(name))));
      clearTimeout(timer);
      if (Object.keys(waiting).length) timer = setTimeout(flush, REST_MS);
    },
    flush,
    destroy() {
      clearTimeout(timer);
      observer.disconnect();
    },
  };
}
