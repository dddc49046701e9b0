"""What the map runs over: bucket sizes upwards, bandwidth or overhead sideways."""

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.app.controls import BANDWIDTH, OVERHEAD
from overlap_widget.app.curve_columns import size_ticks
from overlap_widget.model.units import GB, MS

EVERY_SIZE, GROWTH = 16, 1.2
"""Up to so many sizes the map has each, above that one for every fifth more."""
ROUND_SIZES = (1, 5, *(part * 10**power for power in range(1, 6) for part in (1, 2, 5)))
ROWS_OF_A_TICK = 3
"""Between two names of sizes there are so many rows at least."""

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
        return np.array(
            [float(f"{10**log:.6g}") for log in (ends[0], *middles, ends[1])]
        )


def digits_of(value: float) -> float:
    """A positive number without its power of ten, from 1 to below 10."""
    digits, _, _ = f"{value:.6e}".partition("e")
    return float(digits)


def _values(stops: tuple[float, ...]) -> tuple[float, ...]:
    """The stops of a slider and what they go around: 5 of each decade."""
    fives = {5 * stop for stop in stops if digits_of(stop) == 1}
    return tuple(sorted({*stops, *(five for five in fives if five < stops[-1])}))


AXES = {
    "bandwidth": Axis("bandwidth", _values(BANDWIDTH.stops), GB),
    "overhead": Axis("overhead", _values(OVERHEAD.stops[1:]), MS),  # 0 has no logarithm
}


def sizes_shown(layers: int) -> tuple[int, ...]:
    """The bucket sizes of the map's rows; always 1 and all layers."""
    sizes = list(range(1, min(layers, EVERY_SIZE) + 1))
    while sizes[-1] < layers:
        sizes.append(min(layers, round(sizes[-1] * GROWTH)))
    return tuple(sizes)


def row_of(sizes: tuple[int, ...], bucket: float) -> float:
    """Where a bucket size lies on the map: rows are 1 high, the first one is row 1."""
    return float(np.interp(bucket, sizes, range(1, len(sizes) + 1)))


def row_ticks(sizes: tuple[int, ...]) -> dict[float, str]:
    """The sizes that are named beside the map, by where they lie."""
    most = sizes[-1]
    if most <= EVERY_SIZE:
        return {float(size): str(size) for size in size_ticks(most)}
    named = list(ROUND_SIZES[: bisect_left(ROUND_SIZES, most)])
    if len(sizes) - row_of(sizes, named[-1]) >= ROWS_OF_A_TICK:
        named.append(most)
    return {row_of(sizes, size): str(size) for size in named}
