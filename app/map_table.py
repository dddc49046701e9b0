"""The map as a table: a row for each bucket size, a column for each round value."""

from typing import Any

from overlap_widget.app.map_columns import AXES, flat, landscape_of
from overlap_widget.app.settings import Settings
from overlap_widget.model.regime import Regime

ROUND = (1, 2, 5)
"""Of each decade, the values that get a column."""


def map_table(settings: Settings) -> dict[str, Any]:
    """Tails [s] and regimes by bucket size and by value of the axis, in its SI unit."""
    found, axis = landscape_of(settings), AXES[settings.axis]
    places = [place for place, value in enumerate(axis.values) if _is_round(value)]
    names = [one.value for one in Regime]
    return {
        "axis": axis.name,
        "values": [axis.values[place] for place in places],
        "bucket": found.buckets.tolist(),
        "tail_s": flat(found.tail_s)[:, places].tolist(),
        "regime": [
            [names[one] for one in row]
            for row in flat(found.regime)[:, places].tolist()
        ],
    }


def _is_round(value: float) -> bool:
    """Whether it is 1, 2 or 5 times a power of ten."""
    digits, _, _ = f"{value:.6e}".partition("e")
    return float(digits) in ROUND
