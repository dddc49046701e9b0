"""The backward pass with bucketed gradients on one link.

Layers run from the last to the first. A bucket is ready at the end of its last
member's backward; the link sends one bucket at a time, in order. A transfer costs
`overhead + bytes / bandwidth` (the alpha-beta model of Hockney, 1994).
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from overlap_widget.model.timeline import Collective, Kind, Timeline

COMPUTE_STREAM, LINK_STREAM = 0, 1
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
    def traffic_to_work(self) -> float | None:
        """Link time of all gradients in one piece, over the pass; None without one.

        Above 1 no arrangement can hide the communication.
        """
        if self.backward_s == 0:
            return None
        total_bytes = sum(layer.gradient_bytes for layer in self.layers)
        return self.link.transfer_s(total_bytes) / self.backward_s

    @property
    def most_waiting(self) -> int:
        """The most buckets that are ready at once while the link is busy."""
        return max(
            sum(one.ready_s <= at.ready_s < one.start_s for one in self.transfers)
            for at in self.transfers
        )


def simulate(layers: Sequence[Layer], plan: Plan, link: Link) -> Simulation:
    """Run the backward pass of `layers`, last layer first as they stand here.

    Raises ValueError when there is no layer or the plan doesn't hold each once.
    """
    if not layers or sum(plan) != len(layers) or min(plan) < 1:
        raise ValueError(f"a plan of {plan} doesn't group {len(layers)} layers")
    done_s = list(itertools.accumulate(layer.backward_s for layer in layers))
    transfers: list[Transfer] = []
    free_s, first = 0.0, 0
    for count in plan:
        members = layers[first : first + count]
        first += count
        size_bytes = sum(layer.gradient_bytes for layer in members)
        ready_s = done_s[first - 1]
        start_s = max(ready_s, free_s)
        free_s = start_s + link.transfer_s(size_bytes)
        names = tuple(layer.name for layer in members)
        transfers.append(Transfer(names, size_bytes, ready_s, start_s, free_s))
    last = transfers[-1]
    tail = Tail(
        queued_s=last.start_s - last.ready_s,
        overhead_s=link.overhead_s,
        wire_s=link.wire_s(last.size_bytes),
    )
    return Simulation(
        tuple(layers), link, plan, tuple(transfers), backward_s=done_s[-1], tail=tail
    )


def timeline_of(simulation: Simulation) -> Timeline:
    """The simulated step as a timeline: layers on one stream, transfers on another."""
    layers, transfers = simulation.layers, simulation.transfers
    done_s = np.cumsum([layer.backward_s for layer in layers])
    begun_s = np.r_[0.0, done_s[:-1]]
    counts = [len(layers), len(transfers)]
    return Timeline(
        start_s=np.r_[begun_s, [one.start_s for one in transfers]],
        end_s=np.r_[done_s, [one.end_s for one in transfers]],
        ready_s=np.r_[begun_s, [one.ready_s for one in transfers]],
        kind=np.repeat([Kind.COMPUTE, Kind.COMMUNICATION], counts).astype(np.uint8),
        collective=np.repeat([Collective.NONE, Collective.ALL_REDUCE], counts).astype(
            np.uint8
        ),
        size_bytes=np.r_[
            np.zeros(len(layers)), [one.size_bytes for one in transfers]
        ].astype(np.float64),
        stream=np.repeat([COMPUTE_STREAM, LINK_STREAM], counts).astype(np.int32),
        name=np.arange(sum(counts), dtype=np.int32),
        names=(
            *(layer.name for layer in layers),
            *(f"bucket {number}" for number in range(1, len(transfers) + 1)),
        ),
        backward_end_s=simulation.backward_s,
    )
