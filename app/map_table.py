"""The map as a table: a row for each bucket size, a column for each round value."""

from typing import Any

from overlap_widget.app.map_axes import Axis, digits_of
from overlap_widget.model.landscape import Landscape
from overlap_widget.model.regime import Regime

ROUND = (1, 2, 5)
"""Of each decade, the values that get a column."""


def map_table(found: Landscape, axis: Axis) -> dict[str, Any]:
    """Tails [s] and regimes by bucket size and by value of the axis, in its SI unit."""
    places = round_places(axis)
    sizes, names = found.buckets.tolist(), [one.value for one in Regime]
    tails_s = found.tail_s.reshape(len(sizes), -1)[:, places].tolist()
    regimes = found.regime.reshape(len(sizes), -1)[:, places].tolist()
    return {
        "axis": axis.name,
        "values": [axis.values[place] for place in places],
        "bucket": sizes,
        "tail_s": tails_s,
        "regime": [[names[one] for one in row] for row in regimes],
    }


def round_places(axis: Axis) -> list[int]:
    """Where on the axis its round values are."""
    digits = map(digits_of, axis.values)
    return [place for place, digit in enumerate(digits) if digit in ROUND]
