"""The landscape: what each bucket size leaves on each of many links, in one call."""

import math
import sys
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import OFF, Effects, Layer, Link, simulate, whole_layers
from overlap_widget.model.landscape import landscape
from overlap_widget.model.regime import Regime, regime
from overlap_widget.model.scenarios import COURSE, FAST_HARDWARE
from overlap_widget.model.units import GB, MS

REGIMES = list(Regime)


def where(found, *regimes):
    """At which points the landscape has one of these regimes."""
    return np.isin(found.regime, [REGIMES.index(one) for one in regimes])


# --- By hand -----------------------------------------------------------------------

LAYERS = (
    Layer("d", backward_s=3, gradient_bytes=2),
    Layer("c", backward_s=1, gradient_bytes=6),
    Layer("b", backward_s=4, gradient_bytes=4),
    Layer("a", backward_s=2, gradient_bytes=10),
)


def test_the_course_has_its_tails_in_the_landscape_too():
    found = landscape(
        COURSE.layers, [12 * GB], [1 * MS], buckets=[1, 2, 3, 4, 5, 6, 12]
    )
    tails_ms = [4.333, 7.667, 11.0, 14.333, 15.333, 21.0, 41.0]
    assert np.round(found.tail_s[:, 0, 0] / MS, 3).tolist() == tails_ms


def test_two_bucket_sizes_on_two_rates_with_three_overheads():
    # Layer by layer, at 2 B/s with 1 s a transfer:
    # seconds  0  1  2  3  4  5  6  7  8  9 10 11 12 ... 18
    # compute  [   d    ][c][     b     ][  a ]|
    # link              [1 d ][   2  c   ][ 3  b  ][ 4  a ]
    # Three layers to a bucket, at 4 B/s with 1 s a transfer:
    # link                                [  1 d c b  ][ 2 a ]
    #                                     8           12    15.5
    found = landscape(LAYERS, [2, 4], [0, 1, 3], buckets=[1, 3])
    assert found.tail_s.shape == (2, 2, 3)
    assert found.queued_s[0, 0].tolist() == [0, 2, 8]
    assert found.overhead_s[0, 0].tolist() == [0, 1, 3]
    assert found.wire_s[0, 0].tolist() == [5, 5, 5]
    assert found.tail_s[0, 0].tolist() == [5, 8, 16]
    assert found.queued_s[1, 1].tolist() == [1, 2, 4]
    assert found.wire_s[1, 1].tolist() == [2.5, 2.5, 2.5]
    assert found.tail_s[1, 1].tolist() == [3.5, 5.5, 9.5]
    assert (found.backward_s == 10).all()


def test_a_slower_link_slows_the_pass_for_longer():
    # With a slowdown of 1, compute beside a transfer takes twice its time.
    # seconds  0  1  2  3  4  5  6  7  8
    # compute  [  c  ][  b  :        ]          2 B/s: 1 s done by 4, then 3 s alone
    # link           [1 c ]          [2]
    # compute  [  c  ][  b        :    ]        1 B/s: 2 s done by 6, then 2 s alone
    # link           [   1  c     ]    [ 2 ]
    layers = [Layer("c", 2, 4), Layer("b", 4, 2)]
    found = landscape(layers, [2, 1], [0], buckets=[1, 2], effects=Effects(slowdown=1))
    assert found.backward_s[0, :, 0].tolist() == [7, 8]
    assert found.tail_s[0, :, 0].tolist() == [1, 2]
    assert found.backward_s[1, :, 0].tolist() == [6, 6]
    assert found.tail_s[1, :, 0].tolist() == [3, 6]


def test_a_late_rank_is_a_part_of_every_tail():
    found = landscape(LAYERS, [2], [1], buckets=[1, 4], effects=Effects(late_s=0.5))
    assert found.late_s == 0.5
    assert found.tail_s[:, 0, 0].tolist() == [0.5 + 2 + 1 + 5, 0.5 + 0 + 1 + 11]


def test_late_is_the_regime_once_it_is_most_of_the_tail():
    # Layer by layer the tail is 8 s and the wait: half of it at 8 s, more at 9.
    regimes = [
        landscape(LAYERS, [2], [1], buckets=[1], effects=Effects(late_s=late_s)).regime
        for late_s in (8, 9)
    ]
    assert REGIMES[regimes[0].item()] == Regime.TRAFFIC
    assert REGIMES[regimes[1].item()] == Regime.LATE


def test_each_point_has_the_regime_of_its_step():
    # The three layers of test_regime.py, layer by layer.
    layers = [Layer("c", 2, 1), Layer("b", 3, 5), Layer("a", 4, 1)]
    found = landscape(layers, [12, 11, 2, 1, 0.7], [0, 2], buckets=[1, 3])
    named = [[REGIMES[place].value for place in row] for row in found.regime[0]]
    assert named == [
        ["hidden", "last_bucket"],
        ["last_bucket", "last_bucket"],
        ["last_bucket", "overhead"],
        ["queue", "queue"],
        ["traffic", "traffic"],
    ]
    assert where(found, Regime.ONE_TRANSFER)[1].all()
    assert found.regime.dtype == np.uint8


# --- The slow twin -----------------------------------------------------------------

SIZES = st.integers(0, 9).map(float) | st.floats(0, 1e9, allow_subnormal=False)
STEPS = st.lists(
    st.builds(Layer, st.just("layer"), SIZES, SIZES), min_size=1, max_size=6
)
RATES = st.lists(
    st.sampled_from([1.0, 2.0, 7.0]) | st.floats(1e-3, 1e9), min_size=1, max_size=3
)
OVERHEADS = st.lists(
    st.sampled_from([0.0, 1.0]) | st.floats(0, 1e9), min_size=1, max_size=2
)
EFFECTS = st.builds(
    Effects,
    overlap=st.sampled_from([True, True, True, False]),
    slowdown=st.sampled_from([0.0, 0.19, 1.0]) | st.floats(0, 10),
    late_s=st.sampled_from([0.0, 0.0, 1.0]) | st.floats(0, 1e9),
    micro_steps=st.integers(1, 3),
    every_micro_step=st.booleans(),
)


def assert_that_each_point_is_as_simulated(layers, rates, overheads_s, effects):
    found = landscape(layers, rates, overheads_s, effects=effects)
    assert found.buckets.tolist() == list(range(1, len(layers) + 1))
    assert found.late_s == effects.late_s
    for b, w, o in np.ndindex(found.tail_s.shape):
        plan, link = whole_layers(len(layers), b + 1), Link(overheads_s[o], rates[w])
        step = simulate(layers, plan, link, effects)
        at = b, w, o
        assert found.queued_s[at] == step.tail.queued_s
        assert found.overhead_s[at] == step.tail.overhead_s
        assert found.wire_s[at] == step.tail.wire_s
        assert found.tail_s[at] == step.tail.total_s
        assert found.backward_s[at] == step.backward_s
        assert REGIMES[found.regime[at]] == regime(step)


@given(STEPS, RATES, OVERHEADS, EFFECTS)
def test_each_point_is_what_simulating_it_gives_to_the_last_bit(
    layers, rates, overheads_s, effects
):
    assert_that_each_point_is_as_simulated(layers, rates, overheads_s, effects)


@pytest.mark.parametrize("effects", [OFF, Effects(slowdown=0.19, micro_steps=2)])
def test_a_bucket_size_has_the_same_numbers_alone_as_beside_others(effects):
    links = ([8 * GB, 20 * GB], [0, 3 * MS])
    beside = landscape(COURSE.layers, *links, effects=effects)
    for size in (3, 5):
        alone = landscape(COURSE.layers, *links, buckets=[size], effects=effects)
        assert (alone.tail_s[0] == beside.tail_s[size - 1]).all()
        assert (alone.regime[0] == beside.regime[size - 1]).all()


@pytest.mark.parametrize("effects", [OFF, Effects(slowdown=0.19)], ids=str)
def test_a_link_that_is_free_at_the_moment_of_need_makes_no_point_wait(effects):
    # Each bucket of 5 layers takes as long as its compute, but for rounding.
    rates, overheads_s = [8 * GB, 10 * GB, 20 * GB], [0, 1 * MS, 2 * MS]
    assert_that_each_point_is_as_simulated(COURSE.layers, rates, overheads_s, effects)
    found = landscape(COURSE.layers, rates, overheads_s)
    assert ((found.queued_s == 0) | (found.queued_s > 1e-6)).all()


# --- The claims --------------------------------------------------------------------

RATES_GB_PER_S = np.geomspace(1, 100, 41) * GB
OVERHEADS_S = np.concatenate([[0], np.geomspace(1e-6, 30e-3, 30)])
SCENARIOS = pytest.mark.parametrize(
    "scenario", [COURSE, FAST_HARDWARE], ids=lambda one: one.name
)


def landscape_of(scenario):
    return landscape(scenario.layers, RATES_GB_PER_S, OVERHEADS_S)


@SCENARIOS
def test_floor_no_tail_is_shorter_than_the_last_bucket_and_a_free_link_reaches_it(
    scenario,
):
    found = landscape_of(scenario)
    floor_s = found.overhead_s + found.wire_s
    assert (found.tail_s >= floor_s).all()
    is_free = where(found, Regime.LAST_BUCKET, Regime.HIDDEN, Regime.ONE_TRANSFER)
    assert (found.tail_s == floor_s)[is_free].all()
    is_busy = where(found, Regime.OVERHEAD, Regime.QUEUE)
    assert is_busy.any()
    assert (found.tail_s > floor_s)[is_busy].all()


def test_bucket_size_the_best_one_grows_with_the_overhead():
    overheads_ms = np.array([0.1, 1, 2, 4, 10, 40])
    found = landscape(COURSE.layers, [12 * GB], overheads_ms * MS)
    tails_s = found.tail_s[:, 0, :]
    assert (np.diff(tails_s[:6, 0]) > 0).all()  # smaller is better at first
    assert (1 + tails_s.argmin(axis=0)).tolist() == [1, 1, 2, 3, 6, 12]


@SCENARIOS
def test_queue_what_the_link_cannot_drain_beside_the_pass_is_exposed(scenario):
    # However the gradients are divided: the link is busy for all the wire and for one
    # overhead a transfer, and can't begin before the first bucket is ready.
    found = landscape_of(scenario)
    layer = scenario.layers[0]
    sizes = found.buckets[:, np.newaxis, np.newaxis]
    wire_s = 12 * layer.gradient_bytes / RATES_GB_PER_S[:, np.newaxis]
    busy_s = wire_s + np.ceil(12 / sizes) * OVERHEADS_S
    beside_s = found.backward_s - sizes * layer.backward_s
    assert (found.tail_s >= busy_s - beside_s - 1e-12).all()


def test_queue_a_big_early_gradient_makes_the_last_bucket_wait():
    # 600 MB are ready at 20 ms and take 50 at 12 GB/s, until 15 ms after the pass; at
    # 20 GB/s they end 5 ms before it does.
    layers = [Layer("b", 20 * MS, 600e6), Layer("a", 35 * MS, 12e6)]
    found = landscape(layers, [12 * GB, 20 * GB], [0], buckets=[1])
    assert where(found, Regime.QUEUE)[0, :, 0].tolist() == [True, False]
    assert found.queued_s[0, :, 0] == pytest.approx([15 * MS, 0])


@SCENARIOS
def test_last_lever_no_bucket_size_hides_traffic_that_exceeds_work(scenario):
    found = landscape_of(scenario)
    total_bytes = sum(layer.gradient_bytes for layer in scenario.layers)
    traffic_s = total_bytes / RATES_GB_PER_S[:, np.newaxis] + OVERHEADS_S
    excess_s = traffic_s - found.backward_s
    exceeds = excess_s > 1e-9
    assert exceeds.any()
    assert (found.tail_s >= excess_s)[exceeds].all()
    above = where(found, Regime.TRAFFIC, Regime.ONE_TRANSFER)
    assert above[exceeds].all()
    assert not where(found, Regime.TRAFFIC)[~exceeds].any()


# --- One call ----------------------------------------------------------------------


def lines_of_the_model(function):
    """How many lines of the model run in this call."""
    count = 0

    def trace(frame, event, _argument):
        nonlocal count
        if not frame.f_globals["__name__"].startswith("overlap_widget.model"):
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("effects", [OFF, Effects(slowdown=0.19)], ids=str)
def test_more_points_run_no_more_lines(effects):
    # Slowed layers take a round for each transfer beside them, so the values are the
    # same: only their number differs.
    rates, overheads_s = np.array([2 * GB, 20 * GB]), np.array([0, 5 * MS])

    def call(times):
        landscape(
            COURSE.layers,
            rates.repeat(times),
            overheads_s.repeat(times),
            effects=effects,
        )

    few = lines_of_the_model(lambda: call(1))
    assert few > 100
    assert lines_of_the_model(lambda: call(25)) == few


def test_a_layer_looks_no_more_at_transfers_that_are_over():
    def lines(layers):
        steps = [Layer("", 1, 1)] * layers
        effects = Effects(slowdown=1)
        return lines_of_the_model(
            lambda: landscape(steps, [8, 80], [0], buckets=[1], effects=effects)
        )

    assert lines(80) < 2.5 * lines(40)  # four times, were each to look at all of them


def test_a_landscape_keeps_its_axes_whatever_becomes_of_those_handed_in():
    rates, overheads_s = np.array([2.0, 4.0]), np.array([1.0])
    found = landscape(LAYERS, rates, overheads_s)
    rates[0] = overheads_s[0] = 9
    assert found.bandwidths_bytes_per_s.tolist() == [2, 4]
    assert found.overheads_s.tolist() == [1]


def test_no_column_of_a_landscape_can_be_changed():
    found = landscape(LAYERS, [2, 4], [1])
    columns = [getattr(found, field.name) for field in fields(found)]
    arrays = [column for column in columns if isinstance(column, np.ndarray)]
    assert len(arrays) == 9
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


# --- What is refused ---------------------------------------------------------------


@pytest.mark.parametrize("bad", [0, -1, math.nan, math.inf])
def test_a_bandwidth_that_no_link_has_is_refused(bad):
    with pytest.raises(ValueError, match="bandwidths must all be finite and above 0"):
        landscape(LAYERS, [2, bad], [1])


@pytest.mark.parametrize("bad", [-1, math.nan, math.inf])
def test_an_overhead_that_no_link_has_is_refused(bad):
    with pytest.raises(ValueError, match="overheads must all be finite and not neg"):
        landscape(LAYERS, [2], [1, bad])


@pytest.mark.parametrize("bad", [[], 3, [[1, 2]]])
def test_an_axis_that_is_no_row_of_numbers_is_refused(bad):
    with pytest.raises(ValueError, match="the bandwidths must be a row of numbers"):
        landscape(LAYERS, bad, [1])
    with pytest.raises(ValueError, match="the overheads must be a row of numbers"):
        landscape(LAYERS, [2], bad)


@pytest.mark.parametrize("bad", [0, -1, 5])
def test_a_bucket_size_that_no_plan_has_is_refused(bad):
    with pytest.raises(ValueError, match="choose 1 to 4"):
        landscape(LAYERS, [2], [1], buckets=[1, bad])


def test_bucket_sizes_may_be_an_array_but_not_half_a_layer():
    found = landscape(LAYERS, [2], [1], buckets=np.array([4, 1]))
    assert found.buckets.tolist() == [4, 1]
    assert found.tail_s[:, 0, 0].tolist() == [12, 8]
    with pytest.raises(ValueError, match="whole number of layers"):
        landscape(LAYERS, [2], [1], buckets=[1.5])


def test_without_layers_or_bucket_sizes_there_is_no_landscape():
    with pytest.raises(ValueError, match="needs a layer and a bucket size"):
        landscape([], [2], [1])
    with pytest.raises(ValueError, match="needs a layer and a bucket size"):
        landscape(LAYERS, [2], [1], buckets=[])


@pytest.mark.parametrize("effects", [OFF, Effects(slowdown=0.19)], ids=str)
@pytest.mark.parametrize(
    ("layer", "rate", "overhead_s"),
    [
        (Layer("a", 1e308, 1), 1, 0),
        (Layer("a", 1, 1e308), 1, 0),
        (Layer("a", 1, 1e300), 1e-300, 0),
        (Layer("a", 1, 1), 1, 1e308),
    ],
)
def test_times_past_float64_at_one_point_are_one_sentence(
    layer, rate, overhead_s, effects
):
    with pytest.raises(ValueError, match="too large to add up"):
        landscape([layer] * 2, [1e9, rate], [0, overhead_s], effects=effects)
