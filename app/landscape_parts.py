"""Parts of the curve and the map: where one is, borders, and shades."""

from collections.abc import Callable, Sequence
from typing import Any

from bokeh.core.properties import field
from bokeh.models import LinearColorMapper
from bokeh.plotting import figure

from overlap_widget.app.figure_parts import SEGMENT, empty_source, paint


def add_here(plot: figure, ring: str, line: str = "") -> None:
    """Where the learner is: a ring around the point of a source of that name.

    It is whole on the edge of the plot. With `line`, also a line through the points of
    another source. Both are seen on any ground.
    """
    point = empty_source(ring, ("x", "y"))
    for drawn in _margined(
        lambda width: plot.scatter(
            "x", "y", source=point, size=16, line_width=width, fill_alpha=0
        )
    ):
        drawn.level = "annotation"
    if line:
        points = empty_source(line, ("x", "y"))
        _margined(lambda width: plot.line("x", "y", source=points, line_width=width))


def add_borders(plot: figure, name: str) -> None:
    """Lines between two points, from a source of that name, that any ground shows."""
    source = empty_source(name, SEGMENT)
    _margined(lambda width: plot.segment(*SEGMENT, source=source, line_width=width / 2))


def _margined(draw: Callable[[float], Any]) -> list[Any]:
    """What `draw` makes of a width: twice, with margins in the colour of the ground."""
    drawn = [draw(6), draw(3)]
    for lines, role in zip(drawn, ("ground", "text"), strict=True):
        paint(lines.glyph, line_color=role)
    return drawn


def add_shades(plot: figure, name: str, roles: Sequence[str]) -> None:
    """Quads whose `level`, from 1 on, says which of the roles fills them.

    Their outlines have the same colour, so that no gap shows between two of them.
    """
    source = empty_source(name, ("left", "right", "bottom", "top", "level"))
    palette = ["gray"] * len(roles)  # until it is painted
    mapper = LinearColorMapper(low=0.5, high=len(roles) + 0.5, palette=palette)
    paint(mapper, palette="|".join(roles))
    shade = field("level", mapper)
    plot.quad(
        "left", "right", "top", "bottom", source=source, color=shade, line_width=1
    )
