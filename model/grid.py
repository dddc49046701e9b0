"""The schedules of many links at once: what `schedule.py` does, on arrays.

Operations and their order are those of `schedule.py`, so that every number is the same
to the last bit. A test holds the two together.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overlap_widget.model.effects import Effects
from overlap_widget.model.layer import Plan
from overlap_widget.model.link import Cost
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


@dataclass(frozen=True, slots=True)
class OneLink:
    """Any cost as a grid of one bandwidth and one overhead."""

    cost: Cost
    shape: tuple[int, int] = (1, 1)

    def transfer_s(self, size_bytes: Floats) -> Floats:
        """Seconds of one transfer of each size."""
        return self.cost.transfer_s(size_bytes)


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
    schedules = slowed_schedules if effects.slows_compute else _steady
    last_bytes, queued_s, backward_s = schedules(totals, plans, links, effects)
    transfers = np.array([len(plan) * effects.sending_passes for plan in plans])
    return GridSchedules(
        transfers=transfers.reshape(-1, 1, 1),
        late_s=effects.late_s,
        queued_s=queued_s,
        overhead_s=links.overheads_s,
        wire_s=links.wire_s(last_bytes.reshape(-1, 1, 1)),
        backward_s=backward_s,
    )


def _steady(
    totals: Totals, plans: Sequence[Plan], links: LinkGrid, effects: Effects
) -> tuple[Floats, Floats, Floats]:
    """Bytes of the last bucket of each plan, how long it waits, the end of the pass.

    The pass takes its time whatever the link does.
    """
    rows = [_steady_plan(totals, plan, links, effects) for plan in plans]
    last_bytes, queued_s = zip(*rows, strict=True)
    backward_s = np.full((len(plans), 1, 1), totals[0][-1])
    return np.array(last_bytes), np.stack(queued_s), backward_s


def _steady_plan(
    totals: Totals, plan: Plan, links: LinkGrid, effects: Effects
) -> tuple[float, Floats]:
    done_s, held_bytes = totals
    sent = plan * effects.sending_passes
    first = len(done_s) - 1 - sum(sent)
    free_s = np.zeros(links.shape)
    for count in sent:
        size_bytes = held_bytes[first + count] - held_bytes[first]
        first += count
        # With its last layer; without overlap, with the last of all.
        everywhere_s = done_s[first if effects.overlap else -1] + effects.late_s
        start_s = starts_after(everywhere_s, free_s)
        free_s = _ends(start_s, links.transfer_s(size_bytes))
    return size_bytes, start_s - everywhere_s


def slowed_schedules(
    totals: Totals, plans: Sequence[Plan], links: LinkGrid | OneLink, effects: Effects
) -> tuple[Floats, Floats, Floats]:
    """Bytes of each plan's last bucket, how long it waits, the end of the slowed pass.

    All plans go on together, layer by layer.
    """
    done_s, held_bytes = totals[0], np.array(totals[1])
    sent = [plan * effects.sending_passes for plan in plans]
    first, shape = len(done_s) - 1 - sum(sent[0]), (len(plans), *links.shape)
    begun, last_bytes = np.full(len(plans), first), np.zeros(len(plans))
    free_s, queued_s = np.zeros(shape), np.zeros(shape)
    passes = SlowedPasses(
        done_s, first, [len(row) for row in sent], math.prod(links.shape), effects
    )
    for layers, full in _full_buckets(sent, first):
        passes.go_on(layers)
        last_bytes[full] = held_bytes[layers] - held_bytes[begun[full]]
        begun[full] = layers
        everywhere_s = passes.done_s[full].reshape(-1, *links.shape) + effects.late_s
        start_s = starts_after(everywhere_s, free_s[full])
        queued_s[full] = start_s - everywhere_s
        free_s[full] = _ends(start_s, links.transfer_s(last_bytes[full, None, None]))
        passes.send(full, start_s, free_s[full])
    return last_bytes, queued_s, passes.done_s.reshape(shape)


def _full_buckets(
    sent: Sequence[Plan], first: int
) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """How many layers are done when buckets are full, and in which of the plans."""
    full: dict[int, list[int]] = {}
    for plan, row in enumerate(sent):
        for layers in itertools.accumulate(row, initial=first):
            full.setdefault(layers, []).append(plan)
    del full[first]
    for layers in sorted(full):
        yield layers, np.array(full[layers])


def _ends(start_s: Floats, transfer_s: Floats) -> Floats:
    """The ends of transfers; ValueError when one is past what a float64 can hold."""
    end_s = start_s + transfer_s
    if not end_s.max() < math.inf:  # also true of NaN
        raise ValueError("the times and sizes are too large to add up")
    return end_s


def starts_after(ready_s: Floats | float, free_s: Floats) -> Floats:
    """`start_after` for each link."""
    return np.where(free_s - ready_s > ROUNDING * ready_s, free_s, ready_s)
