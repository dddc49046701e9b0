"""The Bokeh figures: lanes of a simulated step, curve, map, lanes of a recording.

Each is made once and without data. The front embeds it from its JSON, fills its
sources by name and paints it: a tag such as `fill_color=compute` on a model says
which role of the palette that property takes, so that a theme is one pass over tags.
Time on every axis is in milliseconds.
"""

from functools import cache
from typing import Any

from bokeh.embed import json_item
from bokeh.models import (
    FixedTicker,
    LogScale,
    LogTicker,
    PanTool,
    Range1d,
    WheelZoomTool,
)
from bokeh.plotting import figure

from overlap_widget.app.figure_parts import (
    GHOST_FIELDS,
    TRANSFER_FIELDS,
    add_bars,
    add_captions,
    add_hatch,
    add_hover,
    add_line,
    add_segments,
    add_texts,
    lean,
    new_axis,
    on_ground,
    paint,
    plot_of,
    vertical_line,
)
from overlap_widget.app.landscape_parts import add_borders, add_here, add_shades
from overlap_widget.app.rank_figure import ranks

LANES_HEIGHT, CURVE_HEIGHT, MAP_HEIGHT = 230, 205, 260
LEVELS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper ends of the map's levels but the last: the tail as a share of the pass."""
ROW_HEIGHT, AXIS_HEIGHT = 46, 40
"""Of a recording's lane and of its time axis, in pixels."""
SHORTEST_MS = 1e-5
"""How far a recording zooms in: recordings count whole nanoseconds."""

# Where the lanes lie on the y axis of the lanes figure, from 0 to 10 upwards.
CAPTION_Y = {"compute": 9.45, "communication": 5.52, "waiting": 2.35}
COMPUTE_Y, LINK_Y, WAITING_Y = (7.2, 8.9), (3.4, 5.1), (0.3, 1.9)
BRACKET_Y, TAIL_TEXT_Y = 6.0, 6.68

GHOST_Y = {"backward": (-1.6, -1.15), "link": (-2.7, -1.85)}
GHOST_CAPTION_Y = -0.62
"""Where what was measured lies, below all that is estimated."""
LANES_ROOM = {"plain": (0.0, LANES_HEIGHT), "ghost": (-2.9, LANES_HEIGHT + 51)}
"""Where the y axis begins, and the height in pixels: a lane more with a ghost."""


@cache
def figure_items() -> dict[str, Any]:
    """All figures as Bokeh JSON items, keyed by what they show."""
    makers = {
        "lanes": lanes,
        "curve": curve,
        "map": map_,
        "recording": recording,
        "ranks": ranks,
    }
    return {name: _item(make()) for name, make in makers.items()}


def _item(plot: figure) -> dict[str, Any]:
    """Without the models that others have registered: Panel's take 5 kB a figure."""
    item: dict[str, Any] = dict(json_item(lean(plot)))
    return item | {"doc": {k: v for k, v in item["doc"].items() if k != "defs"}}


def lanes() -> figure:
    """Compute, communication and waiting transfers of a simulated step."""
    y_range = Range1d(start=0, end=10, name="lanes_y")
    plot = plot_of("lanes", LANES_HEIGHT, "axis.time", y_range)
    plot.add_layout(vertical_line("pass_end", "text", dash=[5, 4]))
    add_segments(plot, "ready", "axis", alpha=0.6)
    compute = add_bars(plot, "compute", fill="compute", line="ground")
    compute.name = "compute_bars"
    hidden = add_bars(plot, "hidden", fill="hidden", line="hidden_line", width=1.5)
    exposed = add_bars(plot, "exposed", fill="exposed", line="exposed", width=2)
    add_hatch(exposed, "on_exposed")
    waiting = add_bars(plot, "waiting", fill="axis", line="ground")
    late = add_bars(plot, "late", fill="ground", line="axis")
    add_hatch(late, "axis")
    add_hatch(add_bars(plot, "slowed", fill="ground", line="axis"), "axis", "|")
    add_segments(plot, "passes", "text", width=1.5)
    add_segments(plot, "bracket", "exposed", width=2)
    add_bars(plot, "ghost_backward", fill="ground", line="axis")
    ghost = add_bars(plot, "ghost", fill="ground", line="text", width=1.5)
    _add_lane_texts(plot)
    add_hover(plot, [compute], ["layers", "bytes", "start", "end"])
    add_hover(plot, [hidden, exposed, waiting, late], TRANSFER_FIELDS)
    add_hover(plot, [ghost], GHOST_FIELDS)
    return plot


def _add_lane_texts(plot: figure) -> None:
    add_texts(plot, "compute_labels", "on_compute")
    add_texts(plot, "hidden_labels", "on_hidden")
    on_ground(add_texts(plot, "exposed_labels", "on_exposed"), "exposed", padding=2)
    add_texts(plot, "tail_label", "exposed", size="16px", style="bold", align="left")
    add_texts(plot, "pass_label", "muted", align="left")
    add_captions(plot)


def curve() -> figure:
    """The tail for every bucket size with its floors, and where the learner is."""
    y_range = Range1d(start=0, end=50, name="curve_y")
    plot = plot_of("curve", CURVE_HEIGHT, "axis.bucket", y_range)
    ticks = FixedTicker(ticks=list(range(1, 13)), name="curve_ticks")
    plot.xaxis[0].update(name="curve_sizes", ticker=ticks)
    plot.add_layout(new_axis("axis.tail"), "left")
    add_line(plot, "floor", "hidden_line", dash=[2, 3])
    add_line(plot, "best_plan", "text", dash=[8, 4])
    tails = add_line(plot, "tails", "exposed")
    dots = plot.scatter("x", "y", source=tails.data_source, size=8)
    dots.glyph.name = "curve_dots"
    paint(dots.glyph, fill_color="exposed", line_color="ground")
    add_here(plot, ring="here", line="named_plan")
    add_hover(plot, [dots], ["bucket", "tail"], {"bucket": "@x", "tail": "@y{0.00} ms"})
    return plot


def map_() -> figure:
    """The tail over bucket size and bandwidth or overhead, and where the learner is."""
    y_range = Range1d(start=0.5, end=12.5, name="map_y")
    plot = plot_of("map", MAP_HEIGHT, "axis.bandwidth", y_range)
    plot.x_scale = LogScale()
    plot.xaxis[0].update(name="map_axis", ticker=LogTicker(mantissas=[1]))
    sizes = new_axis("axis.bucket")
    sizes.update(name="map_sizes", ticker=FixedTicker(name="map_rows"))
    plot.add_layout(sizes, "left")
    shades = [f"level_{level}" for level in range(1, len(LEVELS) + 1)]
    add_shades(plot, "cells", shades)
    add_borders(plot, "borders")
    on_ground(add_texts(plot, "regimes", "text"), padding=1)
    add_here(plot, ring="map_here")
    return plot


def recording() -> figure:
    """Streams of a measured step, one lane each; drag sideways to move in time."""
    rows = Range1d(start=0, end=3, name="rows")
    height = AXIS_HEIGHT + 3 * ROW_HEIGHT
    plot = plot_of("recording", height, "axis.step_time", rows, SHORTEST_MS)
    plot.add_layout(vertical_line("pass_end", "text", dash=[5, 4]))
    compute = add_bars(plot, "compute", fill="compute", line="compute", width=0.5)
    other = add_bars(plot, "other", fill="axis", line="axis", width=0.5)
    add_hatch(other, "ground", "-")
    hidden = add_bars(plot, "hidden", fill="hidden", line="hidden_line")
    exposed = add_bars(plot, "exposed", fill="exposed", line="exposed")
    exposed.data_source.data["outline"] = []
    exposed.glyph.line_alpha = "outline"
    add_hatch(exposed, "on_exposed")
    tail = add_bars(plot, "tail", fill="exposed", line="exposed", width=2)
    phases = add_bars(plot, "phases", fill="ground", line="axis")
    add_captions(plot)
    add_texts(plot, "pass_label", "muted", align="left")
    add_texts(plot, "tail_label", "exposed", style="bold", align="left")
    add_texts(plot, "phase_labels", "text")
    left_out = add_bars(plot, "left_out", fill="ground", line="text")
    left_out.glyph.fill_alpha = 0.7
    add_hover(plot, [phases], ["phase", "start", "length"])
    _add_cards(plot, [compute, other], hidden, exposed)
    add_hover(plot, [tail], ["tail"], {"tail": "@tail{0.000} ms"})
    _add_panning(plot)
    return plot


def _add_cards(plot: figure, kernels: list[Any], hidden: Any, exposed: Any) -> None:
    """Of kernels, of transfers, and of the exposed parts of transfers."""
    merged = {"kernels": "@merged"}
    add_hover(plot, kernels, ["name", "kernels", "start", "length"], merged)
    moved = ["name", "collective", "bytes", "kernels", "start", "length"]
    add_hover(plot, [hidden], moved, merged | {"bytes": "@bytes"})
    parts = ["name", "collective", "bytes", "start", "exposed"]
    lengths = {"bytes": "@bytes", "exposed": "@length{0.000} ms"}
    add_hover(plot, [exposed], parts, lengths)


def _add_panning(plot: figure) -> None:
    """Drag to move in time; the wheel zooms with Ctrl, and scrolls the page without."""
    pan = PanTool(dimensions="width")
    wheel = WheelZoomTool(dimensions="width", modifiers={"ctrl": True})
    plot.add_tools(pan, wheel)
    plot.toolbar.active_drag = pan
    plot.toolbar.active_scroll = wheel
