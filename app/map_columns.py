"""The map: the tail over bucket size and bandwidth or overhead, as columns.

Cells of a row that belong to the same level are one bar, so that a map of thousands
of points is a few hundred marks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.app.controls import BANDWIDTH, OVERHEAD
from overlap_widget.app.settings import LAYERS, Settings
from overlap_widget.app.words import words
from overlap_widget.model.effects import Effects
from overlap_widget.model.landscape import Landscape, landscape
from overlap_widget.model.layer import Layer
from overlap_widget.model.regime import Regime
from overlap_widget.model.units import GB, MS

LEVELS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper ends of the levels but the last: the tail as a share of the pass."""
LABEL_MARGIN = 0.06
"""Of the map's height: a name in the first or last row keeps so far from its edge."""
EVERY_SIZE, GROWTH = 24, 1.1
"""Up to so many sizes the map has each, above that one for every ten percent."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Axis:
    """What the map varies beside the bucket size: its values, and those as drawn."""

    name: str
    values: tuple[float, ...]
    per_unit: float

    @property
    def shown(self) -> Floats:
        """In the unit of the axis."""
        return np.array(self.values) / self.per_unit

    @property
    def edges(self) -> Floats:
        """Between the values, in the middle of a logarithmic axis, and at both ends."""
        logs = np.log10(self.shown)
        middles = (logs[1:] + logs[:-1]) / 2
        ends = 2 * logs[0] - middles[0], 2 * logs[-1] - middles[-1]
        return np.asarray(10 ** np.r_[ends[0], middles, ends[1]])


AXES = {
    "bandwidth": Axis("bandwidth", BANDWIDTH.stops, GB),
    "overhead": Axis("overhead", OVERHEAD.stops[1:], MS),  # 0 has no logarithm
}


def sizes_shown(layers: int) -> tuple[int, ...]:
    """The bucket sizes of the map's rows; always 1 and all layers."""
    sizes = list(range(1, min(layers, EVERY_SIZE) + 1))
    while sizes[-1] < layers:
        sizes.append(min(layers, round(sizes[-1] * GROWTH)))
    return tuple(sizes)


@lru_cache(maxsize=64)
def found_for(
    layers: tuple[Layer, ...], axis: str, fixed: float, effects: Effects
) -> Landscape:
    """The landscape behind a map; a move along the map finds it again."""
    values = AXES[axis].values
    bandwidths, overheads = (
        (values, [fixed]) if axis == "bandwidth" else ([fixed], values)
    )
    return landscape(layers, bandwidths, overheads, sizes_shown(len(layers)), effects)


def landscape_of(settings: Settings) -> Landscape:
    """The map of these settings, over the straight line of the link's two numbers."""
    is_bandwidth = settings.axis == "bandwidth"
    fixed = settings.overhead_s if is_bandwidth else settings.bandwidth_bytes_per_s
    return found_for(settings.scenario.layers, settings.axis, fixed, settings.effects)


def flat(column: NDArray[Any]) -> NDArray[Any]:
    """Bucket sizes by values of the axis: the one that is fixed has a single value."""
    return column.reshape(len(column), -1)


def map_columns(settings: Settings) -> dict[str, Any]:
    """Sources, ranges and properties of the map figure, by model name."""
    found, axis = landscape_of(settings), AXES[settings.axis]
    levels = level_of(flat(found.tail_s), flat(found.backward_s))
    regimes, bounds = flat(found.regime), row_bounds(found.buckets.tolist())
    edges = axis.edges
    return {
        "sources": {
            "cells": _cells(levels, edges, bounds),
            "borders": _borders(regimes, edges, bounds),
            "regimes": _labels(regimes, edges, found.buckets.tolist()),
            "map_here": _here(settings, axis),
        },
        "ranges": {
            "map_x": {"start": float(edges[0]), "end": float(edges[-1])},
            "map_y": {"start": bounds[0], "end": bounds[-1]},
        },
        "props": {"map_axis": {"axis_label": words(f"axis.{settings.axis}")}},
    }


def level_of(tail_s: Floats, backward_s: Floats) -> NDArray[np.intp]:
    """The level of each point; without a pass any tail is in the last one."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(tail_s > 0, tail_s / backward_s, 0.0)
    return np.searchsorted(LEVELS, share * (1 - 1e-12), side="left")


def row_bounds(sizes: Sequence[int]) -> list[float]:
    """Where the rows end: half way to the next size."""
    middles = [(low + high) / 2 for low, high in pairwise(sizes)]
    return [0.5, *middles, sizes[-1] + 0.5]


def _runs(row: NDArray[Any]) -> list[tuple[int, int]]:
    """First and one past the last place of each run of equal values."""
    cuts = np.flatnonzero(np.diff(row)) + 1
    places = [0, *cuts.tolist(), len(row)]
    return list(pairwise(places))


def _cells(
    levels: NDArray[np.intp], edges: Floats, bounds: Sequence[float]
) -> dict[str, list[Any]]:
    """A bar for each run of one level; the higher the level the denser its colour."""
    rows = [
        (edges[first], edges[end], bounds[row], bounds[row + 1], values[first])
        for row, values in enumerate(levels)
        for first, end in _runs(values)
        if values[first] > 0
    ]
    columns = np.array(rows, dtype=float).reshape(-1, 5)
    columns[:, 4] /= len(LEVELS)
    names = ("left", "right", "bottom", "top", "alpha")
    return dict(zip(names, columns.T.tolist(), strict=True))


def _borders(
    regimes: NDArray[np.uint8], edges: Floats, bounds: Sequence[float]
) -> dict[str, list[Any]]:
    """Lines between neighbours whose regimes differ."""
    lines = [
        (edges[at + 1], bounds[row], edges[at + 1], bounds[row + 1])
        for row, at in np.argwhere(np.diff(regimes, axis=1))
    ]
    for row, differs in enumerate(np.diff(regimes, axis=0) != 0, start=1):
        lines += [
            (edges[first], bounds[row], edges[end], bounds[row])
            for first, end in _runs(differs)
            if differs[first]
        ]
    columns = np.array(lines, dtype=float).reshape(-1, 4).T.tolist()
    return dict(zip(("x0", "y0", "x1", "y1"), columns, strict=True))


def _labels(
    regimes: NDArray[np.uint8], edges: Floats, sizes: Sequence[int]
) -> dict[str, list[Any]]:
    """The name of each regime in the middle of its longest row."""
    longest: dict[int, tuple[float, int, int, int]] = {}
    for row, values in enumerate(regimes):
        for first, end in _runs(values):
            room = float(np.log10(edges[end] / edges[first]))
            here = (room, row, first, end)
            longest[int(values[first])] = max(
                longest.get(int(values[first]), here), here
            )
    names = list(Regime)
    span = LABEL_MARGIN * (sizes[-1] - sizes[0] + 1)
    inside = sizes[0] - 0.5 + span, sizes[-1] + 0.5 - span
    found = [(names[key], *place) for key, place in sorted(longest.items())]
    return {
        "x": [float(np.sqrt(edges[first] * edges[end])) for *_, first, end in found],
        "y": [float(np.clip(sizes[row], *inside)) for _, _, row, _, _ in found],
        "text": [words(f"short.{one.value}") for one, *_ in found],
        "room": [room for _, room, *_ in found],
    }


def _here(settings: Settings, axis: Axis) -> dict[str, list[float]]:
    """Where the learner is; nowhere with a plan of another kind."""
    if settings.plan != LAYERS:
        return {"x": [], "y": []}
    value = (
        settings.bandwidth_bytes_per_s
        if axis.name == "bandwidth"
        else max(settings.overhead_s, axis.values[0])
    )
    return {"x": [value / axis.per_unit], "y": [settings.bucket]}
