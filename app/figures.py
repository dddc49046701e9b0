"""The Bokeh figures: lanes of a simulated step, the curve, lanes of a recording.

Each is made once and without data. The front embeds it from its JSON, fills its
sources by name and paints it: a tag such as `fill_color=compute` on a model says
which role of the palette that property takes, so that a theme is one pass over tags.
Time on every axis is in milliseconds.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from bokeh.core.properties import value
from bokeh.embed import json_item
from bokeh.models import (
    BasicTickFormatter,
    ColumnDataSource,
    FixedTicker,
    HoverTool,
    LinearAxis,
    Model,
    PanTool,
    Range1d,
    WheelZoomTool,
)
from bokeh.models.annotations import Span
from bokeh.plotting import figure

from overlap_widget.app.words import words

LANES_HEIGHT, CURVE_HEIGHT = 230, 240
ROW_HEIGHT, AXIS_HEIGHT = 46, 40
"""Of a recording's lane and of its time axis, in pixels."""

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"

# Where the lanes lie on the y axis of the lanes figure, from 0 to 10 upwards.
CAPTION_Y = {"compute": 9.45, "communication": 5.7, "waiting": 2.35}
COMPUTE_Y, LINK_Y, WAITING_Y = (7.2, 8.9), (3.4, 5.1), (0.3, 1.9)
BRACKET_Y, TAIL_TEXT_Y = 5.95, 6.66


@cache
def figure_items() -> dict[str, Any]:
    """All figures as Bokeh JSON items, keyed by what they show."""
    makers = {"lanes": lanes, "curve": curve, "recording": recording}
    return {name: json_item(make()) for name, make in makers.items()}


def lanes() -> figure:
    """Compute, communication and waiting transfers of a simulated step."""
    plot = _plot("lanes", LANES_HEIGHT, Range1d(start=0, end=10))
    plot.add_layout(_line("pass_end", "text", dash=[5, 4]))
    _segments(plot, "ready", ("x0", "y0", "x1", "y1"), "axis", alpha=0.6)
    compute = _bars(plot, "compute", fill="compute", line="ground")
    hidden = _bars(plot, "hidden", fill="hidden", line="hidden_line", width=1.5)
    exposed = _bars(plot, "exposed", fill="exposed", line="exposed", width=2)
    _hatch(exposed, "on_exposed")
    waiting = _bars(plot, "waiting", fill="axis", line="ground")
    _segments(plot, "bracket", ("x0", "y0", "x1", "y1"), "exposed", width=2)
    _texts(plot, "compute_labels", "on_compute")
    _texts(plot, "hidden_labels", "on_hidden")
    _texts(plot, "tail_label", "exposed", size="15px", style="bold", align="left")
    _texts(plot, "pass_label", "muted", align="left")
    _captions(plot)
    _hover(plot, [compute], ["layers", "bytes", "start", "end"])
    _hover(plot, [hidden, exposed, waiting], _TRANSFER_FIELDS)
    return plot


def curve() -> figure:
    """The tail for every bucket size, and where the learner is."""
    plot = _plot("curve", CURVE_HEIGHT, Range1d(start=0, end=50, name="curve_y"))
    plot.xaxis[0].axis_label = words("axis.bucket")
    plot.xaxis[0].ticker = FixedTicker(ticks=list(range(1, 13)), name="curve_ticks")
    plot.add_layout(_axis(words("axis.tail")), "left")
    plot.ygrid.visible = True
    source = ColumnDataSource({"x": [], "y": []}, name="tails")
    line = plot.line("x", "y", source=source, line_width=2)
    _paint(line.glyph, line_color="exposed")
    dots = plot.scatter("x", "y", source=source, size=8)
    _paint(dots.glyph, fill_color="exposed", line_color="ground")
    here = ColumnDataSource({"x": [], "y": []}, name="here")
    ring = plot.scatter("x", "y", source=here, size=16, line_width=3, fill_alpha=0)
    _paint(ring.glyph, line_color="text")
    _hover(plot, [dots], ["bucket", "tail"], {"bucket": "@x", "tail": "@y{0.00} ms"})
    return plot


def recording() -> figure:
    """Streams of a measured step, one lane each; drag sideways to move in time."""
    plot = _plot(
        "recording", AXIS_HEIGHT + 3 * ROW_HEIGHT, Range1d(start=0, end=3, name="rows")
    )
    plot.xaxis[0].axis_label = words("axis.step_time")
    plot.add_layout(_line("pass_end", "text", dash=[5, 4]))
    compute = _bars(plot, "compute", fill="compute", line="compute", width=0.5)
    other = _bars(plot, "other", fill="axis", line="axis", width=0.5)
    hidden = _bars(plot, "hidden", fill="hidden", line="hidden_line")
    exposed = _bars(plot, "exposed", fill="exposed", line="exposed")
    _hatch(exposed, "on_exposed")
    tail = _bars(plot, "tail", fill="exposed", line="exposed", width=2)
    _captions(plot)
    fields = ["name", "kernels", "start", "length"]
    _hover(plot, [compute, other, hidden, exposed], fields)
    _hover(plot, [tail], ["tail"], {"tail": "@tail{0.000} ms"})
    pan = PanTool(dimensions="width")
    wheel = WheelZoomTool(dimensions="width", modifiers={"ctrl": True})
    plot.add_tools(pan, wheel)
    plot.toolbar.active_drag = pan
    plot.toolbar.active_scroll = wheel
    return plot


_TRANSFER_FIELDS = ["bucket", "layers", "bytes", "ready", "start", "end"]
_FORMATS = {
    "bytes": "@size{0.[0]} MB",
    "ready": "@ready{0.00} ms",
    "start": "@start{0.00[0]} ms",
    "end": "@end{0.00[0]} ms",
    "length": "@length{0.000} ms",
}


def _plot(name: str, height: int, y_range: Range1d) -> figure:
    plot = figure(
        name=name,
        height=height,
        sizing_mode="stretch_width",
        x_range=Range1d(start=0, end=80, name=f"{name}_x"),
        y_range=y_range,
        x_axis_type=None,
        y_axis_type=None,
        tools="",
        toolbar_location=None,
        min_border=0,
        min_border_right=12,
        background_fill_color=None,  # the page shows through, whatever its theme
        border_fill_color=None,
        outline_line_color=None,
        output_backend="canvas",
    )
    plot.add_layout(_axis(words("axis.time")), "below")
    plot.grid.visible = False
    for grid in plot.grid:
        _paint(grid, grid_line_color="grid")
    return plot


def _axis(label: str) -> LinearAxis:
    axis = LinearAxis(
        axis_label=label,
        axis_label_text_font=FONT,
        axis_label_text_font_size="12px",
        axis_label_text_font_style="normal",
        major_label_text_font=FONT,
        major_label_text_font_size="12px",
        minor_tick_line_color=None,
        formatter=BasicTickFormatter(use_scientific=False),
    )
    _paint(axis, axis_label_text_color="muted", major_label_text_color="muted")
    _paint(axis, axis_line_color="axis", major_tick_line_color="axis")
    return axis


def _paint(model: Model, **roles: str) -> None:
    """Note which role of the palette each property takes."""
    model.tags = [*model.tags, *(f"{key}={role}" for key, role in roles.items())]


def _source(name: str, columns: Sequence[str]) -> ColumnDataSource:
    return ColumnDataSource({column: [] for column in columns}, name=name)


def _bars(plot: figure, name: str, fill: str, line: str, width: float = 1) -> Any:
    """Quads from a source of that name; returns the renderer."""
    source = _source(name, ("left", "right", "bottom", "top"))
    bars = plot.quad("left", "right", "top", "bottom", source=source, line_width=width)
    _paint(bars.glyph, fill_color=fill, line_color=line)
    return bars


def _hatch(bars: Any, role: str) -> None:
    bars.glyph.hatch_pattern = "/"
    bars.glyph.hatch_scale = 7
    bars.glyph.hatch_weight = 1.5
    bars.glyph.hatch_alpha = 0.75
    _paint(bars.glyph, hatch_color=role)


def _segments(
    plot: figure,
    name: str,
    columns: tuple[str, ...],
    role: str,
    width: float = 1,
    alpha: float = 1,
) -> None:
    lines = plot.segment(
        *columns, source=_source(name, columns), line_width=width, line_alpha=alpha
    )
    _paint(lines.glyph, line_color=role)


def _texts(
    plot: figure,
    name: str,
    role: str,
    size: str = "12px",
    style: str = "normal",
    align: str = "center",
) -> None:
    """Text at points; the front drops what is wider than its `room` on the axis.

    Text to the right of its point is never dropped, but goes to its left instead.
    """
    columns = ("x", "y", "text", "room", *(("align",) if align == "left" else ()))
    texts = plot.text(
        "x",
        "y",
        text="text",
        source=_source(name, columns),
        text_font=value(FONT),
        text_font_size=size,
        text_font_style=style,
        text_align="align" if align == "left" else align,
        text_baseline="middle",
    )
    _paint(texts.glyph, text_color=role)
    if align == "left":
        _on_ground(texts)


def _captions(plot: figure) -> None:
    """Names of the lanes at the left edge, above their bars."""
    captions = plot.text(
        "x",
        "y",
        text="text",
        source=_source("captions", ("x", "y", "text")),
        text_font=value(FONT),
        text_font_size="12px",
        text_baseline="middle",
        x_offset=2,
    )
    _paint(captions.glyph, text_color="muted")
    _on_ground(captions)


def _on_ground(texts: Any) -> None:
    """Keep what crosses behind a text from striking it through."""
    texts.glyph.background_fill_color = "white"
    _paint(texts.glyph, background_fill_color="ground")


def _line(name: str, role: str, dash: list[int]) -> Span:
    """A line across all lanes, where the backward pass ends."""
    line = Span(name=name, dimension="height", location=-1, line_dash=dash)
    line.line_width = 1.5
    _paint(line, line_color=role)
    return line


def _hover(
    plot: figure,
    renderers: list[Any],
    keys: Sequence[str],
    formats: dict[str, str] | None = None,
) -> None:
    """A card of named fields; Bokeh inserts the values as text, never as markup."""
    shown = _FORMATS | (formats or {})
    tooltips = [(words(f"field.{key}"), shown.get(key, f"@{key}")) for key in keys]
    plot.add_tools(
        HoverTool(renderers=renderers, tooltips=tooltips, point_policy="follow_mouse")
    )
