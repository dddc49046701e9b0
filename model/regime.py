"""Which of the effects decides the tail of a simulated step."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.backward import Number, Simulation, Truth, simulate
from overlap_widget.model.effects import Effects


class Regime(Enum):
    """Why the tail is as long as it is; the value is the key of its sentence."""

    OVERLAP_OFF = "overlap_off"
    LATE = "late"
    ONE_TRANSFER = "one_transfer"
    TRAFFIC = "traffic"
    OVERHEAD = "overhead"
    QUEUE = "queue"
    LAST_BUCKET = "last_bucket"
    HIDDEN = "hidden"


LITTLE = 0.01
"""Of the work that could hide it: a tail no longer than this counts as hidden."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What decides the regime of a step, or of many as arrays that broadcast.

    transfers:            how many the step has
    traffic_exceeds_work: whether no arrangement can hide them
    hideable_s:           the most time that transfers can hide behind
    queued_s:             how long the last bucket waits for the link
    queued_for_bytes_s:   the same if transfers began for free; asked only if it decides
    """

    effects: Effects
    transfers: int | NDArray[np.int64]
    traffic_exceeds_work: Truth
    hideable_s: float
    tail_s: Number
    queued_s: Number
    queued_for_bytes_s: Callable[[], Number]


def regime(simulation: Simulation) -> Regime:
    """The regime of one step."""
    tail = simulation.tail
    return regime_of(
        Outcome(
            effects=simulation.effects,
            transfers=len(simulation.transfers),
            traffic_exceeds_work=simulation.traffic_exceeds_work,
            hideable_s=simulation.hideable_s,
            tail_s=tail.total_s,
            queued_s=tail.queued_s,
            queued_for_bytes_s=lambda: _queued_for_bytes_s(simulation),
        )
    )


def _queued_for_bytes_s(simulation: Simulation) -> float:
    """How long the last bucket would wait if transfers began for free."""
    free_start = simulation.link.scaled(overhead=0)
    layers, plan, effects = simulation.layers, simulation.plan, simulation.effects
    return simulate(layers, plan, free_start, effects).tail.queued_s


def regime_of(outcome: Outcome) -> Regime:
    """The first that holds for one step."""
    return next(one for one, holds in decisions(outcome) if holds)


def regimes_of(outcome: Outcome, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """The first that holds for each of many steps: its place in `list(Regime)`."""
    found = np.empty(shape, dtype=np.uint8)
    places = {one: place for place, one in enumerate(Regime)}
    for one, holds in reversed(list(decisions(outcome))):
        np.copyto(found, places[one], where=holds)
    return found


def decisions(outcome: Outcome) -> Iterator[tuple[Regime, Truth]]:
    """Each regime and whether it holds; the first one that does is the answer.

    Overlap off: every transfer waits for the end of the pass.
    Late: most of the tail is waiting for the late rank.
    One transfer: it can't start before the pass has ended.
    Traffic: all gradients in one piece take longer than the pass; no arrangement
    hides them.
    Hidden: the link is free when the pass ends, and the last bucket's own transfer is
    too short to matter.
    Last bucket: the link is free, and that transfer remains.
    Queue: the last bucket waits for bytes of earlier ones.
    Overhead: it waits, and wouldn't if transfers began for free.
    """
    yield Regime.OVERLAP_OFF, not outcome.effects.overlap
    yield Regime.LATE, 2 * outcome.effects.late_s > outcome.tail_s
    yield Regime.ONE_TRANSFER, outcome.transfers == 1
    yield Regime.TRAFFIC, outcome.traffic_exceeds_work
    is_free = outcome.queued_s == 0
    is_little = outcome.tail_s <= LITTLE * outcome.hideable_s
    yield Regime.HIDDEN, is_free & is_little
    yield Regime.LAST_BUCKET, is_free
    yield Regime.QUEUE, outcome.queued_for_bytes_s() > 0
    yield Regime.OVERHEAD, True
