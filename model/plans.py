"""Ways to group the layers of a backward pass into buckets.

A plan never splits a layer and never reorders: buckets are runs of consecutive
layers, in the order in which the backward pass reaches them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from overlap_widget.model.backward import Tail, simulate
from overlap_widget.model.effects import OFF, Effects
from overlap_widget.model.layer import Layer, Plan
from overlap_widget.model.link import Cost
from overlap_widget.model.schedule import ROUNDING, running_totals
from overlap_widget.model.sizes import ends_of, tails_of


@dataclass(frozen=True, slots=True)
class Best:
    """What no other choice beats: among bucket sizes, and among all plans.

    The shortest step is best. That is the shortest tail too, unless transfers slow
    compute: then a plan may shorten the tail by making the pass longer.

    bucket:      layers to a bucket
    tail_s:      its tail
    plan:        of all groupings of consecutive layers
    plan_tail_s: its tail; with slowed compute it may be above `tail_s`, else never
    """

    bucket: int
    tail_s: float
    plan: Plan
    plan_tail_s: float


def whole_layers(layers: int, per_bucket: int) -> Plan:
    """`per_bucket` layers to a bucket; the last one holds what remains."""
    if not 1 <= per_bucket <= layers:
        raise ValueError(
            f"a bucket can't hold {per_bucket} of {layers} layers; choose 1 to {layers}"
        )
    full, rest = divmod(layers, per_bucket)
    return (per_bucket,) * full + ((rest,) if rest else ())


def whole_layer_plans(layers: Sequence[Layer]) -> list[Plan]:
    """The plan of every bucket size, 1 to all layers to a bucket."""
    count = len(layers)
    return [whole_layers(count, size) for size in range(1, count + 1)]


def by_bytes(
    layers: Sequence[Layer], limit_bytes: float, first_limit_bytes: float
) -> Plan:
    """Close a bucket once it holds at least its limit, as PyTorch's DDP does.

    Each gradient is added first and the bucket closed after, so a bucket may exceed
    its limit but never by a split gradient. The first bucket has a limit of its own
    (torch/csrc/distributed/c10d/reducer.cpp, compute_bucket_assignment_by_size).
    """
    _check_limits(limit_bytes, first_limit_bytes)
    plan: list[int] = []
    count, held_bytes, limit = 0, 0.0, first_limit_bytes
    for layer in layers:
        count += 1
        held_bytes += layer.gradient_bytes
        if held_bytes >= limit:
            plan.append(count)
            count, held_bytes, limit = 0, 0.0, limit_bytes
    return (*plan, count) if count else tuple(plan)


def within_bytes(layers: Sequence[Layer], limit_bytes: float) -> Plan:
    """Close a bucket before the gradient that would take it above `limit_bytes`.

    So a bucket holds at most its limit, unless a single gradient is larger.
    """
    _check_limits(limit_bytes)
    plan: list[int] = []
    count, held_bytes = 0, 0.0
    for layer in layers:
        if count and held_bytes + layer.gradient_bytes > limit_bytes:
            plan.append(count)
            count, held_bytes = 0, 0.0
        count += 1
        held_bytes += layer.gradient_bytes
    return (*plan, count) if count else ()


@dataclass(frozen=True, slots=True)
class Filling:
    """Buckets filled by bytes alone.

    is_most: whether a bucket holds at most its limit, unless one tensor is larger
             (`within_bytes`); else it closes once it holds at least that (`by_bytes`)
    """

    limit_bytes: float
    first_limit_bytes: float
    is_most: bool = False

    def plan_of(self, layers: Sequence[Layer]) -> Plan:
        """The plan of these layers."""
        if self.is_most:
            return within_bytes(layers, self.limit_bytes)
        return by_bytes(layers, self.limit_bytes, self.first_limit_bytes)


def _check_limits(*limits_bytes: float) -> None:
    """Refuse what is no size."""
    if not all(limit >= 0 for limit in limits_bytes):
        raise ValueError("a bucket's limit must be a number of bytes, 0 or more")


def best_plan(layers: Sequence[Layer], link: Cost, effects: Effects = OFF) -> Plan:
    """The plan with the shortest tail over all groupings of consecutive layers.

    The link is free after the first j layers no sooner than
    f(j) = min over i < j of max(f(i), ready_j) + cost of layers i+1..j,
    since a link that is free sooner is never worse. Of equals, each f(j) takes the
    largest last bucket. Without overlap every ready_j is the end of the pass. A late
    rank moves them all alike and changes no plan. Slowed compute and transfers after
    every micro-step aren't looked at here: see `best_of`.
    Raises ValueError when the times are too large to add up.
    """
    done_s, held_bytes = (np.array(total) for total in running_totals(layers))
    ready_s = done_s if effects.overlap else np.full_like(done_s, done_s[-1])
    free_s = np.zeros(len(layers) + 1)
    before = np.zeros(len(layers) + 1, dtype=int)
    with np.errstate(over="ignore"):  # a sum past float64 is inf, and never the least
        for j in range(1, len(layers) + 1):
            cost_s = link.transfer_s(held_bytes[j] - held_bytes[:j])
            is_free = free_s[:j] - ready_s[j] <= ROUNDING * ready_s[j]
            ends_s = np.where(is_free, ready_s[j], free_s[:j]) + cost_s
            before[j] = np.argmin(ends_s)
            free_s[j] = ends_s[before[j]]
    plan: list[int] = []
    j = len(layers)
    while j:
        plan.append(int(j - before[j]))
        j = int(before[j])
    return tuple(reversed(plan))


def tails(
    layers: Sequence[Layer], link: Cost, effects: Effects = OFF
) -> tuple[Tail, ...]:
    """The tail for every bucket size, 1 to all layers to a bucket."""
    return tails_and_slowed_s(layers, link, effects)[0]


def tails_and_slowed_s(
    layers: Sequence[Layer], link: Cost, effects: Effects = OFF
) -> tuple[tuple[Tail, ...], tuple[float, ...]]:
    """For every bucket size its tail, and how much longer transfers make the pass."""
    totals = running_totals(tuple(layers) * effects.micro_steps)
    found = ends_of(totals, whole_layer_plans(layers), link, effects)
    return (
        tuple(tails_of(found, link, effects)),
        tuple((found.backward_s - totals[0][-1]).tolist()),
    )


def best_bucket(tails_by_size: Sequence[Tail], slowed_s: Sequence[float] = ()) -> int:
    """The bucket size with the shortest step; of equals the largest.

    `slowed_s` is how much longer transfers make the pass, for each size; none if not
    given, and then the shortest tail decides. What is added to the pass is compared,
    and counts as equal within a billionth: fewer transfers do the same.
    """
    slowed_s = slowed_s or (0.0,) * len(tails_by_size)
    added_s = [
        tail.total_s + slowed
        for tail, slowed in zip(tails_by_size, slowed_s, strict=True)
    ]
    least_s = min(added_s)
    return max(
        size
        for size, added in enumerate(added_s, start=1)
        if math.isclose(added, least_s, rel_tol=1e-9)
    )


def best_of(layers: Sequence[Layer], link: Cost, effects: Effects = OFF) -> Best:
    """The best bucket size and the best plan, with the tails they leave."""
    found, slowed_s = tails_and_slowed_s(layers, link, effects)
    return best_beside(found, slowed_s, layers, link, effects)


def best_beside(
    tails_by_size: Sequence[Tail],
    slowed_s: Sequence[float],
    layers: Sequence[Layer],
    link: Cost,
    effects: Effects = OFF,
) -> Best:
    """The best bucket size of these `tails_and_slowed_s`, and the best plan beside it.

    With slowed compute, or transfers after every micro-step, no search over all plans
    is exact (`Effects.is_separable`): then the plan is the better of the best bucket
    size and the plan that is best without them.
    """
    bucket = best_bucket(tails_by_size, slowed_s)
    tail_s = tails_by_size[bucket - 1].total_s
    plan = best_plan(layers, link, effects)
    found = simulate(layers, plan, link, effects)
    plan_tail_s = found.tail.total_s
    # A longer step is so by rounding alone where the search is exact.
    if plan_tail_s + found.slowed_s > tail_s + slowed_s[bucket - 1]:
        plan, plan_tail_s = whole_layers(len(layers), bucket), tail_s
    return Best(bucket, tail_s, plan, plan_tail_s)
