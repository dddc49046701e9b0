"""Groupings: whole layers, PyTorch's rule, and the best of them all."""

import itertools
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import (
    Layer,
    Link,
    best_bucket,
    best_of,
    best_plan,
    by_bytes,
    simulate,
    tails,
    whole_layers,
)
from overlap_widget.model.backward import Tail
from overlap_widget.model.scenarios import COURSE, FAST_HARDWARE
from overlap_widget.model.units import MIB

CASES = Path(__file__).parents[3] / "shared" / "cases"

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


@pytest.mark.parametrize(
    ("limit_mib", "first_mib", "expected_bytes"),
    [
        (25, 1, [2052000, 28852224, 15853824]),
        (35, 1, [2052000, 38297600, 6408448]),
        (25, 25, [30904224, 15853824]),
        (100, 100, [46758048]),
    ],
)
def test_resnet18_falls_into_the_buckets_that_pytorch_makes(
    limit_mib, first_mib, expected_bytes
):
    # float32, and the last parameter's gradient comes first. 25 MB instead of
    # 25 MiB would close the second bucket with a smaller gradient.
    layers = resnet18()
    plan = by_bytes(layers, limit_mib * MIB, first_mib * MIB)
    transfers = simulate(layers, plan, COURSE.link).transfers
    assert [one.size_bytes for one in transfers] == expected_bytes


def resnet18():
    case = CASES / "78-resnet18-buckets.json"
    if not case.exists():
        pytest.skip("shared/cases is not beside this checkout")
    parameters = json.loads(case.read_text())["parameters"]
    return [Layer(name, 1e-4, 4 * count) for name, count in reversed(parameters)]


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


@given(LAYERS, LINKS)
def test_the_best_plan_is_never_worse_than_any_bucket_size(layers, link):
    best = best_of(layers, link)
    by_size = [tail.total_s for tail in tails(layers, link)]
    end_s = sum(layer.backward_s for layer in layers) + max(by_size)
    assert best.plan_tail_s <= min(by_size) + 1e-15 * end_s
    assert best.tail_s <= min(by_size) * (1 + 1e-9)


@given(LAYERS.filter(lambda layers: len(layers) <= 7), LINKS)
def test_no_grouping_ends_before_the_best_plan(layers, link):
    def end_s(plan):
        return simulate(layers, plan, link).transfers[-1].end_s

    assert end_s(best_plan(layers, link)) == min(map(end_s, all_plans(len(layers))))


@given(LAYERS, LINKS)
def test_the_tail_for_each_size_is_what_simulating_it_gives(layers, link):
    found = tails(layers, link)
    assert len(found) == len(layers)
    for size, tail in enumerate(found, start=1):
        assert tail == simulate(layers, whole_layers(len(layers), size), link).tail


def test_of_equal_tails_the_largest_bucket_is_best():
    def queued(seconds):
        return Tail(seconds, 0, 0)

    assert best_bucket([queued(s) for s in (3, 2, 2 * (1 + 1e-12), 5)]) == 3
    assert best_bucket([queued(s) for s in (0, 0, 1)]) == 2


def test_the_best_plan_of_an_overhead_past_float64_is_one_bucket():
    assert best_plan(layers_of(3, 4), Link(1e308, 1)) == (2,)


def test_two_thousand_tensors_are_no_burden():
    layers = [Layer("", 1e-5 * (k % 7), 1e4 * (k % 11)) for k in range(2000)]
    best = best_of(layers, COURSE.link)
    assert sum(best.plan) == 2000
    assert best.plan_tail_s <= best.tail_s
