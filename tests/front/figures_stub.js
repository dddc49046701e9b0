// Stands in for the Bokeh figures: boxes of their heights that note what they are told.

const HEIGHTS = { lanes: 230, curve: 205, map: 260, recording: 160, against: 160, ranks: 200 };
const RARE = ["ranks", "against"]; // each has notes of its own, the latest in `told`
let firstGroup = null; // of figures that come in two groups, with one set of notes

export async function embedFigures(items, elements) {
  const names = Object.keys(elements);
  for (const name of names) elements[name].style.height = `${HEIGHTS[name]}px`;
  const isRare = RARE.includes(names[0]);
  const isSecond = !isRare && firstGroup !== null;
  const told = isSecond ? firstGroup
    : { applied: [], painted: [], navigated: [], onWindow: null, onPick: null };
  if (!isSecond) window.told = told;
  if (!isRare) firstGroup = isSecond ? null : told;
  if (window.figuresFail) throw new Error("no canvas");
  const note = (list, one) => isSecond || list.push(one); // what all are told is noted once
  return {
    hasWindow: names.includes("recording"),
    apply: (states) => note(told.applied, states),
    flush() {},
    paint: (colorOf) => note(told.painted, { ground: colorOf("ground") }),
    dismiss() {},
    onPick: (tell) => (told.onPick = tell),
    onLook: (tell) => (told.onLook = tell),
    look: (start, end) => note(told.navigated, ["look", start, end]),
    onWindow: (tell) => (told.onWindow = tell),
    zoom: (factor) => told.navigated.push(["zoom", factor]),
    pan: (fraction) => told.navigated.push(["pan", fraction]),
    fit: () => told.navigated.push(["fit"]),
    destroy: () => note(told.navigated, ["destroy"]),
  };
}
