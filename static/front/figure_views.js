// Bokeh's views, by where they are drawn.

/** The view of the figure that is drawn in an element; undefined while none is. */
export function viewIn(place) {
  const views = [...(globalThis.Bokeh?.index?.roots ?? [])];
  return views.find(({ el }) => el && place.contains(el));
}
