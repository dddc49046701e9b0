"""The backward pass with bucketed gradients on one link.

Layers run from the last to the first. A bucket is ready at the end of its last
member's backward; the link sends one bucket at a time, in order. A transfer costs
`overhead + bytes / bandwidth` (the alpha-beta model of Hockney, 1994).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

ROUNDING = 1e-12
"""Of a moment: differences below it are rounding."""
ALIKE = 1e-9
"""A ratio closer to 1 than this is 1: neither side exceeds the other."""
Plan = tuple[int, ...]
"""How many consecutive layers each bucket holds, in backward order."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer: its time in the backward pass and the size of its gradient."""

    name: str
    backward_s: float
    gradient_bytes: float

    def __post_init__(self) -> None:
        """Refuse what has no meaning in time or space."""
        if not (0 <= self.backward_s < np.inf and 0 <= self.gradient_bytes < np.inf):
            raise ValueError(
                f"layer {self.name!r}: backward_s and gradient_bytes must be finite "
                "and not negative"
            )


@dataclass(frozen=True, slots=True)
class Link:
    """A link: the cost before a transfer's first byte, and the rate of the rest."""

    overhead_s: float
    bandwidth_bytes_per_s: float

    def __post_init__(self) -> None:
        """Refuse a link that never finishes."""
        if not 0 <= self.overhead_s < np.inf:
            raise ValueError("the overhead must be finite and not negative")
        if not 0 < self.bandwidth_bytes_per_s < np.inf:
            raise ValueError("the bandwidth must be finite and above 0")

    def wire_s(self, size_bytes: float) -> float:
        """Seconds that the bytes themselves take."""
        return size_bytes / self.bandwidth_bytes_per_s

    def transfer_s(self, size_bytes: float) -> float:
        """Seconds of one transfer: overhead and wire."""
        return self.overhead_s + self.wire_s(size_bytes)


@dataclass(frozen=True, slots=True)
class Transfer:
    """One bucket on the link: ready, then started, then ended [s since the pass]."""

    layers: tuple[str, ...]
    size_bytes: float
    ready_s: float
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Tail:
    """Why the step goes on after the pass; the three parts are all of it.

    queued_s:   the last bucket waits for the link, still busy with earlier ones
    overhead_s: its per-transfer overhead
    wire_s:     its bytes
    """

    queued_s: float
    overhead_s: float
    wire_s: float

    @property
    def total_s(self) -> float:
        """From the end of the pass to the end of the last transfer."""
        return self.queued_s + self.overhead_s + self.wire_s


@dataclass(frozen=True, slots=True)
class Simulation:
    """A simulated step: what was asked, and when everything happened."""

    layers: tuple[Layer, ...]
    link: Link
    plan: Plan
    transfers: tuple[Transfer, ...]
    backward_s: float
    tail: Tail

    @property
    def total_bytes(self) -> float:
        """Bytes of all gradients."""
        return running_totals(self.layers)[1][-1]

    @property
    def traffic_s(self) -> float:
        """Link time of all gradients in one piece: one overhead and the wire."""
        return self.link.transfer_s(self.total_bytes)

    @property
    def traffic_to_work(self) -> float | None:
        """Traffic over the pass; None without a pass."""
        if self.backward_s == 0:
            return None
        ratio = self.traffic_s / self.backward_s
        return ratio if math.isfinite(ratio) else None

    @property
    def traffic_exceeds_work(self) -> bool:
        """Whether no arrangement can hide the communication; equal doesn't exceed."""
        ratio = self.traffic_to_work
        return ratio is None or ratio > 1 + ALIKE

    @property
    def communication_s(self) -> float:
        """Seconds in which the link is busy: transfers never overlap."""
        return math.fsum(one.end_s - one.start_s for one in self.transfers)

    @property
    def hidden_s(self) -> float:
        """Seconds of communication before the pass ends."""
        ends_s = self.backward_s
        return math.fsum(
            max(0.0, min(one.end_s, ends_s) - one.start_s) for one in self.transfers
        )

    @property
    def most_waiting(self) -> int:
        """The most buckets that are ready at once while the link is busy.

        The count only grows when a bucket becomes ready, so it is taken there: those
        ready by then, less those that started. Both follow the order of the plan.
        """
        ready_s = np.array([one.ready_s for one in self.transfers])
        start_s = np.array([one.start_s for one in self.transfers])
        ready = np.searchsorted(ready_s, ready_s, side="right")
        started = np.searchsorted(start_s, ready_s, side="right")
        return int((ready - started).max())


def simulate(layers: Sequence[Layer], plan: Plan, link: Link) -> Simulation:
    """Run the backward pass of `layers`, last layer first as they stand here.

    Raises ValueError when there is no layer, when the plan doesn't hold each once,
    and when the times are too large to add up.
    """
    if not layers or sum(plan) != len(layers) or min(plan) < 1:
        raise ValueError(
            f"the plan doesn't group all {len(layers)} layers into buckets"
        )
    transfers: list[Transfer] = []
    first = 0
    for count, row in zip(
        plan, schedule(running_totals(layers), plan, link), strict=True
    ):
        names = tuple(layer.name for layer in layers[first : first + count])
        transfers.append(Transfer(names, *row))
        first += count
    last = transfers[-1]
    return Simulation(
        layers=tuple(layers),
        link=link,
        plan=plan,
        transfers=tuple(transfers),
        backward_s=last.ready_s,
        tail=tail_of(last.size_bytes, last.start_s - last.ready_s, link),
    )


def running_totals(layers: Sequence[Layer]) -> tuple[list[float], list[float]]:
    """When the first k layers are done [s], and the bytes they hold, k = 0 to all.

    Every size below is a difference of these totals: exact for whole bytes up to
    2^53, and the same numbers for one plan and for the search over all plans.
    """
    return (
        list(_running_sums(layer.backward_s for layer in layers)),
        list(_running_sums(layer.gradient_bytes for layer in layers)),
    )


def _running_sums(values: Iterable[float]) -> Iterator[float]:
    """Sums of the first k values, none negative, without the drift of plain addition.

    Neumaier's sum keeps what each addition rounds off, so that twelve times 5 ms is
    60 ms to the last bit.
    """
    total = lost = 0.0
    yield total
    for value in values:
        new = total + value
        large, small = (total, value) if total >= value else (value, total)
        lost += (large - new) + small
        total = new
        yield total + lost


def start_after(ready_s: float, free_s: float) -> float:
    """When a transfer starts: once its bucket is ready and the link is free.

    A link that is free within a trillionth of the moment after counts as free at it:
    that is the rounding of the sums and no waiting.
    """
    return free_s if free_s - ready_s > ROUNDING * ready_s else ready_s


def schedule(
    totals: tuple[list[float], list[float]], plan: Plan, link: Link
) -> Iterator[tuple[float, float, float, float]]:
    """Size, ready, start and end of each transfer; the totals of `running_totals`.

    Raises ValueError when an end is past what a float64 can hold.
    """
    done_s, held_bytes = totals
    first, free_s = 0, 0.0
    for count in plan:
        size_bytes = held_bytes[first + count] - held_bytes[first]
        first += count
        start_s = start_after(done_s[first], free_s)
        free_s = start_s + link.transfer_s(size_bytes)
        if not free_s < math.inf:  # also true of NaN
            raise ValueError("the times and sizes are too large to add up")
        yield size_bytes, done_s[first], start_s, free_s


def tail_of(last_bytes: float, queued_s: float, link: Link) -> Tail:
    """The tail of a step whose last bucket holds `last_bytes` and waits `queued_s`."""
    return Tail(queued_s, link.overhead_s, link.wire_s(last_bytes))
