"""What holds for every step: floors under the tail, and what more of a thing can't do.

Every law is stated for any layers, plan and link. Where effects may be on, the case
draws them too; where a law needs them off, its name or its strategy says so.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlap_widget.model import (
    Effects,
    Layer,
    Link,
    MeasuredLink,
    best_of,
    break_down,
    simulate,
    timeline_of,
)

SECONDS = st.floats(0, 1e6, allow_subnormal=False)
BYTES = st.floats(0, 1e9, allow_subnormal=False)
LINKS = st.builds(
    Link, st.sampled_from([0, 1e-6, 0.3, 1e4]), st.floats(1e-2, 1e9)
) | st.builds(
    lambda times_s, last_s: MeasuredLink(
        sizes_bytes=(1, 1e3, 1e6, 1e8),
        times_s=(*times_s, times_s[-1] + last_s),
        line=Link(1e-3, 1e6),
    ),
    st.lists(st.floats(1e-6, 1e3), min_size=3, max_size=3),
    st.floats(1e-3, 1e3),
)
STEADY = st.builds(  # the pass takes its time whatever the transfers do
    Effects,
    overlap=st.booleans(),
    late_s=st.sampled_from([0, 1e-3, 7, 1e6]),
    micro_steps=st.integers(1, 3),
    every_micro_step=st.booleans(),
)
ANY_EFFECTS = st.builds(
    Effects,
    overlap=st.booleans(),
    slowdown=st.sampled_from([0, 0.19, 2, 10]),
    late_s=st.sampled_from([0, 1e-3, 7, 1e6]),
    micro_steps=st.integers(1, 3),
    every_micro_step=st.booleans(),
)
PUNCTUAL_OR_STEADY = ANY_EFFECTS.filter(
    lambda effects: effects.late_s == 0 or effects.slowdown == 0
)


@st.composite
def plans(draw, layers):
    ends = sorted(draw(st.sets(st.integers(1, layers))) | {layers})
    return tuple(end - start for start, end in zip([0, *ends], ends, strict=False))


@st.composite
def cases(draw, effects=ANY_EFFECTS, links=LINKS):
    pairs = draw(st.lists(st.tuples(SECONDS, BYTES), min_size=1, max_size=10))
    layers = tuple(Layer(str(k), s, size) for k, (s, size) in enumerate(pairs))
    return layers, draw(plans(len(layers))), draw(links), draw(effects)


def rounding_s(step):
    """What sums up to the last end may be off by."""
    return 1e-11 * step.transfers[-1].end_s


def costs_s(step):
    return [step.link.transfer_s(one.size_bytes) for one in step.transfers]


# --- The tail and its parts --------------------------------------------------------


@given(cases())
def test_the_four_parts_are_all_of_the_tail_and_none_is_negative(case):
    step = simulate(*case)
    tail = step.tail
    parts = (tail.late_s, tail.queued_s, tail.overhead_s, tail.wire_s)
    assert min(parts) >= 0
    assert tail.total_s == sum(parts)
    ends_s = step.transfers[-1].end_s - step.backward_s
    assert tail.total_s == pytest.approx(ends_s, abs=rounding_s(step))
    assert step.step_s == pytest.approx(step.transfers[-1].end_s, rel=1e-11)


@given(cases())
def test_the_tail_is_no_shorter_than_the_late_rank_and_the_last_transfer(case):
    step = simulate(*case)
    late_s, last_s = step.effects.late_s, costs_s(step)[-1]
    assert step.tail.total_s >= (late_s + last_s) * (1 - 1e-15)


@given(cases())
def test_the_tail_is_no_shorter_than_the_costs_less_the_pass_from_the_first_bucket(
    case,
):
    # The link can't start before the first bucket is ready, and late_s after that. The
    # pass counts as it was, slowed or not; without overlap no bucket is ready before
    # its end, and nothing is taken off.
    step = simulate(*case)
    could_hide_s = step.backward_s - step.transfers[0].ready_s
    floor_s = step.effects.late_s + math.fsum(costs_s(step)) - could_hide_s
    assert step.tail.total_s >= floor_s - rounding_s(step)


@given(cases())
def test_a_busy_link_leaves_exactly_that_floor(case):
    step = simulate(*case)
    starts_s = [one.start_s for one in step.transfers[1:]]
    ends_s = [one.end_s for one in step.transfers[:-1]]
    is_never_idle = starts_s == ends_s
    could_hide_s = step.backward_s - step.transfers[0].ready_s
    floor_s = step.effects.late_s + math.fsum(costs_s(step)) - could_hide_s
    if is_never_idle:
        assert step.tail.total_s == pytest.approx(floor_s, abs=rounding_s(step))


@given(cases())
def test_hidden_and_exposed_are_all_of_the_communication(case):
    step = simulate(*case)
    breakdown = break_down(timeline_of(step))
    all_s = math.fsum(costs_s(step))
    assert step.communication_s == pytest.approx(all_s, abs=rounding_s(step))
    both_s = breakdown.hidden_s + breakdown.exposed_s
    assert both_s == pytest.approx(all_s, abs=rounding_s(step))
    # Before the pass ends all layers follow on one another: what is exposed is tail.
    assert breakdown.exposed_s <= step.tail.total_s + rounding_s(step)


# --- Equal buckets -----------------------------------------------------------------


@given(
    buckets=st.integers(1, 60),
    per_bucket=st.integers(1, 7),
    total_bytes=st.floats(1, 1e12),
    bandwidth=st.floats(1, 1e12),
    overhead_s=st.floats(0, 1e3),
    split=st.randoms(use_true_random=False),
)
def test_equal_buckets_computed_as_fast_as_sent_expose_one_wire_and_all_overheads(
    *, buckets, per_bucket, total_bytes, bandwidth, overhead_s, split
):
    # n buckets of s bytes together at w bytes a second: each takes s / (n w) to compute
    # and s / (n w) + o to send. The first is ready after s / (n w), and the link busy
    # from then on: the pass ends at s / w, the last transfer s / (n w) + n o after it.
    n, s, w, o = buckets, total_bytes, bandwidth, overhead_s
    layers = []
    for _ in range(n):  # uneven layers, equal buckets
        seconds = np.array([split.uniform(0.1, 1) for _ in range(per_bucket)])
        sizes = np.array([split.uniform(0.1, 1) for _ in range(per_bucket)])
        seconds *= s / (n * w) / seconds.sum()
        sizes *= s / n / sizes.sum()
        layers += [Layer("", *pair) for pair in zip(seconds, sizes, strict=True)]
    step = simulate(layers, (per_bucket,) * n, Link(o, w))
    exposed_s = s / (n * w) + n * o
    assert step.tail.total_s == pytest.approx(exposed_s, rel=1e-9)
    assert break_down(timeline_of(step)).exposed_s == pytest.approx(exposed_s, rel=1e-9)


def test_with_unequal_numbers_the_law_is_so_many_milliseconds():
    # 7 buckets of 30 MB at 15 GB/s: 2 ms of wire each, and as long to compute; 0.3 ms
    # a transfer. 2 ms + 7 x 0.3 ms.
    layers = [Layer(str(k), 2e-3, 30e6) for k in range(7)]
    step = simulate(layers, (1,) * 7, Link(3e-4, 15e9))
    assert step.tail.total_s == pytest.approx(4.1e-3, rel=1e-9)


# --- More of a thing ---------------------------------------------------------------


@given(cases(PUNCTUAL_OR_STEADY), st.floats(0.01, 1), st.floats(0.01, 1))
def test_more_bandwidth_or_less_overhead_never_lengthens_the_tail(case, overhead, wire):
    # Slowed compute or a late rank, not both. The tail is the cost of all transfers
    # since the link was last idle, less the work that was left by then; beside a busy
    # link that work takes its longest.
    layers, plan, link, effects = case
    step = simulate(*case)
    for factors in ((overhead, 1), (1, wire), (overhead, wire)):
        better = simulate(layers, plan, link.scaled(*factors), effects)
        assert better.tail.total_s <= step.tail.total_s + rounding_s(step)


@given(cases(), st.floats(0.01, 1), st.floats(0.01, 1))
def test_more_bandwidth_or_less_overhead_never_lengthens_the_step(case, overhead, wire):
    layers, plan, link, effects = case
    better = simulate(layers, plan, link.scaled(overhead, wire), effects)
    step = simulate(*case)
    assert better.backward_s <= step.backward_s + rounding_s(step)
    assert better.step_s <= step.step_s + rounding_s(step)


def test_slowed_by_transfers_and_held_up_by_a_late_rank_more_bandwidth_may_cost_tail():
    # Compute takes four times as long beside a transfer; each waits 1 s for the rank.
    # seconds  0  1  2  3  4  5  6  7  8  9  10
    # compute  [      b      ][    a   ]|
    # link        [       c     ][  b   ]  [a ]        2 bytes a second: tail 2
    # compute  [     b    ][a ]|
    # link        [   c    ]  [ b  ][a ]               4 bytes a second: tail 2.75
    # a no longer runs beside b's transfer, so that the pass ends long before that does.
    layers = [Layer("c", 0, 8), Layer("b", 2, 3), Layer("a", 1, 0)]
    effects = Effects(slowdown=3, late_s=1)
    step = simulate(layers, (1, 1, 1), Link(1, 2), effects)
    faster = simulate(layers, (1, 1, 1), Link(1, 4), effects)
    assert (step.backward_s, step.tail.total_s) == (8.625, 2)
    assert (faster.backward_s, faster.tail.total_s) == (5.25, 2.75)
    assert faster.step_s < step.step_s


@given(cases(), st.sampled_from([0.1, 1, 4]))
def test_more_slowdown_never_shortens_the_pass_or_the_step(case, more):
    layers, plan, link, effects = case
    slower = Effects(
        overlap=effects.overlap,
        slowdown=effects.slowdown / (1 + more),
        late_s=effects.late_s,
        micro_steps=effects.micro_steps,
        every_micro_step=effects.every_micro_step,
    )
    less, step = simulate(layers, plan, link, slower), simulate(*case)
    assert less.backward_s <= step.backward_s + rounding_s(step)
    assert less.step_s <= step.step_s + rounding_s(step)


@given(cases(STEADY), st.sampled_from([1e-3, 2, 1e5]))
def test_a_rank_later_by_so_much_lengthens_the_tail_by_exactly_that(case, later_s):
    layers, plan, link, effects = case
    later = Effects(
        effects.overlap,
        0,
        effects.late_s + later_s,
        effects.micro_steps,
        effects.every_micro_step,
    )
    step, longer = simulate(*case), simulate(layers, plan, link, later)
    assert longer.tail.total_s == pytest.approx(
        step.tail.total_s + later_s, abs=rounding_s(longer)
    )
    assert longer.tail.queued_s == pytest.approx(
        step.tail.queued_s, abs=rounding_s(longer)
    )


# --- No overlap, one bucket --------------------------------------------------------


@given(cases(ANY_EFFECTS.filter(lambda effects: not effects.overlap)))
def test_without_overlap_the_tail_is_all_costs_and_the_late_rank(case):
    step = simulate(*case)
    all_s = step.effects.late_s + math.fsum(costs_s(step))
    assert step.tail.total_s == pytest.approx(all_s, abs=rounding_s(step))
    assert step.hidden_s == 0
    assert step.slowed_s == 0


@given(cases())
def test_overlap_never_lengthens_the_tail(case):
    layers, plan, link, effects = case
    off = Effects(
        False, 0, effects.late_s, effects.micro_steps, effects.every_micro_step
    )
    without = simulate(layers, plan, link, off)
    assert simulate(*case).tail.total_s <= without.tail.total_s + rounding_s(without)


@given(cases(ANY_EFFECTS.filter(lambda effects: effects.sending_passes == 1)))
def test_one_bucket_overlaps_with_nothing(case):
    layers, _, link, effects = case
    off = Effects(False, 0, effects.late_s, effects.micro_steps)
    one = simulate(layers, (len(layers),), link, effects)
    without = simulate(layers, (len(layers),), link, off)
    assert one.tail == without.tail
    assert one.done_s == without.done_s
    assert one.transfers == without.transfers


# --- The best plan -----------------------------------------------------------------


@given(cases(STEADY.filter(lambda effects: effects.is_separable)))
def test_no_plan_has_a_shorter_tail_than_the_best(case):
    layers, _, link, effects = case
    step = simulate(*case)
    best = best_of(layers, link, effects)
    assert step.tail.total_s >= best.plan_tail_s - rounding_s(step)


@settings(max_examples=50)
@given(cases(), st.floats(0.01, 1), st.floats(0.01, 1))
def test_on_a_better_link_the_best_plan_is_no_worse(case, overhead, wire):
    layers, _, link, effects = case
    steady = Effects(effects.overlap, 0, effects.late_s)
    before = simulate(layers, best_of(layers, link, steady).plan, link, steady)
    better = best_of(layers, link.scaled(overhead, wire), steady)
    assert better.plan_tail_s <= before.tail.total_s + rounding_s(before)
