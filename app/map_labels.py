"""The names of the map's regimes, each inside of its own."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.app.figures import MAP_HEIGHT
from overlap_widget.app.map_axes import Floats
from overlap_widget.app.said import cell
from overlap_widget.model.regime import Regime

NAME_PX, AXES_PX = 14, 54
"""The height of a name; and what the axes and borders take of the figure's height."""
ROOMY = 0.9
"""Of the longest place of a name: what is as good."""


def labels(regimes: NDArray[np.uint8], edges: Floats) -> dict[str, list[Any]]:
    """Each regime's name where it has most room; none where it is too flat for one."""
    shown = [one.value for one in Regime]
    places = {
        shown[key]: place
        for key in np.unique(regimes).tolist()
        if (place := _place(regimes == key, np.log10(edges)))
    }
    return {
        "x": [float(f"{10**x:.6g}") for x, _, _ in places.values()],
        "y": [y for _, y, _ in places.values()],
        "text": [cell(f"short.{name}") for name in places],
        "room": [room for _, _, room in places.values()],
        "alone": [True] * len(places),
    }


def _place(
    is_inside: NDArray[np.bool_], edges: Floats
) -> tuple[float, float, float] | None:
    """The middle of a long run of cells, high enough for a name, and its length.

    Of runs that are about as long, the one in the middle.
    """
    row_px = (MAP_HEIGHT - AXES_PX) / len(is_inside)
    rows = min(len(is_inside), math.ceil(NAME_PX / row_px))
    windows = np.lib.stride_tricks.sliding_window_view(is_inside, rows, axis=0)
    found = [
        (end - start, start, row)
        for row, columns in enumerate(np.all(windows, axis=-1))
        for start, end in _spans(columns, edges)
    ]
    if not found:
        return None
    longest = max(length for length, _, _ in found)
    roomy = [one for one in found if one[0] >= ROOMY * longest]
    length, start, row = roomy[len(roomy) // 2]
    return start + length / 2, row + (rows + 1) / 2, length


def _spans(is_inside: NDArray[np.bool_], edges: Floats) -> list[tuple[float, float]]:
    """Where cells in a row are inside, from edge to edge."""
    changes = np.flatnonzero(np.diff(np.r_[False, is_inside, False]))
    ends = edges[changes].tolist()
    return list(zip(ends[::2], ends[1::2], strict=True))
