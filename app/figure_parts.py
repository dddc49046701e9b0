"""Parts of the figures: a bare plot, bars, texts, lines and cards, with their roles."""

from collections.abc import Sequence
from typing import Any

from bokeh.core.properties import value
from bokeh.models import (
    BasicTickFormatter,
    ColumnDataSource,
    HoverTool,
    LinearAxis,
    Model,
    NoOverlap,
    Range1d,
)
from bokeh.models.annotations import Span
from bokeh.plotting import figure

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"

SEGMENT = ("x0", "y0", "x1", "y1")

TRANSFER_FIELDS = ["bucket", "layers", "bytes", "ready", "start", "end"]
GHOST_FIELDS = ["measured", "bytes", "start", "end"]
FORMATS = {
    "bytes": "@size{0.[0]} MB",
    "ready": "@ready{0.00} ms",
    "start": "@start{0.00[0]} ms",
    "end": "@end{0.00[0]} ms",
    "length": "@length{0.000} ms",
}


def plot_of(
    name: str, height: int, label: str, y_range: Range1d, shortest: float | None = None
) -> figure:
    """A bare figure with a time or size axis below, on the ground of the page.

    `shortest` is how far one can zoom in on that axis.
    """
    plot = figure(
        name=name,
        height=height,
        sizing_mode="stretch_width",
        x_range=Range1d(start=0, end=80, name=f"{name}_x", min_interval=shortest),
        y_range=y_range,
        x_axis_type=None,
        y_axis_type=None,
        tools="",
        toolbar_location=None,
        min_border=0,
        min_border_left=2,  # what is drawn on the very edge of the canvas stays there
        min_border_right=12,
        min_border_top=8,  # half a tick label
        background_fill_color=None,  # the page shows through, whatever its theme
        border_fill_color=None,
        outline_line_color=None,
    )
    plot.add_layout(new_axis(label), "below")
    plot.grid.visible = False
    return plot


def new_axis(label: str) -> LinearAxis:
    """An axis in the fonts and roles of all figures."""
    axis = LinearAxis(
        axis_label=label,
        axis_label_text_font=FONT,
        axis_label_text_font_size="12px",
        axis_label_text_font_style="normal",
        major_label_text_font=FONT,
        major_label_text_font_size="12px",
        major_label_policy=NoOverlap(min_distance=3),
        minor_tick_line_color=None,
        formatter=BasicTickFormatter(use_scientific=False),
    )
    paint(axis, axis_label_text_color="muted", major_label_text_color="muted")
    paint(axis, axis_line_color="axis", major_tick_line_color="axis")
    return axis


def paint(model: Model, **roles: str) -> None:
    """Note which role of the palette each property takes."""
    model.tags = [*model.tags, *(f"{key}={role}" for key, role in roles.items())]


def empty_source(name: str, columns: Sequence[str]) -> ColumnDataSource:
    """A source of that name, without rows."""
    return ColumnDataSource({column: [] for column in columns}, name=name)


def add_bars(plot: figure, name: str, fill: str, line: str, width: float = 1) -> Any:
    """Quads from a source of that name; returns the renderer."""
    source = empty_source(name, ("left", "right", "bottom", "top"))
    bars = plot.quad("left", "right", "top", "bottom", source=source, line_width=width)
    paint(bars.glyph, fill_color=fill, line_color=line)
    return bars


def add_hatch(bars: Any, role: str, pattern: str = "/") -> None:
    """Stripe bars, so that colour alone never tells what they are."""
    bars.glyph.hatch_pattern = pattern
    bars.glyph.hatch_scale = 7
    bars.glyph.hatch_weight = 1.5
    bars.glyph.hatch_alpha = 0.75
    paint(bars.glyph, hatch_color=role)


def add_line(plot: figure, name: str, role: str, dash: Sequence[int] = ()) -> Any:
    """A line through the points of a source of that name; returns the renderer."""
    line = plot.line(
        "x", "y", source=empty_source(name, ("x", "y")), line_width=2, line_dash=dash
    )
    paint(line.glyph, line_color=role)
    return line


def add_segments(
    plot: figure, name: str, role: str, width: float = 1, alpha: float = 1
) -> None:
    """Lines between two points, from a source of that name."""
    source = empty_source(name, SEGMENT)
    lines = plot.segment(*SEGMENT, source=source, line_width=width, line_alpha=alpha)
    paint(lines.glyph, line_color=role)


def add_texts(
    plot: figure,
    name: str,
    role: str,
    size: str = "12px",
    style: str = "normal",
    align: str = "center",
) -> Any:
    """Text at points; the front drops what is wider than its `room` on the axis.

    Text to the right of its point is never dropped: it ends at its `end` instead.
    """
    columns = ["x", "y", "text", "room"]
    if align == "left":
        columns += ["align", "end", "caption"]
    texts = plot.text(
        "x",
        "y",
        text="text",
        source=empty_source(name, columns),
        text_font=value(FONT),
        text_font_size=size,
        text_font_style=style,
        text_align="align" if align == "left" else align,
        text_baseline="middle",
    )
    paint(texts.glyph, text_color=role)
    if align == "left":
        on_ground(texts)
    return texts


def add_captions(plot: figure) -> None:
    """Names of the lanes at the left edge, above their bars and over any line."""
    captions = plot.text(
        "x",
        "y",
        text="text",
        source=empty_source("captions", ("x", "y", "text")),
        text_font=value(FONT),
        text_font_size="12px",
        text_baseline="middle",
        x_offset=2,
        level="annotation",
    )
    paint(captions.glyph, text_color="muted")
    on_ground(captions)


def on_ground(texts: Any, role: str = "ground", padding: int = 0) -> None:
    """Keep what crosses behind a text from striking it through."""
    texts.glyph.background_fill_color = "white"
    texts.glyph.padding = padding
    paint(texts.glyph, background_fill_color=role)


def lean(plot: figure) -> figure:
    """Without the looks of what is selected or muted, which nothing here ever is."""
    for renderer in plot.renderers:
        renderer.update(nonselection_glyph=None, muted_glyph=None)
    return plot


def vertical_line(name: str, role: str, dash: list[int]) -> Span:
    """A line across all lanes, where the backward pass ends; under their names."""
    line = Span(name=name, dimension="height", location=-1, line_dash=dash)
    line.update(line_width=1.5, level="guide")
    paint(line, line_color=role)
    return line


def add_hover(
    plot: figure,
    renderers: list[Any],
    keys: Sequence[str],
    formats: dict[str, str] | None = None,
) -> None:
    """A card of fields; Bokeh inserts the values as text, never as markup.

    Names of fields and axes are keys of the strings, which the front puts into words.
    """
    shown = FORMATS | (formats or {})
    tooltips = [(f"field.{key}", shown.get(key, f"@{key}")) for key in keys]
    plot.add_tools(
        HoverTool(
            renderers=renderers,
            tooltips=tooltips,
            point_policy="follow_mouse",
            show_arrow=False,
        )
    )
