"""The map: the tail over bucket size and bandwidth or overhead, as columns.

Cells of a row that belong to the same level are one bar, so that a map of thousands
of points is a few hundred marks. A row is 1 high and in the middle of its number.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.app.figures import LEVELS
from overlap_widget.app.map_axes import (
    AXES,
    Axis,
    Floats,
    row_of,
    row_ticks,
    sizes_shown,
)
from overlap_widget.app.map_labels import labels
from overlap_widget.app.settings import LAYERS, Settings
from overlap_widget.model.landscape import Landscape


def map_columns(found: Landscape, axis: Axis) -> dict[str, Any]:
    """Sources, ranges and properties of the map figure, all but where one is."""
    sizes = tuple(found.buckets.tolist())
    shape = (len(sizes), len(axis.values))
    levels = level_of(found.tail_s, found.backward_s).reshape(shape)
    regimes, edges = found.regime.reshape(shape), axis.edges
    ticks = row_ticks(sizes)
    return {
        "sources": {
            "cells": _cells(levels, edges),
            "borders": _borders(regimes, edges),
            "regimes": labels(regimes, edges),
        },
        "ranges": {
            "map_x": {"start": float(edges[0]), "end": float(edges[-1])},
            "map_y": {"start": 0.5, "end": len(sizes) + 0.5},
        },
        "props": {
            "map_axis": {"axis_label": f"axis.{axis.name}"},
            "map_rows": {"ticks": list(ticks)},
            "map_sizes": {"major_label_overrides": ticks},
        },
    }


def map_here(settings: Settings) -> dict[str, list[float]]:
    """Where the learner is on the map, which has no tables and no named plans."""
    if settings.plan != LAYERS or settings.table:
        return {"x": [], "y": []}
    axis, sizes = AXES[settings.axis], sizes_shown(len(settings.scenario.layers))
    value = _value_on(axis, settings) / axis.per_unit
    return {"x": [value], "y": [row_of(sizes, settings.bucket)]}


def _value_on(axis: Axis, settings: Settings) -> float:
    """Of the settings; an overhead of 0 lies on the edge of a logarithmic axis."""
    if axis.name == "bandwidth":
        return settings.bandwidth_bytes_per_s
    return max(settings.overhead_s, axis.values[0])


def level_of(tail_s: Floats, backward_s: Floats) -> NDArray[np.intp]:
    """The level of each point; without a pass any tail is in the last one."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(tail_s > 0, tail_s / backward_s, 0.0)
    return np.searchsorted(LEVELS, share * (1 - 1e-12))


def _runs(row: NDArray[Any]) -> list[tuple[int, int]]:
    """First and one past the last place of each run of equal values."""
    cuts = np.flatnonzero(np.diff(row)) + 1
    return list(pairwise([0, *cuts.tolist(), len(row)]))


def _cells(levels: NDArray[np.intp], edges: Floats) -> dict[str, list[Any]]:
    """A bar for each run of one level; the lowest level is the bare ground."""
    bars = [
        (edges[first], edges[end], number - 0.5, number + 0.5, values[first])
        for number, values in enumerate(levels, start=1)
        for first, end in _runs(values)
        if values[first] > 0
    ]
    return _columns(bars, ("left", "right", "bottom", "top", "level"))


def _borders(regimes: NDArray[np.uint8], edges: Floats) -> dict[str, list[Any]]:
    """Lines between neighbours whose regimes differ."""
    upright = [
        (edges[at + 1], row + 0.5, edges[at + 1], row + 1.5)
        for row, at in np.argwhere(np.diff(regimes, axis=1))
    ]
    level = [
        (edges[first], number + 0.5, edges[end], number + 0.5)
        for number, differs in enumerate(np.diff(regimes, axis=0) != 0, start=1)
        for first, end in _runs(differs)
        if differs[first]
    ]
    return _columns([*upright, *level], ("x0", "y0", "x1", "y1"))


def _columns(
    rows: Sequence[tuple[float, ...]], names: tuple[str, ...]
) -> dict[str, list[Any]]:
    columns = np.array(rows, dtype=float).reshape(-1, len(names)).T.tolist()
    return dict(zip(names, columns, strict=True))
