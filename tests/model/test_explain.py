"""Why a step waits and what would help most: `explain`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import Effects, Layer, Link, simulate, whole_layers
from overlap_widget.model.explain import LEAST, Lever, explain
from overlap_widget.model.regime import Regime, regime
from overlap_widget.model.scenarios import COURSE

TIMES = st.floats(0, 1, allow_subnormal=False)
SIZES = st.floats(0, 100, allow_subnormal=False)


@st.composite
def steps(draw):
    """Any step of a few layers, with any of the options."""
    sizes = draw(st.lists(st.tuples(TIMES, SIZES), min_size=1, max_size=6))
    layers = [Layer(f"layer {at}", *row) for at, row in enumerate(sizes)]
    plan = whole_layers(len(layers), draw(st.integers(1, len(layers))))
    link = Link(draw(TIMES), draw(st.floats(0.1, 1000)))
    effects = Effects(
        overlap=draw(st.booleans()),
        slowdown=draw(st.sampled_from([0, 0.25])),
        late_s=draw(st.sampled_from([0, 0.5])),
        micro_steps=draw(st.integers(1, 3)),
        every_micro_step=draw(st.booleans()),
    )
    return simulate(layers, plan, link, effects)


def helps(*of, **effects):
    """What helps the course with this bucket size, overhead [ms] and bandwidth."""
    size, overhead_ms, gb_per_s = of
    link = Link(overhead_ms / 1e3, gb_per_s * 1e9)
    step = simulate(COURSE.layers, whole_layers(12, size), link, Effects(**effects))
    return [(one.lever, round(one.saves_s * 1e3, 3)) for one in explain(step).helps]


@given(steps())
def test_savings_never_add_up_to_more_than_the_exposed_tail(step):
    saved_s = sum(one.saves_s for one in explain(step).helps)

    assert saved_s <= step.tail.total_s * (1 + 1e-12)


@given(steps())
def test_a_help_saves_what_the_step_with_it_shows(step):
    left_s = step.tail.total_s
    for one in explain(step).helps:
        assert one.saves_s > LEAST * step.tail.total_s
        left_s -= one.saves_s
        assert left_s == pytest.approx(one.simulation.tail.total_s, rel=1e-9, abs=1e-12)


@given(steps())
def test_no_lever_is_pulled_twice_and_the_regime_is_that_of_the_step(step):
    found = explain(step)
    levers = [one.lever for one in found.helps]

    assert len(set(levers)) == len(levers)
    assert found.regime == regime(step)


def test_the_greatest_help_comes_first_and_the_next_on_top_of_it():
    # Four layers a bucket: 1 + 160 / 12 ms. One layer: 1 + 40 / 12. Then twice the
    # bandwidth takes 40 / 24 off, and half the overhead 0.5 ms more.
    assert helps(4, 1, 12) == [
        (Lever.BUCKET, 10.0),
        (Lever.BANDWIDTH, 1.667),
        (Lever.OVERHEAD, 0.5),
    ]


def test_where_the_overhead_queues_transfers_half_of_it_helps_most():
    # 12 transfers of 4 + 10/3 ms queue behind a pass of 60 ms: a tail of 33 ms.
    lever, saves_ms = helps(1, 4, 12)[0]

    assert lever is Lever.OVERHEAD
    assert saves_ms == 24.0  # 2 ms each


def test_where_traffic_exceeds_work_the_bandwidth_helps_most():
    assert helps(2, 1, 4)[0][0] is Lever.BANDWIDTH


def test_without_overlap_overlap_helps_most():
    # Three transfers of 14.333 ms after the pass; with overlap one of them remains.
    assert helps(4, 1, 12, overlap=False)[0] == (Lever.OVERLAP, 28.667)


def test_a_rank_that_is_late_is_named_before_small_change():
    assert helps(1, 0.1, 100, late_s=7e-3)[0] == (Lever.LATE, 7.0)


def test_a_help_that_saves_no_tail_leaves_room_for_one_that_does():
    # Buckets of 9 and 3 layers shorten the step most, by 11.1 ms: less of the pass runs
    # beside transfers. But their tail is 9 ms and not 5.667 ms as with 12 buckets.
    assert helps(1, 4, 24, slowdown=0.5) == [
        (Lever.OVERHEAD, 2.0),
        (Lever.BANDWIDTH, 0.833),
    ]


def test_nothing_helps_where_nothing_is_exposed():
    step = simulate([Layer("a", 1, 0)], (1,), Link(0, 1))

    assert explain(step).helps == ()
    assert explain(step).regime is Regime.ONE_TRANSFER
