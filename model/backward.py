"""The backward pass with bucketed gradients on one link.

Layers run from the last to the first. A bucket is ready at the end of its last
member's backward; the link sends one bucket at a time, in order, and each transfer
takes what the link asks for its bytes. When everything happens is worked out in
`schedule.py`; here stands what goes in and what comes out.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.effects import OFF, Effects
from overlap_widget.model.layer import Layer, Plan
from overlap_widget.model.link import Cost
from overlap_widget.model.schedule import (
    hideable_s,
    running_totals,
    schedule,
    sent_bytes,
)

Number = float | NDArray[np.float64]
Truth = bool | NDArray[np.bool_]
ALIKE = 1e-9
"""A ratio closer to 1 than this is 1: neither side exceeds the other."""


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
    """Why the step goes on after the pass; the four parts are all of it.

    queued_s:   the last bucket waits for the link, still busy with earlier ones
    overhead_s: its per-transfer overhead
    wire_s:     its bytes
    late_s:     before all that, it waits for the late rank, if there is one
    """

    queued_s: float
    overhead_s: float
    wire_s: float
    late_s: float = 0.0

    @property
    def total_s(self) -> float:
        """From the end of the pass to the end of the last transfer."""
        return self.late_s + self.queued_s + self.overhead_s + self.wire_s


@dataclass(frozen=True, slots=True)
class Simulation:
    """A simulated step: what was asked, and when everything happened.

    Times are seconds since its first backward pass began.

    layers:    of one pass, in backward order
    plan:      their buckets
    done_s:    when the first k layers of all passes are done, k = 0 to all
    transfers: in the order of the link
    """

    layers: tuple[Layer, ...]
    link: Cost
    plan: Plan
    effects: Effects
    done_s: tuple[float, ...]
    transfers: tuple[Transfer, ...]
    tail: Tail

    @property
    def backward_s(self) -> float:
        """When the last backward pass of the step ends."""
        return self.done_s[-1]

    @property
    def step_s(self) -> float:
        """From the start of the first pass to the end of the last transfer."""
        return self.backward_s + self.tail.total_s

    @property
    def slowed_s(self) -> float:
        """How much longer the pass takes since transfers run beside it."""
        passes = self.layers * self.effects.micro_steps
        return max(0.0, self.backward_s - running_totals(passes)[0][-1])

    @property
    def total_bytes(self) -> float:
        """Bytes of all gradients that the step sends."""
        return sent_bytes(self.layers, self.effects)

    @property
    def traffic_s(self) -> float:
        """Link time of all gradients in one piece: one overhead and the wire.

        Of a measured table the least that any plan needs, which a piece may exceed.
        """
        return self.link.traffic_s(self.total_bytes)

    @property
    def hideable_s(self) -> float:
        """The most time that transfers can hide behind, under any plan."""
        return hideable_s(self.layers, self.effects)

    @property
    def traffic_to_work(self) -> float | None:
        """Traffic over the time of all passes; None without a pass."""
        if self.backward_s == 0:
            return None
        ratio = self.traffic_s / self.backward_s
        return ratio if math.isfinite(ratio) else None

    @property
    def traffic_exceeds_work(self) -> bool:
        """Whether no arrangement can hide the communication."""
        return bool(exceeds(self.traffic_s, self.hideable_s))

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
        """The most buckets that are ready on all ranks at once while the link is busy.

        The count only grows when a bucket becomes ready, so it is taken there: those
        ready by then, less those that started. Both follow the order of the plan, and
        a transfer begins no later than the next, by whatever that one was rounded.
        """
        late_s = self.effects.late_s
        ready_s = _rising([one.ready_s + late_s for one in self.transfers])
        start_s = _rising([one.start_s for one in self.transfers])
        ready = np.searchsorted(ready_s, ready_s, side="right")
        started = np.searchsorted(start_s, ready_s, side="right")
        return int((ready - started).max())


def simulate(
    layers: Sequence[Layer], plan: Plan, link: Cost, effects: Effects = OFF
) -> Simulation:
    """Run the backward pass of `layers`, last layer first as they stand here.

    Raises ValueError when there is no layer, when the plan doesn't hold each once,
    and when the times are too large to add up.
    """
    if not layers or sum(plan) != len(layers) or min(plan) < 1:
        raise ValueError(
            f"the plan doesn't group all {len(layers)} layers into buckets"
        )
    totals = running_totals(tuple(layers) * effects.micro_steps)
    found = schedule(totals, plan, link, effects)
    names = _bucket_names(layers, plan) * effects.sending_passes
    transfers = tuple(Transfer(*row) for row in zip(names, *found.columns, strict=True))
    return Simulation(
        layers=tuple(layers),
        link=link,
        plan=plan,
        effects=effects,
        done_s=tuple(found.done_s),
        transfers=transfers,
        tail=tail_of(found.sizes_bytes[-1], found.queued_s, link, effects),
    )


def exceeds(traffic_s: Number, hideable_s: Number) -> Truth:
    """Whether there is more traffic than work to hide it; equal doesn't exceed."""
    return traffic_s > hideable_s * (1 + ALIKE)


def tail_of(
    last_bytes: float, queued_s: float, link: Cost, effects: Effects = OFF
) -> Tail:
    """The tail of a step whose last bucket holds `last_bytes` and waits `queued_s`."""
    return Tail(queued_s, link.overhead_s, link.wire_s(last_bytes), effects.late_s)


def _rising(moments_s: Sequence[float]) -> NDArray[np.float64]:
    """These moments, none of them later than one after it."""
    latest_s: NDArray[np.float64] = np.minimum.accumulate(np.array(moments_s)[::-1])
    return latest_s[::-1]


def _bucket_names(layers: Sequence[Layer], plan: Plan) -> list[tuple[str, ...]]:
    """The names of the layers in each bucket."""
    names = iter([layer.name for layer in layers])
    return [tuple(itertools.islice(names, count)) for count in plan]
