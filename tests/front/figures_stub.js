// Stands in for the Bokeh figures: boxes of their heights that note what they are told.

const HEIGHTS = { lanes: 230, curve: 205, map: 260, recording: 160, against: 160, ranks: 200 };

export async function embedFigures(items, elements) {
  for (const [name, element] of Object.entries(elements)) {
    element.style.height = `${HEIGHTS[name]}px`;
  }
  const told = { applied: [], painted: [], navigated: [], onWindow: null, onPick: null };
  window.told = told;
  if (window.figuresFail) throw new Error("no canvas");
  return {
    apply: (states) => told.applied.push(states),
    flush() {},
    paint: (colorOf) => told.painted.push({ ground: colorOf("ground") }),
    dismiss() {},
    onPick: (tell) => (told.onPick = tell),
    onLook: (tell) => (told.onLook = tell),
    look: (start, end) => told.navigated.push(["look", start, end]),
    onWindow: (tell) => (told.onWindow = tell),
    zoom: (factor) => told.navigated.push(["zoom", factor]),
    pan: (fraction) => told.navigated.push(["pan", fraction]),
    fit: () => told.navigated.push(["fit"]),
    destroy: () => told.navigated.push(["destroy"]),
  };
}
