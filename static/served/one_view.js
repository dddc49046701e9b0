// Marks are worked out once, not five times: Bokeh keeps four more views of them, for when
// they are selected, muted or dragged, which ours never are. A look that a figure gives
// is kept.

/** Does so for the renderers of Bokeh's module `models/renderers/glyph_renderer`. */
export function keepOneView({ GlyphRendererView }) {
  const { build_glyph_view } = GlyphRendererView.prototype;
  const once = ["set_base", "set_data", "set_visuals", "after_visuals",
    "after_lazy_visuals", "map_data", "remove"];
  const get = (view, name) => (once.includes(name) ? () => {} : view[name]);
  GlyphRendererView.prototype.build_glyph_view = function (glyph) {
    const { glyph: view, model } = this;
    const given = ["selection", "nonselection", "hover", "muted"];
    const isGiven = given.some((look) => model[`${look}_glyph`] === glyph);
    return view && !isGiven ? new Proxy(view, { get }) : build_glyph_view.call(this, glyph);
  };
}
