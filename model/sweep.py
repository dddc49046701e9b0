"""The sweep: what every bucket size comes to on one link, and what is best."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.backward import Tail, exceeds
from overlap_widget.model.effects import OFF, Effects
from overlap_widget.model.layer import Layer
from overlap_widget.model.link import Cost
from overlap_widget.model.plans import Best, best_beside, whole_layer_plans
from overlap_widget.model.regime import Outcome, Regime, regimes_of
from overlap_widget.model.schedule import (
    Totals,
    hideable_s,
    running_totals,
    sent_bytes,
)
from overlap_widget.model.sizes import Ends, ends_of, tails_of


@dataclass(frozen=True, slots=True)
class BucketSize:
    """One bucket size and what it comes to.

    bucket:      layers to a bucket
    transfers:   how many the step has
    last_layers: layers in the last bucket, which holds what remains
    last_bytes:  its bytes
    tail:        why the step goes on after the pass
    slowed_s:    how much longer transfers make the pass
    regime:      which effect decides the tail
    step_s:      from the start of the first pass to the end of the last transfer
    """

    bucket: int
    transfers: int
    last_layers: int
    last_bytes: float
    tail: Tail
    slowed_s: float
    regime: Regime
    step_s: float

    @property
    def floor_s(self) -> float:
        """The last bucket's own transfer; no tail of this size is shorter."""
        return self.tail.overhead_s + self.tail.wire_s


@dataclass(frozen=True, slots=True)
class Sweep:
    """Every bucket size from 1 to all layers, and what no other choice beats."""

    sizes: tuple[BucketSize, ...]
    best: Best


def sweep(layers: Sequence[Layer], link: Cost, effects: Effects = OFF) -> Sweep:
    """Each bucket size on this link: the numbers of `simulate`, `regime` and `best_of`.

    Raises ValueError when there is no layer and when times are too large to add up.
    """
    if not layers:
        raise ValueError("there is no layer to put into a bucket")
    sizes = _sizes(layers, link, effects)
    tails, slowed_s = zip(*((one.tail, one.slowed_s) for one in sizes), strict=True)
    return Sweep(sizes, best_beside(tails, slowed_s, layers, link, effects))


def _sizes(
    layers: Sequence[Layer], link: Cost, effects: Effects
) -> tuple[BucketSize, ...]:
    totals, plans = _totals(layers, effects), whole_layer_plans(layers)
    found = ends_of(totals, plans, link, effects)
    tails = tails_of(found, link, effects)
    regimes = _regimes(layers, link, effects, found, tails)
    return tuple(
        BucketSize(
            bucket=plan[0],
            transfers=len(plan) * effects.sending_passes,
            last_layers=plan[-1],
            last_bytes=float(found.last_bytes[at]),
            tail=tails[at],
            slowed_s=float(found.backward_s[at]) - totals[0][-1],
            regime=regimes[at],
            step_s=float(found.backward_s[at]) + tails[at].total_s,
        )
        for at, plan in enumerate(plans)
    )


def _totals(layers: Sequence[Layer], effects: Effects) -> Totals:
    return running_totals(tuple(layers) * effects.micro_steps)


def _regimes(
    layers: Sequence[Layer],
    link: Cost,
    effects: Effects,
    found: Ends,
    tails: Sequence[Tail],
) -> list[Regime]:
    """What decides each tail: the decisions of `regime`, on columns."""
    plans, hideable = whole_layer_plans(layers), hideable_s(layers, effects)

    def queued_for_bytes_s() -> NDArray[np.float64]:
        free_starts = link.scaled(overhead=0)
        return ends_of(_totals(layers, effects), plans, free_starts, effects).queued_s

    traffic_s = link.traffic_s(sent_bytes(layers, effects))
    outcome = Outcome(
        effects=effects,
        transfers=np.array([len(plan) * effects.sending_passes for plan in plans]),
        traffic_exceeds_work=exceeds(traffic_s, hideable),
        hideable_s=hideable,
        tail_s=np.array([tail.total_s for tail in tails]),
        queued_s=found.queued_s,
        queued_for_bytes_s=queued_for_bytes_s,
    )
    names = list(Regime)
    return [names[place] for place in regimes_of(outcome, (len(plans),))]
