"""What a transfer costs: a straight line, or what was measured.

The straight line is `overhead + bytes / bandwidth` (the alpha-beta model of Hockney,
1994). A measured link follows a table of sizes and times instead, since one line from
64 KiB to 1 GiB misses published tables by up to 35 %. Everything else knows only
`Cost`, and sizes may be single numbers or arrays.
"""

import math
from dataclasses import dataclass, field
from typing import Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

Sizes = NDArray[np.float64]
Quantity = TypeVar("Quantity", float, Sizes)


class Cost(Protocol):
    """What a link asks for a transfer: an overhead, and wire time for its bytes."""

    @property
    def overhead_s(self) -> float:
        """Seconds before the first byte moves, whatever the size."""
        ...

    @property
    def bandwidth_bytes_per_s(self) -> float:
        """The rate of the straight line; of a table, of the line fitted to it."""
        ...

    def wire_s(self, size_bytes: Quantity) -> Quantity:
        """Seconds that the bytes themselves take."""
        ...

    def transfer_s(self, size_bytes: Quantity) -> Quantity:
        """Seconds of one transfer: overhead and wire."""
        ...

    def traffic_s(self, total_bytes: float) -> float:
        """Seconds that so many bytes take at least, however they are divided."""
        ...

    def scaled(self, overhead: float = 1.0, wire: float = 1.0) -> "Cost":
        """The same link with its overhead and its wire time so many times as long."""
        ...


@dataclass(frozen=True, slots=True)
class Link:
    """A straight line: the cost before the first byte, and the rate of the rest."""

    overhead_s: float
    bandwidth_bytes_per_s: float

    def __post_init__(self) -> None:
        """Refuse a link that never finishes."""
        if not 0 <= self.overhead_s < math.inf:
            raise ValueError("the overhead must be finite and not negative")
        if not 0 < self.bandwidth_bytes_per_s < math.inf:
            raise ValueError("the bandwidth must be finite and above 0")

    def wire_s(self, size_bytes: Quantity) -> Quantity:
        """Seconds that the bytes themselves take."""
        return size_bytes / self.bandwidth_bytes_per_s

    def transfer_s(self, size_bytes: Quantity) -> Quantity:
        """Seconds of one transfer: overhead and wire."""
        return self.overhead_s + self.wire_s(size_bytes)

    def traffic_s(self, total_bytes: float) -> float:
        """Seconds of all the bytes in one piece; a straight line takes no less."""
        return self.transfer_s(total_bytes)

    def scaled(self, overhead: float = 1.0, wire: float = 1.0) -> Self:
        """The same link with its overhead and its wire time so many times as long."""
        _check_factors(overhead, wire)
        return type(self)(self.overhead_s * overhead, self.bandwidth_bytes_per_s / wire)


@dataclass(frozen=True, slots=True)
class MeasuredLink:
    """A link that costs what a table says, with a straight line between its rows.

    Towards 0 bytes a transfer goes down to the overhead of the fitted line, or takes
    the time of the first size where that is less; above the last size it goes on at
    the rate of the last two. So a table that lies on its line is that line at every
    size. Between rows the time may fall as sizes grow, where it was measured so.

    sizes_bytes: rising, at least two
    times_s:     one for each size, all above 0; the last above the one before it
    line:        the straight line fitted to the table
    factors:     how many times as long the overhead and the wire take; 1 as measured
    """

    sizes_bytes: tuple[float, ...]
    times_s: tuple[float, ...]
    line: Link
    factors: tuple[float, float] = (1.0, 1.0)
    _curve: tuple[Sizes, Sizes] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse what can't be interpolated; keep the table as arrays from 0 bytes."""
        _check_table(self.sizes_bytes, self.times_s)
        _check_factors(*self.factors)
        sizes, times = self.sizes_bytes, self.times_s
        if sizes[0] > 0:
            sizes = (0.0, *sizes)
            times = (min(self.line.overhead_s, times[0]), *times)
        curve = np.array(sizes, dtype=np.float64), np.array(times, dtype=np.float64)
        object.__setattr__(self, "_curve", curve)

    @property
    def overhead_s(self) -> float:
        """The least that any transfer costs: a time of the table, or the line's."""
        return float(self._curve[1].min()) * self.factors[0]

    @property
    def bandwidth_bytes_per_s(self) -> float:
        """Of the fitted line."""
        return self.line.bandwidth_bytes_per_s / self.factors[1]

    def wire_s(self, size_bytes: Quantity) -> Quantity:
        """Seconds that the bytes themselves take: interpolated, less the overhead."""
        sizes, times = self._curve
        asked: Sizes = np.asarray(size_bytes, dtype=np.float64)
        # Where times fall, rounding may end just below the least of them.
        within: Sizes = np.maximum(np.interp(asked, sizes, times) - times.min(), 0.0)
        s_per_byte = (times[-1] - times[-2]) / (sizes[-1] - sizes[-2])
        past: Sizes = np.maximum(asked - sizes[-1], 0.0) * s_per_byte
        wire_s: Sizes = (within + past) * self.factors[1]
        return wire_s if isinstance(size_bytes, np.ndarray) else float(wire_s)

    def transfer_s(self, size_bytes: Quantity) -> Quantity:
        """Seconds of one transfer: overhead and wire."""
        return self.overhead_s + self.wire_s(size_bytes)

    def traffic_s(self, total_bytes: float) -> float:
        """Seconds that so many bytes take at least, however they are divided.

        In one piece, or at the best rate of a smaller size: between two rows the time
        for each byte lies between those of the rows.
        """
        sizes = self._curve[0]
        smaller = sizes[(sizes > 0) & (sizes < total_bytes)]
        divided_s = self.transfer_s(smaller) * (total_bytes / smaller)
        return min(self.transfer_s(total_bytes), float(divided_s.min(initial=math.inf)))

    def scaled(self, overhead: float = 1.0, wire: float = 1.0) -> Self:
        """The same link with its overhead and its wire time so many times as long."""
        factors = (self.factors[0] * overhead, self.factors[1] * wire)
        return type(self)(self.sizes_bytes, self.times_s, self.line, factors)


def _check_table(sizes_bytes: tuple[float, ...], times_s: tuple[float, ...]) -> None:
    """Refuse sizes and times that no measured link can have."""
    sizes, times = np.array(sizes_bytes), np.array(times_s)
    if len(sizes) < 2 or len(sizes) != len(times):  # noqa: PLR2004  two make a line
        raise ValueError("a measured link needs a time for each of two sizes or more")
    if not (np.isfinite(sizes).all() and sizes[0] >= 0 and (np.diff(sizes) > 0).all()):
        raise ValueError("the sizes of a measured link must rise from 0 or more")
    if not (np.isfinite(times).all() and (times > 0).all()):
        raise ValueError("the times of a measured link must be finite and above 0")
    if times[-1] <= times[-2]:
        raise ValueError(
            "the last size of a measured link must take longer than the one before"
        )


def _check_factors(overhead: float, wire: float) -> None:
    """Refuse a link that would run backwards or never finish."""
    if not (0 <= overhead < math.inf and 0 < wire < math.inf):
        raise ValueError(
            "a link's overhead can be scaled by 0 or more, its wire time by more than 0"
        )


def ring_factor(ranks: int) -> float:
    """How often the gradient's bytes cross each rank's port in a ring all-reduce.

    2 (n - 1) / n: none for one rank, once for two, and towards twice for many
    (nccl-tests, doc/PERFORMANCE.md).
    """
    if ranks < 1:
        raise ValueError(f"a ring has 1 rank or more, not {ranks}")
    return 2 * (ranks - 1) / ranks


def ring_bandwidth_bytes_per_s(port_bytes_per_s: float, ranks: int) -> float:
    """The rate at which gradient bytes drain where each port moves so many a second.

    Raises ValueError for one rank, which sends nothing: there is no rate.
    """
    factor = ring_factor(ranks)
    if factor == 0:
        raise ValueError("one rank has nothing to send; a ring takes 2 ranks or more")
    return port_bytes_per_s / factor
