"""Groupings: whole layers, PyTorch's rule, and the best of them all."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import (
    OFF,
    Best,
    Effects,
    Layer,
    Link,
    MeasuredLink,
    best_bucket,
    best_of,
    best_plan,
    by_bytes,
    simulate,
    tails,
    whole_layers,
)
from overlap_widget.model.backward import Tail
from overlap_widget.model.plans import tails_and_slowed_s, within_bytes
from overlap_widget.model.scenarios import COURSE, FAST_HARDWARE

SIZES = st.floats(0, 1e9, allow_subnormal=False)
LAYERS = st.lists(
    st.builds(Layer, st.just("layer"), SIZES, SIZES), min_size=1, max_size=9
)
LINKS = st.builds(Link, st.sampled_from([0, 1e-6, 1.0, 1e8]), st.floats(1e-3, 1e9))


def tail_s(layers, plan, link):
    return simulate(layers, plan, link).tail.total_s


def all_plans(layers):
    """Every grouping of consecutive layers: a cut or none at each of n - 1 places."""
    for cuts in itertools.product((False, True), repeat=layers - 1):
        ends = [*(place for place, cut in enumerate(cuts, start=1) if cut), layers]
        yield tuple(end - start for start, end in itertools.pairwise([0, *ends]))


def layers_of(*gradients_bytes):
    return [Layer(str(place), 1, size) for place, size in enumerate(gradients_bytes)]


# --- Whole layers ------------------------------------------------------------------


def test_the_last_bucket_holds_the_layers_that_remain():
    assert whole_layers(12, 5) == (5, 5, 2)
    assert whole_layers(12, 4) == (4, 4, 4)
    assert whole_layers(7, 7) == (7,)


@pytest.mark.parametrize("per_bucket", [0, -1, 13])
def test_a_bucket_of_no_layers_or_of_more_than_there_are_is_refused(per_bucket):
    with pytest.raises(ValueError, match="choose 1 to 12"):
        whole_layers(12, per_bucket)


# --- By bytes ----------------------------------------------------------------------


def test_a_bucket_closes_with_the_gradient_that_fills_it():
    # limits   first 3, then 10
    # bytes    2 4 | 6 3 1 | 11 | 2
    assert by_bytes(layers_of(2, 4, 6, 3, 1, 11, 2), 10, 3) == (2, 3, 1, 1)


def test_a_bucket_at_its_limit_is_full():
    assert by_bytes(layers_of(3, 10, 9, 1), 10, 3) == (1, 1, 2)
    assert by_bytes(layers_of(3, 10, 9, 1), 11, 3) == (1, 2, 1)


def test_a_limit_above_everything_leaves_one_bucket():
    assert by_bytes(layers_of(3, 4), 100, 100) == (2,)


def test_a_limit_of_zero_gives_each_gradient_its_bucket():
    assert by_bytes(layers_of(3, 0, 4), 0, 0) == (1, 1, 1)


@pytest.mark.parametrize("limits", [(math.nan, 1), (1, math.nan), (-1, 1), (1, -1)])
def test_a_limit_that_is_no_size_is_refused(limits):
    with pytest.raises(ValueError, match="0 or more"):
        by_bytes(layers_of(3, 4), *limits)


def test_a_bucket_within_its_limit_closes_before_the_gradient_that_does_not_fit():
    # limit 10     2 4 | 6 3 1 | 11 | 2 8
    assert within_bytes(layers_of(2, 4, 6, 3, 1, 11, 2, 8), 10) == (2, 3, 1, 2)
    assert within_bytes(layers_of(2, 4, 6, 3, 1, 11, 2, 8), 9) == (2, 2, 1, 1, 1, 1)


def test_within_a_limit_of_zero_only_empty_gradients_share_a_bucket():
    assert within_bytes(layers_of(3, 0, 0, 4), 0) == (1, 2, 1)
    assert within_bytes(layers_of(0, 0, 5), 0) == (2, 1)


@pytest.mark.parametrize("limit", [math.nan, -1])
def test_within_a_limit_that_is_no_size_nothing_fits(limit):
    with pytest.raises(ValueError, match="0 or more"):
        within_bytes(layers_of(3, 4), limit)


def test_without_layers_there_are_no_buckets():
    assert by_bytes([], 10, 3) == within_bytes([], 10) == ()


@given(LAYERS, SIZES, SIZES)
def test_only_the_last_bucket_may_stay_under_its_limit(layers, limit, first_limit):
    plan = by_bytes(layers, limit, first_limit)
    sizes = iter(layer.gradient_bytes for layer in layers)
    buckets = [list(itertools.islice(sizes, count)) for count in plan]
    assert sum(plan) == len(layers)
    limits = [first_limit, *[limit] * len(plan)]
    for bucket, at_least in zip(buckets[:-1], limits, strict=False):
        assert sum(bucket[:-1]) < at_least or len(bucket) == 1
        assert sum(bucket) >= at_least


# --- The best ----------------------------------------------------------------------


@pytest.mark.parametrize("scenario", [COURSE, FAST_HARDWARE], ids=lambda one: one.name)
def test_no_grouping_of_twelve_layers_beats_the_best_plan(scenario):
    layers, link = scenario.layers, scenario.link
    plans = list(all_plans(12))
    assert len(plans) == 2**11
    shortest_s = min(tail_s(layers, plan, link) for plan in plans)
    assert tail_s(layers, best_plan(layers, link), link) == shortest_s


def test_twelve_uneven_layers_have_their_own_best_plan():
    seconds = (2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5)
    sizes = (9, 0, 4, 5, 2, 3, 5, 3, 6, 0, 2, 8)
    layers = [Layer("", s, size) for s, size in zip(seconds, sizes, strict=True)]
    for link in (Link(3, 1), Link(1, 0.5), Link(8, 2), Link(0, 0.25)):
        shortest_s = min(tail_s(layers, plan, link) for plan in all_plans(12))
        assert tail_s(layers, best_plan(layers, link), link) == shortest_s


def test_on_fast_hardware_the_best_plan_starts_small_and_ends_large():
    layers, link = FAST_HARDWARE.layers, FAST_HARDWARE.link
    best = best_of(layers, link)
    assert best.bucket == 2
    assert best.tail_s == pytest.approx(21e-3)
    assert best.plan == (1, 1, 2, 3, 5)
    assert best.plan_tail_s == pytest.approx(17.667e-3, abs=1e-6)


EFFECTS = st.builds(
    Effects,
    overlap=st.booleans(),
    slowdown=st.sampled_from([0, 0.3, 2]),
    late_s=st.sampled_from([0, 0.5, 1e7]),
    micro_steps=st.integers(1, 3),
    every_micro_step=st.booleans(),
)


STEADY = EFFECTS.filter(lambda effects: effects.slowdown == 0 or not effects.overlap)


@given(LAYERS, LINKS, STEADY)
def test_the_best_plan_is_never_worse_than_any_bucket_size(layers, link, effects):
    best = best_of(layers, link, effects)
    assert best.plan_tail_s <= best.tail_s
    plan_tail = simulate(layers, best.plan, link, effects).tail
    assert best.plan_tail_s == plan_tail.total_s
    shortest_s = min(tail.total_s for tail in tails(layers, link, effects))
    assert shortest_s <= best.tail_s <= shortest_s * (1 + 1e-9)


@given(LAYERS, LINKS, EFFECTS)
def test_the_best_plan_never_makes_a_longer_step_than_any_bucket_size(
    layers, link, effects
):
    def step_s(plan):
        return simulate(layers, plan, link, effects).step_s

    best = best_of(layers, link, effects)
    size_s = step_s(whole_layers(len(layers), best.bucket))
    shortest_s = min(
        step_s(whole_layers(len(layers), size)) for size in range(1, len(layers) + 1)
    )
    assert size_s == pytest.approx(shortest_s, rel=1e-9)
    assert step_s(best.plan) <= size_s * (1 + 1e-15)


@given(LAYERS.filter(lambda layers: len(layers) <= 7), LINKS)
def test_no_grouping_ends_before_the_best_plan(layers, link):
    def end_s(plan):
        return simulate(layers, plan, link).transfers[-1].end_s

    assert end_s(best_plan(layers, link)) == min(map(end_s, all_plans(len(layers))))


@given(LAYERS, LINKS, EFFECTS)
def test_the_tail_for_each_size_is_what_simulating_it_gives(layers, link, effects):
    found = tails(layers, link, effects)
    assert len(found) == len(layers)
    for size, tail in enumerate(found, start=1):
        plan = whole_layers(len(layers), size)
        assert tail == simulate(layers, plan, link, effects).tail


def test_of_equal_tails_the_largest_bucket_is_best():
    def queued(seconds):
        return Tail(seconds, 0, 0)

    assert best_bucket([queued(s) for s in (3, 2, 2 * (1 + 1e-12), 5)]) == 3
    assert best_bucket([queued(s) for s in (0, 0, 1)]) == 2


def test_of_equal_plans_the_best_has_the_largest_last_bucket():
    # seconds  0  1  2  3 ...    11 ...    21 ...    31
    # link        [   10 bytes   ][  10 and 10 bytes  ]
    # From 1 s on the link is busy, and a transfer begins for free: (1, 1, 1) ends as
    # early as (1, 2), while (2, 1) and (3,) start later.
    layers = [Layer(str(number), 1, 10) for number in range(3)]
    assert best_plan(layers, Link(0, 1)) == (1, 2)


@given(LAYERS, LINKS, st.sampled_from([1e-3, 2, 1e6]))
def test_a_late_rank_changes_no_plan(layers, link, late_s):
    assert best_plan(layers, link, Effects(late_s=late_s)) == best_plan(layers, link)


def test_of_slowed_passes_the_shortest_step_is_best_and_not_the_shortest_tail():
    # Beside a transfer, work takes four times as long; alone the pass takes 7.
    #
    # seconds  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20
    # by 1     [c][           b       ][         a         ]|
    # link        [   1 c    ]         [     2 b       ]     [    3 a      ]  19.5
    # by 2     [c][    b     ][          a            ]|
    # link                    [          1 c b           ][    2 a     ]      19
    # by 3     [c][    b     ][ a  ]|
    # link                          [             1 c b a                 ]   20
    #
    # By 1 the tail is 5 and the pass 7.5 longer; by 2 they are 6 and 6.
    layers = [Layer("c", 1, 6), Layer("b", 4, 10), Layer("a", 2, 8)]
    link, effects = Link(1, 2), Effects(slowdown=3)
    found, slowed_s = tails_and_slowed_s(layers, link, effects)
    assert [tail.total_s for tail in found] == [5, 6, 13]
    assert slowed_s == (7.5, 6, 0)
    assert best_bucket(found) == 1
    assert best_bucket(found, slowed_s) == 2
    # Undisturbed, one layer to a bucket is the best plan; here it isn't.
    assert best_plan(layers, link, effects) == (1, 1, 1)
    assert best_of(layers, link, effects) == Best(2, 6, (2, 1), 6)


def test_steps_within_a_billionth_count_as_equal_where_passes_are_slowed_too():
    found = [Tail(queued, 0, 0) for queued in (3, 1, 4, 5)]
    assert best_bucket(found, (1, 3, 0, 0)) == 3
    assert best_bucket(found, (1, 3, 1e-8, 0)) == 2
    with pytest.raises(ValueError, match="zip"):
        best_bucket(found, (1, 3))


def test_the_best_plan_of_an_overhead_past_float64_is_one_bucket():
    assert best_plan(layers_of(3, 4), Link(1e308, 1)) == (2,)


# --- The best of twelve, by trying all ---------------------------------------------

CUTS = np.array(list(itertools.product((False, True), repeat=11)))  # all 2^11 plans
DIPS = MeasuredLink(  # a cost that falls as sizes grow, twice
    sizes_bytes=(1, 4, 9, 16, 40, 90),
    times_s=(3, 2, 8, 5, 6, 11),
    line=Link(overhead_s=2, bandwidth_bytes_per_s=10),
)


def first_end_s(ready_s, costs_s):
    """When the last transfer ends, at the earliest, over all groupings of 12 layers.

    ready_s:  [cases, 12], when all ranks have the layer's gradient
    costs_s:  [cases, 13, 13], of layers i + 1 to j as one bucket
    """
    end_s = np.zeros((len(ready_s), len(CUTS)))
    begins = np.zeros(len(CUTS), dtype=int)
    for done in range(1, 13):
        closes = CUTS[:, done - 1] if done < 12 else np.full(len(CUTS), True)
        start_s = np.maximum(end_s, ready_s[:, done - 1, None])
        end_s = np.where(closes, start_s + costs_s[:, begins, done], end_s)
        begins = np.where(closes, done, begins)
    return end_s.min(axis=1)


def shortest_by_trying_all(seconds, sizes, link, effects):
    """The earliest end of many cases of twelve layers: [cases]."""
    done_s = seconds.cumsum(axis=1)
    ready_s = done_s if effects.overlap else done_s[:, [-1] * 12]
    held = np.pad(sizes.cumsum(axis=1), ((0, 0), (1, 0)))
    runs = np.maximum(held[:, None, :] - held[:, :, None], 0)  # [case, i, j]
    return first_end_s(ready_s + effects.late_s, link.transfer_s(runs))


def end_of_best_s(seconds, sizes, link, effects):
    layers = [Layer("", s, size) for s, size in zip(seconds, sizes, strict=True)]
    plan = best_plan(layers, link, effects)
    return simulate(layers, plan, link, effects).transfers[-1].end_s


def cases_of(kind, count, seed=0):
    """Seconds and sizes of twelve layers, many times: [count, 12] each."""
    draw = np.random.default_rng([seed, *kind.encode()])
    shape = (2, count, 12)
    if kind == "whole":  # zeros and ties
        return draw.integers(0, 10, shape).astype(float)
    if kind == "fractions":
        return draw.uniform(0, 10, shape)
    if kind == "sparse":
        return draw.uniform(0, 10, shape) * (draw.uniform(size=shape) < 0.3)
    if kind == "equal":
        return np.repeat(draw.uniform(0.1, 10, (2, count, 1)), 12, axis=2)
    return 10 ** draw.uniform(-6, 6, shape)  # "ratios"


KINDS = ("whole", "fractions", "sparse", "equal", "ratios")
SEPARABLE = (
    OFF,
    Effects(late_s=3),
    Effects(overlap=False),
    Effects(overlap=False, late_s=2.5),
)
TRIED_LINKS = (Link(1, 2), Link(0.25, 1), Link(0, 0.5), Link(3, 4), Link(8, 64), DIPS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "effects", SEPARABLE, ids=("off", "late", "no overlap", "both")
)
def test_no_grouping_of_many_twelve_layers_beats_the_best_plan(kind, effects):
    # 5 kinds x 4 effects x 6 links x 25 cases: 3,000 inputs, all 2^11 plans of each.
    for seed, link in enumerate(TRIED_LINKS):
        seconds, sizes = cases_of(kind, 25, seed + 10 * SEPARABLE.index(effects))
        shortest_s = shortest_by_trying_all(seconds, sizes, link, effects)
        found_s = [
            end_of_best_s(*case, link, effects)
            for case in zip(seconds, sizes, strict=True)
        ]
        if kind == "whole" and link is not DIPS:  # every sum is exact
            assert found_s == shortest_s.tolist()
        assert found_s == pytest.approx(shortest_s, rel=1e-10)


def test_trying_all_finds_what_simulating_all_plans_finds():
    seconds, sizes = cases_of("whole", 1)
    layers = [Layer("", s, size) for s, size in zip(seconds[0], sizes[0], strict=True)]
    ends_s = [
        simulate(layers, plan, Link(1, 2)).transfers[-1].end_s for plan in all_plans(12)
    ]
    assert shortest_by_trying_all(seconds, sizes, Link(1, 2), OFF) == [min(ends_s)]


# --- The best of thousands ---------------------------------------------------------


def slow_first_end(seconds, sizes, overhead):
    """The recurrence as it is written, in whole numbers; one byte takes a second."""
    free, held, done = [0], [0], 0
    for second, size in zip(seconds, sizes, strict=True):
        done += second
        total = held[-1] + size
        pairs = zip(free, held, strict=True)
        end = min((at if at > done else done) - before for at, before in pairs)
        free.append(end + overhead + total)
        held.append(total)
    return free[-1]


@pytest.mark.parametrize("tensors", [2000, 5000])
def test_thousands_of_tensors_have_the_best_plan_of_the_slow_twin(tensors):
    draw = np.random.default_rng(tensors)
    seconds = draw.integers(0, 120, tensors).tolist()
    sizes = draw.integers(0, 100, tensors).tolist()
    end_s = end_of_best_s(seconds, sizes, Link(200, 1), OFF)
    assert end_s == slow_first_end(seconds, sizes, 200)
    assert end_s < sum(seconds) + sum(sizes) / 2  # neither all hidden nor all queued


def test_two_thousand_tensors_have_a_tail_for_every_bucket_size():
    layers = [Layer("", 1e-5 * (k % 7), 1e4 * (k % 11)) for k in range(2000)]
    best = best_of(layers, COURSE.link)
    assert sum(best.plan) == 2000
    assert best.plan_tail_s <= best.tail_s
    assert len(tails(layers, COURSE.link)) == 2000
