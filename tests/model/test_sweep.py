"""The sweep: every bucket size on one link, and what is best."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import (
    Effects,
    Layer,
    Link,
    MeasuredLink,
    best_of,
    simulate,
    tails,
    whole_layers,
)
from overlap_widget.model.landscape import landscape
from overlap_widget.model.regime import Regime, regime
from overlap_widget.model.scenarios import COURSE
from overlap_widget.model.sweep import sweep
from overlap_widget.model.units import MB, MS

# --- By hand -----------------------------------------------------------------------

LAYERS = (
    Layer("d", backward_s=3, gradient_bytes=2),
    Layer("c", backward_s=1, gradient_bytes=6),
    Layer("b", backward_s=4, gradient_bytes=4),
    Layer("a", backward_s=2, gradient_bytes=10),
)
LINK = Link(overhead_s=1, bandwidth_bytes_per_s=2)


def test_four_layers_swept_by_hand():
    # seconds  0  1  2  3  4  5  6  7  8  9 10 11 12 ... 18          floor
    # compute  [   d    ][c][     b     ][  a ]|
    # by 1              [1 d ][   2  c   ][ 3  b  ][ 4  a ]  to 18    1 + 5
    # by 2                 [ 1  d c       ]    [  2  b a  ]  to 18    1 + 7
    # by 3                                [  1  d c b  ][ 2 ] to 21   1 + 5
    # by 4                                     [ 1  d c b a ] to 22   1 + 11
    sizes = sweep(LAYERS, LINK).sizes
    assert [one.bucket for one in sizes] == [1, 2, 3, 4]
    assert [one.transfers for one in sizes] == [4, 2, 2, 1]
    assert [one.last_layers for one in sizes] == [1, 2, 1, 4]
    assert [one.last_bytes for one in sizes] == [10, 14, 10, 22]
    assert [one.tail.queued_s for one in sizes] == [2, 0, 5, 0]
    assert [one.floor_s for one in sizes] == [6, 8, 6, 12]
    assert [one.tail.total_s for one in sizes] == [8, 8, 11, 12]
    assert [one.step_s for one in sizes] == [18, 18, 21, 22]
    assert [one.regime for one in sizes] == [
        Regime.TRAFFIC,
        Regime.TRAFFIC,
        Regime.TRAFFIC,
        Regime.ONE_TRANSFER,
    ]


def test_the_course_has_its_tails_in_the_sweep_too():
    found = sweep(COURSE.layers, COURSE.link)
    tails_ms = [round(one.tail.total_s / MS, 3) for one in found.sizes]
    assert tails_ms[:6] == [4.333, 7.667, 11.0, 14.333, 15.333, 21.0]
    assert tails_ms[11] == 41.0
    # With 5 layers to a bucket the last one holds 2, and its floor is theirs.
    assert found.sizes[4].last_layers == 2
    assert found.sizes[4].last_bytes == 80 * MB
    assert found.sizes[4].floor_s == pytest.approx(7.667 * MS, abs=1e-6)
    assert found.best == best_of(COURSE.layers, COURSE.link)
    assert found.best.bucket == 1


def test_transfers_are_counted_over_all_passes_that_communicate():
    effects = Effects(micro_steps=3, every_micro_step=True)
    assert [one.transfers for one in sweep(LAYERS, LINK, effects).sizes] == [
        12,
        6,
        6,
        3,
    ]
    only_last = Effects(micro_steps=3)
    assert [one.transfers for one in sweep(LAYERS, LINK, only_last).sizes] == [
        4,
        2,
        2,
        1,
    ]


def test_without_layers_there_is_nothing_to_sweep():
    with pytest.raises(ValueError, match="no layer"):
        sweep([], LINK)


def test_a_step_past_float64_is_one_sentence():
    with pytest.raises(ValueError, match="too large to add up"):
        sweep([Layer("a", 1, 1e308)] * 2, LINK)


# --- The slow twins ----------------------------------------------------------------

AMOUNTS = st.integers(0, 9).map(float) | st.floats(0, 1e9, allow_subnormal=False)
STEPS = st.lists(
    st.builds(Layer, st.just("layer"), AMOUNTS, AMOUNTS), min_size=1, max_size=8
)
LINES = st.builds(Link, st.sampled_from([0.0, 1.0]) | AMOUNTS, st.floats(1e-3, 1e9))
TABLES = st.builds(
    lambda steps, line: MeasuredLink(
        tuple(8.0**k for k in range(len(steps))),
        tuple(sum(steps[: k + 1]) for k in range(len(steps))),
        line,
    ),
    st.lists(st.floats(1e-3, 10), min_size=2, max_size=5),
    LINES,
)
EFFECTS = st.builds(
    Effects,
    overlap=st.sampled_from([True, True, True, False]),
    slowdown=st.sampled_from([0.0, 0.19, 1.0]),
    late_s=st.sampled_from([0.0, 0.0, 1.0, 50.0]),
    micro_steps=st.integers(1, 3),
    every_micro_step=st.booleans(),
)


@given(STEPS, LINES | TABLES, EFFECTS)
def test_each_size_is_what_simulating_it_gives_to_the_last_bit(layers, link, effects):
    sizes = sweep(layers, link, effects).sizes
    assert [one.bucket for one in sizes] == list(range(1, len(layers) + 1))
    for one in sizes:
        plan = whole_layers(len(layers), one.bucket)
        step = simulate(layers, plan, link, effects)
        last = step.transfers[-1]
        assert (one.tail, one.step_s) == (step.tail, step.step_s)
        assert (one.transfers, one.regime) == (len(step.transfers), regime(step))
        assert (one.last_bytes, one.last_layers) == (last.size_bytes, len(last.layers))


@given(STEPS, LINES | TABLES, EFFECTS)
def test_the_sweep_agrees_with_the_tails_and_the_best_of_them(layers, link, effects):
    found = sweep(layers, link, effects)
    assert tuple(one.tail for one in found.sizes) == tails(layers, link, effects)
    assert found.best == best_of(layers, link, effects)


@given(STEPS, LINES, EFFECTS)
def test_the_sweep_is_a_line_of_the_landscape(layers, link, effects):
    line = landscape(
        layers, [link.bandwidth_bytes_per_s], [link.overhead_s], effects=effects
    )
    sizes = sweep(layers, link, effects).sizes
    assert [one.tail.total_s for one in sizes] == line.tail_s[:, 0, 0].tolist()
    places = [list(Regime).index(one.regime) for one in sizes]
    assert places == line.regime[:, 0, 0].tolist()


@given(STEPS, LINES | TABLES, EFFECTS)
def test_no_tail_is_shorter_than_the_floor_of_its_size(layers, link, effects):
    for one in sweep(layers, link, effects).sizes:
        assert one.floor_s == link.transfer_s(one.last_bytes)
        assert one.tail.total_s >= one.floor_s


def test_two_thousand_tensors_can_be_swept():
    layers = [Layer("", 1e-5 * (k % 7), 1e4 * (k % 11)) for k in range(2000)]
    found = sweep(layers, COURSE.link)
    assert len(found.sizes) == 2000
    assert found.best.plan_tail_s <= min(one.tail.total_s for one in found.sizes)
