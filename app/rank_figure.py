"""The figure of several ranks in one step: a small row each, on one clock.

Its rows lie beside the choices of the ranks in the page, so their height is fixed:
`ROW_PX` each, under `ABOVE_PX` of axis.
"""

from typing import Any

from bokeh.models import Grid, Range1d
from bokeh.plotting import figure

from overlap_widget.app.figure_parts import (
    add_bars,
    add_hatch,
    add_hover,
    new_axis,
    paint,
    plot_of,
)

ROW_PX, ABOVE_PX, BELOW_PX = 30, 46, 6
"""Of a rank's row, of the time axis over the first, of the room under the last."""


def ranks() -> figure:
    """Compute and communication of each rank; waiting apart from transfer."""
    rows = Range1d(start=0, end=2, name="rank_rows")
    plot = plot_of("ranks", figure_height(2), "axis.ranks_time", rows)
    _put_axis_above(plot)
    compute = add_bars(plot, "compute", fill="compute", line="compute", width=0.5)
    hidden = add_bars(plot, "hidden", fill="hidden", line="hidden_line")
    exposed = add_bars(plot, "exposed", fill="exposed", line="exposed")
    add_hatch(exposed, "on_exposed")
    waiting = add_bars(plot, "waits", fill="ground", line="axis")
    add_hatch(waiting, "axis", "\\")
    bare = add_bars(plot, "waits_exposed", fill="ground", line="exposed", width=1.5)
    add_hatch(bare, "exposed", "x")
    cards = {
        "computes": compute,
        "communicates": hidden,
        "exposed": exposed,
        "waits": waiting,
        "waits_exposed": bare,
    }
    for field, bars in cards.items():
        for column in ("name", "length"):
            bars.data_source.data[column] = []
        says = {"rank": "@name", field: "@length{0.000} ms"}
        add_hover(plot, [bars], ["rank", field], says)
    return plot


def figure_height(rows: int) -> int:
    """Pixels of the figure with so many ranks."""
    return ABOVE_PX + ROW_PX * rows + BELOW_PX


def _put_axis_above(plot: Any) -> None:
    """In sight while the rows are scrolled, with lines to compare the rows by."""
    plot.below = []
    axis = new_axis("axis.ranks_time")
    plot.add_layout(axis, "above")
    grid = Grid(dimension=0, ticker=axis.ticker, axis=axis)
    paint(grid, grid_line_color="grid")
    plot.add_layout(grid)
    plot.update(min_border_top=ABOVE_PX, min_border_bottom=BELOW_PX)
