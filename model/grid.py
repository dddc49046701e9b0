"""The schedules of many links at once: what `schedule.py` does, on arrays.

Operations and their order are those of `schedule.py`, so that every number is the same
to the last bit. A test holds the two together.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overlap_widget.model.effects import Effects
from overlap_widget.model.layer import Plan
from overlap_widget.model.schedule import ROUNDING, Totals
from overlap_widget.model.slowed_grid import SlowedPasses

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LinkGrid:
    """A straight line for each bandwidth with each overhead.

    bandwidths_bytes_per_s: float64[bandwidths, 1], finite and above 0
    overheads_s:            float64[overheads], finite and not negative
    """

    bandwidths_bytes_per_s: Floats
    overheads_s: Floats

    @classmethod
    def of(cls, bandwidths_bytes_per_s: ArrayLike, overheads_s: ArrayLike) -> Self:
        """A grid with copies of these axes; ValueError if a link had no meaning."""
        rates = _row(bandwidths_bytes_per_s, "bandwidths")
        overheads = _row(overheads_s, "overheads")
        if not ((rates > 0) & (rates < math.inf)).all():
            raise ValueError("the bandwidths must all be finite and above 0")
        if not ((overheads >= 0) & (overheads < math.inf)).all():
            raise ValueError("the overheads must all be finite and not negative")
        return cls(rates[:, np.newaxis], overheads)

    @property
    def shape(self) -> tuple[int, int]:
        """How many bandwidths, and how many overheads."""
        return len(self.bandwidths_bytes_per_s), len(self.overheads_s)

    @property
    def free_starts(self) -> Self:
        """The same bandwidths, each once and without overhead."""
        return replace(self, overheads_s=np.zeros(1))

    def wire_s(self, size_bytes: Floats | float) -> Floats:
        """Seconds that the bytes themselves take, [..., bandwidths, 1]."""
        return size_bytes / self.bandwidths_bytes_per_s

    def transfer_s(self, size_bytes: Floats | float) -> Floats:
        """Seconds of one transfer, [..., bandwidths, overheads]: overhead and wire."""
        return self.overheads_s + self.wire_s(size_bytes)


def _row(values: ArrayLike, name: str) -> Floats:
    row = np.array(values, dtype=np.float64)
    if row.ndim != 1 or not row.size:
        raise ValueError(f"the {name} must be a row of numbers, one or more")
    return row


@dataclass(frozen=True, slots=True, eq=False)
class GridSchedules:
    """What is left of the schedules of b plans once the last transfers have ended.

    The shapes broadcast to [b, bandwidths, overheads].

    transfers:  int64[b, 1, 1], how many a step has
    late_s:     waiting for the late rank
    queued_s:   float64[b, bandwidths, overheads], the last bucket waits for the link
    overhead_s: float64[overheads], its per-transfer overhead
    wire_s:     float64[b, bandwidths, 1], its bytes
    backward_s: float64[b, bandwidths, overheads], the end of the last pass; [b, 1, 1]
                where that is the same for all links
    """

    transfers: NDArray[np.int64]
    late_s: float
    queued_s: Floats
    overhead_s: Floats
    wire_s: Floats
    backward_s: Floats

    @property
    def tail_s(self) -> Floats:
        """From the end of the pass to the end of the last transfer."""
        return self.late_s + self.queued_s + self.overhead_s + self.wire_s


def grid_schedules(
    totals: Totals, plans: Sequence[Plan], links: LinkGrid, effects: Effects
) -> GridSchedules:
    """Run the passes whose `running_totals` these are, for each plan over each link.

    Raises ValueError when an end is past what a float64 can hold.
    """
    rows = [_schedule(totals, plan, links, effects) for plan in plans]
    last_bytes, queued_s, backward_s = zip(*rows, strict=True)
    transfers = np.array([len(plan) * effects.sending_passes for plan in plans])
    return GridSchedules(
        transfers=transfers.reshape(-1, 1, 1),
        late_s=effects.late_s,
        queued_s=np.stack(queued_s),
        overhead_s=links.overheads_s,
        wire_s=links.wire_s(np.array(last_bytes).reshape(-1, 1, 1)),
        backward_s=np.stack(backward_s),
    )


class _Passes(Protocol):
    """The passes of a step, as they go on beside the transfers."""

    def ready_s(self, layers: int) -> Floats | float:
        """When a bucket is ready whose last member is the last of so many layers."""
        ...

    def send(self, start_s: Floats, end_s: Floats) -> None:
        """Learn of a transfer that layers still to come may run beside."""
        ...


@dataclass(frozen=True, slots=True)
class _SteadyPasses:
    """Passes that take their time whatever the link does."""

    done_s: list[float]
    overlap: bool

    def ready_s(self, layers: int) -> float:
        """With its last layer; without overlap, with the last of all."""
        return self.done_s[layers if self.overlap else -1]

    def send(self, start_s: Floats, end_s: Floats) -> None:
        """Nothing changes."""


def _schedule(
    totals: Totals, plan: Plan, links: LinkGrid, effects: Effects
) -> tuple[float, Floats, Floats]:
    """Bytes of the last bucket, how long it waits, and the end of the last pass."""
    done_s, held_bytes = totals
    sent = plan * effects.sending_passes
    first = len(done_s) - 1 - sum(sent)
    passes: _Passes = _SteadyPasses(done_s, effects.overlap)
    if effects.slowdown > 0 and effects.overlap:
        passes = SlowedPasses(done_s, first, len(sent), links.shape, effects.slowdown)
    free_s = np.zeros(links.shape)
    for count in sent:
        size_bytes = held_bytes[first + count] - held_bytes[first]
        first += count
        everywhere_s = passes.ready_s(first) + effects.late_s
        start_s = starts_after(everywhere_s, free_s)
        free_s = start_s + links.transfer_s(size_bytes)
        if not free_s.max() < math.inf:  # also true of NaN
            raise ValueError("the times and sizes are too large to add up")
        passes.send(start_s, free_s)
    backward_s = np.atleast_2d(passes.ready_s(first))
    return size_bytes, start_s - everywhere_s, backward_s


def starts_after(ready_s: Floats | float, free_s: Floats) -> Floats:
    """`start_after` for each link."""
    return np.where(free_s - ready_s > ROUNDING * ready_s, free_s, ready_s)
