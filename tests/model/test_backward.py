"""The simulated backward pass: when buckets leave, and why a tail is left.

The last section states the claims that the widget is there to show.
"""

import math
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import (
    Kind,
    Layer,
    Link,
    break_down,
    simulate,
    tails,
    timeline_of,
    whole_layers,
)
from overlap_widget.model.scenarios import COURSE, FAST_HARDWARE
from overlap_widget.model.schedule import start_after

# --- By hand -----------------------------------------------------------------------

LAYERS = (
    Layer("d", backward_s=3, gradient_bytes=2),
    Layer("c", backward_s=1, gradient_bytes=6),
    Layer("b", backward_s=4, gradient_bytes=4),
    Layer("a", backward_s=2, gradient_bytes=10),
)
LINK = Link(overhead_s=1, bandwidth_bytes_per_s=2)


def test_each_bucket_leaves_when_it_is_full_and_the_link_is_free():
    # seconds  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16
    # compute  [   d    ][c][     b     ][  a ]|
    # link              [1 d ][   2  c   ][   3  b ][        4  a     ]
    # waiting              c..         b.        a..
    simulation = simulate(LAYERS, (1, 1, 1, 1), LINK)
    rows = [
        (one.layers, one.size_bytes, one.ready_s, one.start_s, one.end_s)
        for one in simulation.transfers
    ]
    assert rows == [
        (("d",), 2, 3, 3, 5),
        (("c",), 6, 4, 5, 9),
        (("b",), 4, 8, 9, 12),
        (("a",), 10, 10, 12, 18),
    ]
    assert simulation.backward_s == 10
    assert simulation.tail.queued_s == 2
    assert simulation.tail.overhead_s == 1
    assert simulation.tail.wire_s == 5
    assert simulation.tail.total_s == 8
    assert simulation.most_waiting == 1


def test_a_bucket_is_ready_with_its_last_layer_not_its_first():
    # seconds  0  1  2  3  4  5  6  7  8  9 10 11 12 ... 18
    # compute  [   d    ][c][     b     ][  a ]|
    # link                 [ 1  d c     ]      [ 2  b a   ]
    simulation = simulate(LAYERS, (2, 2), LINK)
    assert [one.ready_s for one in simulation.transfers] == [4, 10]
    assert [one.end_s for one in simulation.transfers] == [9, 18]
    assert simulation.tail.queued_s == 0
    assert simulation.tail.total_s == 8


def test_the_pass_and_the_transfers_share_one_clock_in_the_timeline():
    spans = timeline_of(simulate(LAYERS, (3, 1), LINK))
    names = [spans.names[index] for index in spans.name]
    assert names == ["d", "c", "b", "a", "d to b", "a"]
    assert spans.start_s.tolist() == [0, 3, 4, 8, 8, 15]
    assert spans.end_s.tolist() == [3, 4, 8, 10, 15, 21]
    assert spans.ready_s.tolist() == [0, 3, 4, 8, 8, 10]
    assert spans.size_bytes.tolist() == [2, 6, 4, 10, 12, 10]
    assert spans.kind.tolist() == [Kind.COMPUTE] * 4 + [Kind.COMMUNICATION] * 2
    assert spans.stream.tolist() == [0] * 4 + [1] * 2
    assert spans.backward_end_s == 10


def test_up_to_three_buckets_wait_for_a_slow_link():
    # seconds  0  1  2  3  4  5  6  7  8  9 10 11
    # compute  [4][3][ 2 ][1]|
    # link        [    4 takes 10 s ...
    # waiting        3.....   from 2, 2 from 4, 1 from 5
    layers = [
        Layer(str(n), backward_s=s, gradient_bytes=10)
        for n, s in ((4, 1), (3, 1), (2, 2), (1, 1))
    ]
    link = Link(overhead_s=0, bandwidth_bytes_per_s=1)
    assert simulate(layers, (1, 1, 1, 1), link).most_waiting == 3


def test_a_bucket_that_finds_the_link_just_free_does_not_wait():
    layers = [Layer("b", 2, 3), Layer("a", 3, 1)]
    link = Link(overhead_s=0, bandwidth_bytes_per_s=1)
    simulation = simulate(layers, (1, 1), link)
    assert simulation.transfers[1].start_s == simulation.transfers[0].end_s == 5
    assert (simulation.most_waiting, simulation.tail.queued_s) == (0, 0)


def test_a_transfer_that_starts_by_rounding_before_the_one_ahead_never_waited():
    # seconds      0    1    2    3    4    5    6    7
    # compute      [    a    ][ b ][ c ][ d ]
    # link                   [      a       ][    d    ]    b and c hold nothing
    # waiting                      1    2   |            at 5, d a hair before b, c
    e = 2.0**-50
    times_s, sizes_bytes = (2 - 2 * e, 1 - e, 1 - e, 1 + e), (3, 0, 0, 2)
    layers = [Layer(*of) for of in zip("abcd", times_s, sizes_bytes, strict=True)]
    simulation = simulate(layers, (1, 1, 1, 1), Link(0.0, 1.0))

    starts_s = [one.start_s for one in simulation.transfers]
    assert starts_s[3] < starts_s[2] == starts_s[1] < 5
    assert simulation.most_waiting == 2


def test_traffic_to_work_counts_all_gradients_in_one_piece():
    assert simulate(LAYERS, (1, 1, 1, 1), LINK).traffic_to_work == (1 + 22 / 2) / 10


def test_without_compute_there_is_no_ratio_of_traffic_to_work():
    simulation = simulate([Layer("a", 0, 5)], (1,), LINK)
    assert simulation.traffic_to_work is None
    assert simulation.tail.total_s == 1 + 5 / 2


def test_a_ratio_past_float64_is_unknown_and_not_infinite():
    assert simulate([Layer("a", 1e-320, 5)], (1,), LINK).traffic_to_work is None


def test_an_empty_gradient_on_an_ideal_link_costs_nothing():
    simulation = simulate([Layer("a", 0, 0)], (1,), Link(0, 1))
    assert simulation.tail.total_s == 0
    assert break_down(timeline_of(simulation)).overlap is None


@pytest.mark.parametrize("plan", [(), (3,), (5,), (4, 0), (5, -1), (2, 1)])
def test_a_plan_that_does_not_hold_each_layer_once_is_refused(plan):
    with pytest.raises(ValueError, match="group all 4 layers"):
        simulate(LAYERS, plan, LINK)


def test_without_layers_there_is_nothing_to_simulate():
    with pytest.raises(ValueError, match="0 layers"):
        simulate([], (), LINK)


@pytest.mark.parametrize("bad", [-1, math.nan, math.inf])
def test_a_layer_or_link_without_meaning_is_refused(bad):
    with pytest.raises(ValueError, match="layer 'a'"):
        Layer("a", backward_s=bad, gradient_bytes=1)
    with pytest.raises(ValueError, match="layer 'a'"):
        Layer("a", backward_s=1, gradient_bytes=bad)
    with pytest.raises(ValueError, match="overhead"):
        Link(overhead_s=bad, bandwidth_bytes_per_s=1)
    with pytest.raises(ValueError, match="bandwidth"):
        Link(overhead_s=1, bandwidth_bytes_per_s=bad)


def test_a_link_without_bandwidth_is_refused():
    with pytest.raises(ValueError, match="above 0"):
        Link(overhead_s=1, bandwidth_bytes_per_s=0)


@pytest.mark.parametrize(
    ("layer", "link"),
    [
        (Layer("a", backward_s=1e308, gradient_bytes=1), Link(0, 1)),
        (Layer("a", backward_s=1, gradient_bytes=1e308), Link(0, 1)),
        (Layer("a", backward_s=1, gradient_bytes=1e300), Link(0, 1e-300)),
        (Layer("a", backward_s=1, gradient_bytes=1), Link(1e308, 1)),
    ],
)
def test_times_past_float64_are_one_sentence_and_never_nan(layer, link):
    with pytest.raises(ValueError, match="too large to add up"):
        simulate([layer] * 2, (1, 1), link)


def test_a_tail_far_shorter_than_the_pass_keeps_all_its_digits():
    link = Link(overhead_s=1e-9, bandwidth_bytes_per_s=1e9)
    simulation = simulate([Layer("a", backward_s=1e9, gradient_bytes=3)], (1,), link)
    assert simulation.tail.total_s == 1e-9 + 3 / 1e9


# --- Properties --------------------------------------------------------------------


@st.composite
def inputs(draw, number, above=0):
    """Layers, plan and link from one kind of number."""
    pairs = draw(st.lists(st.tuples(number, number), min_size=1, max_size=12))
    layers = [Layer(f"layer {k}", s, size) for k, (s, size) in enumerate(pairs)]
    cuts = draw(
        st.lists(st.booleans(), min_size=len(pairs) - 1, max_size=len(pairs) - 1)
    )
    plan, count = [], 1
    for cut in cuts:
        if cut:
            plan.append(count)
            count = 0
        count += 1
    bandwidth = draw(number.filter(lambda value: value > above))
    return layers, (*plan, count), Link(draw(number), bandwidth)


WHOLE = inputs(st.integers(0, 9).map(float))  # sums and halves are exact
ANY = inputs(st.floats(0, 1e9, allow_subnormal=False), above=1e-6)


@given(ANY)
def test_every_byte_is_sent_once_and_in_order(case):
    layers, plan, link = case
    transfers = simulate(layers, plan, link).transfers
    assert sum(one.size_bytes for one in transfers) == pytest.approx(
        sum(layer.gradient_bytes for layer in layers)
    )
    assert [name for one in transfers for name in one.layers] == [
        layer.name for layer in layers
    ]


@given(ANY)
def test_no_transfer_starts_before_it_is_ready_or_while_the_link_is_busy(case):
    layers, plan, link = case
    transfers = simulate(layers, plan, link).transfers
    ends_s = [0.0, *(one.end_s for one in transfers)]
    for one, last, end_s in zip(transfers, accumulate(plan), ends_s, strict=False):
        done_s = math.fsum(layer.backward_s for layer in layers[:last])
        assert one.ready_s == pytest.approx(done_s, rel=1e-15)
        assert one.start_s == start_after(one.ready_s, end_s)
        assert one.start_s == pytest.approx(max(one.ready_s, end_s), rel=1e-11)
        assert one.end_s == one.start_s + link.transfer_s(one.size_bytes)


def test_twelve_layers_of_five_milliseconds_are_sixty_to_the_last_bit():
    layers = [Layer(str(number), 0.005, 1) for number in range(12)]
    assert simulate(layers, (12,), Link(0, 1)).backward_s == 0.06


def test_a_link_that_is_free_at_the_moment_of_need_makes_nothing_wait():
    # Each bucket of 5 layers takes 5 * 40 MB / 8 GB/s = 25 ms, as does its compute.
    layers = [Layer(str(number), 0.005, 40e6) for number in range(12)]
    for overhead_s, bandwidth in ((0, 8e9), (0.002, 10e9), (0.001, 20e9)):
        for per_bucket in range(1, 13):
            step = simulate(
                layers, whole_layers(12, per_bucket), Link(overhead_s, bandwidth)
            )
            waits_s = [one.start_s - one.ready_s for one in step.transfers]
            assert all(wait_s == 0 or wait_s > 1e-6 for wait_s in waits_s)


@given(ANY)
def test_one_bucket_exposes_all_of_its_communication(case):
    layers, _, link = case
    simulation = simulate(layers, (len(layers),), link)
    only = simulation.transfers[0]
    assert only.start_s == simulation.backward_s
    assert simulation.tail.total_s == link.transfer_s(only.size_bytes)
    assert break_down(timeline_of(simulation)).hidden_s == 0


@given(ANY)
def test_the_split_is_all_of_the_tail(case):
    layers, plan, link = case
    simulation = simulate(layers, plan, link)
    tail, last = simulation.tail, simulation.transfers[-1]
    assert tail.queued_s + tail.overhead_s + tail.wire_s == tail.total_s
    assert tail.total_s == pytest.approx(
        last.end_s - simulation.backward_s, rel=1e-12, abs=4e-16 * last.end_s
    )
    assert min(tail.queued_s, tail.overhead_s, tail.wire_s) >= 0


@given(WHOLE.filter(lambda case: case[2].bandwidth_bytes_per_s in (1, 2, 4, 8)))
def test_the_split_is_exact_where_float64_is(case):
    simulation = simulate(*case)
    end_s = simulation.transfers[-1].end_s
    assert simulation.tail.total_s == end_s - simulation.backward_s


@given(ANY)
def test_intervals_measure_what_the_simulation_says(case):
    layers, plan, link = case
    simulation = simulate(layers, plan, link)
    breakdown = break_down(timeline_of(simulation))
    rounding_s = 1e-14 * simulation.transfers[-1].end_s
    costs_s = sum(link.transfer_s(one.size_bytes) for one in simulation.transfers)
    total_s = simulation.tail.total_s
    assert breakdown.compute_s == pytest.approx(simulation.backward_s)
    assert breakdown.tail_s == pytest.approx(total_s, abs=rounding_s)
    assert breakdown.exposed_s == pytest.approx(total_s, abs=rounding_s)
    assert breakdown.hidden_s == pytest.approx(costs_s - total_s, abs=rounding_s)


@given(ANY)
def test_the_step_lies_between_the_longer_of_its_parts_and_their_sum(case):
    simulation = simulate(*case)
    breakdown = break_down(timeline_of(simulation))
    step_s = simulation.transfers[-1].end_s
    longest_s = max(breakdown.compute_s, breakdown.communication_s)
    sum_s = breakdown.compute_s + breakdown.communication_s
    assert longest_s * (1 - 1e-12) <= step_s <= sum_s * (1 + 1e-12)


@given(ANY)
def test_the_most_that_wait_is_what_counting_moment_by_moment_gives(case):
    simulation = simulate(*case)
    counts = [
        sum(one.ready_s <= at.ready_s < one.start_s for one in simulation.transfers)
        for at in simulation.transfers
    ]
    assert simulation.most_waiting == max(counts)


# --- The claims --------------------------------------------------------------------


def test_the_course_has_these_tails():
    found = {
        per_bucket: round(tail.total_s * 1e3, 3)
        for per_bucket, tail in enumerate(tails(COURSE.layers, COURSE.link), start=1)
    }
    assert [found[size] for size in (1, 2, 3, 4, 5, 6, 12)] == [
        4.333,
        7.667,
        11.0,
        14.333,
        15.333,
        21.0,
        41.0,
    ]


def test_a_bucket_leaves_while_earlier_layers_still_compute():
    simulation = simulate(COURSE.layers, whole_layers(12, 4), COURSE.link)
    first = simulation.transfers[0]
    assert first.layers == ("layer 12", "layer 11", "layer 10", "layer 9")
    assert first.end_s < simulation.backward_s


@given(ANY)
def test_floor_the_tail_is_never_shorter_than_the_last_bucket_sent(case):
    layers, plan, link = case
    simulation = simulate(layers, plan, link)
    last_s = link.transfer_s(simulation.transfers[-1].size_bytes)
    assert simulation.tail.total_s >= last_s


def test_floor_is_not_a_full_bucket_where_the_last_one_holds_less():
    simulation = simulate(COURSE.layers, whole_layers(12, 5), COURSE.link)
    full, _, last = simulation.transfers
    assert last.layers == ("layer 2", "layer 1")
    full_s, last_s = (COURSE.link.transfer_s(one.size_bytes) for one in (full, last))
    assert last_s < simulation.tail.total_s < full_s


def test_bucket_size_smaller_ones_start_earlier_and_shrink_the_tail():
    sizes = (12, 6, 4, 3, 2, 1)
    runs = [simulate(COURSE.layers, whole_layers(12, n), COURSE.link) for n in sizes]
    starts_s = [run.transfers[0].start_s for run in runs]
    tails_s = [run.tail.total_s for run in runs]
    assert starts_s == sorted(starts_s, reverse=True)
    assert tails_s == sorted(tails_s, reverse=True)


def test_bucket_size_the_overhead_of_many_small_ones_wins_in_the_end():
    slow_start = Link(overhead_s=4e-3, bandwidth_bytes_per_s=12e9)
    by_size = [tail.total_s for tail in tails(COURSE.layers, slow_start)]
    assert by_size.index(min(by_size)) + 1 == 3
    assert by_size[0] > by_size[1] > by_size[2] < by_size[3] < by_size[5]


@given(ANY)
def test_queue_a_busy_link_works_off_all_that_it_was_given(case):
    layers, plan, link = case
    simulation = simulate(layers, plan, link)
    costs_s = [link.transfer_s(one.size_bytes) for one in simulation.transfers]
    window_s = simulation.backward_s - simulation.transfers[0].ready_s
    rounding_s = 1e-12 * simulation.transfers[-1].end_s
    assert simulation.tail.total_s >= sum(costs_s) - window_s - rounding_s


def test_queue_on_fast_hardware_transfers_wait_and_smaller_buckets_do_not_help():
    by_size = tails(FAST_HARDWARE.layers, FAST_HARDWARE.link)
    smallest = simulate(FAST_HARDWARE.layers, (1,) * 12, FAST_HARDWARE.link)
    assert smallest.most_waiting == 5
    assert smallest.tail.queued_s > smallest.tail.overhead_s + smallest.tail.wire_s
    assert by_size[0].total_s > by_size[1].total_s == pytest.approx(21e-3)


@given(ANY)
def test_last_lever_traffic_beyond_the_work_shows_under_any_plan(case):
    layers, plan, link = case
    simulation = simulate(layers, plan, link)
    ratio = simulation.traffic_to_work or 0.0  # none without any work
    beyond_s = max(ratio - 1, 0) * simulation.backward_s
    assert simulation.tail.total_s >= beyond_s * (1 - 1e-9)


@given(WHOLE, st.data())
def test_last_lever_no_plan_removes_any_wire_time(case, data):
    layers, plan, link = case
    other = whole_layers(len(layers), data.draw(st.integers(1, len(layers))))
    wires_s = [
        sum(
            link.wire_s(one.size_bytes)
            for one in simulate(layers, each, link).transfers
        )
        for each in (plan, other)
    ]
    assert wires_s[0] == pytest.approx(wires_s[1])
