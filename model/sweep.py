"""The sweep: what every bucket size comes to on one link, and what is best."""

from collections.abc import Sequence
from dataclasses import dataclass

from overlap_widget.model.backward import Tail, exceeds, tail_of
from overlap_widget.model.effects import OFF, Effects
from overlap_widget.model.layer import Layer, Plan
from overlap_widget.model.link import Cost
from overlap_widget.model.plans import Best, best_beside, whole_layers
from overlap_widget.model.regime import Outcome, Regime, regime_of
from overlap_widget.model.schedule import (
    Schedule,
    Totals,
    running_totals,
    schedule,
    sent_bytes,
    silent_s,
)


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
    step = _Step(
        totals=running_totals(tuple(layers) * effects.micro_steps),
        traffic_s=link.transfer_s(sent_bytes(layers, effects)),
        silent_s=silent_s(layers, effects),
        link=link,
        effects=effects,
    )
    plans = (whole_layers(len(layers), size) for size in range(1, len(layers) + 1))
    sizes = tuple(map(step.bucket_size, plans))
    tails, slowed_s = zip(*((one.tail, one.slowed_s) for one in sizes), strict=True)
    return Sweep(sizes, best_beside(tails, slowed_s, layers, link, effects))


@dataclass(frozen=True, slots=True)
class _Step:
    """What all bucket sizes share."""

    totals: Totals
    traffic_s: float
    silent_s: float
    link: Cost
    effects: Effects

    def bucket_size(self, plan: Plan) -> BucketSize:
        """What a plan of one bucket size comes to."""
        found = schedule(self.totals, plan, self.link, self.effects)
        last_bytes = found.sizes_bytes[-1]
        tail = tail_of(last_bytes, found.queued_s, self.link, self.effects)
        return BucketSize(
            bucket=plan[0],
            transfers=len(found.end_s),
            last_layers=plan[-1],
            last_bytes=last_bytes,
            tail=tail,
            slowed_s=found.done_s[-1] - self.totals[0][-1],
            regime=self._regime(plan, found, tail),
            step_s=found.done_s[-1] + tail.total_s,
        )

    def _regime(self, plan: Plan, found: Schedule, tail: Tail) -> Regime:
        backward_s = found.done_s[-1]
        return regime_of(
            Outcome(
                effects=self.effects,
                transfers=len(found.end_s),
                traffic_exceeds_work=exceeds(
                    self.traffic_s, backward_s - self.silent_s
                ),
                backward_s=backward_s,
                tail_s=tail.total_s,
                queued_s=tail.queued_s,
                queued_for_bytes_s=lambda: self._queued_for_bytes_s(plan),
            )
        )

    def _queued_for_bytes_s(self, plan: Plan) -> float:
        free_starts = self.link.scaled(overhead=0)
        return schedule(self.totals, plan, free_starts, self.effects).queued_s
