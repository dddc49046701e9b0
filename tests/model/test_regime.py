"""The regime of a step: which effect decides its tail."""

from overlap_widget.model import Effects, Layer, Link, MeasuredLink, simulate
from overlap_widget.model.plans import whole_layers
from overlap_widget.model.regime import Regime, regime


def step(plan, overhead_s=0.0, bandwidth=1.0):
    # Three layers of 2, 3 and 4 s with gradients of 1, 5 and 1 bytes.
    layers = [Layer("c", 2, 1), Layer("b", 3, 5), Layer("a", 4, 1)]
    return simulate(layers, plan, Link(overhead_s, bandwidth))


def test_one_bucket_is_one_transfer_whatever_the_link():
    assert regime(step((3,), bandwidth=0.01)) == Regime.ONE_TRANSFER


def test_a_free_link_at_the_end_of_the_pass_leaves_the_last_bucket():
    # seconds     0    2    3    5         7.5   9
    # transfers        [ c ]     [    b    ]     [ a ]
    assert regime(step((1, 1, 1), bandwidth=2)) == Regime.LAST_BUCKET


def test_a_tail_of_a_hundredth_of_the_pass_is_as_good_as_hidden():
    # The last byte takes 1 / 12 s = 0.083 s, under 0.09 s; at 11 B/s it is 0.091 s.
    assert regime(step((1, 1, 1), bandwidth=12)) == Regime.HIDDEN
    assert regime(step((1, 1, 1), bandwidth=11)) == Regime.LAST_BUCKET


def test_bytes_that_outlast_the_pass_are_traffic():
    # 7 bytes at 0.7 B/s are 10 s of wire for a pass of 9 s.
    assert regime(step((1, 1, 1), bandwidth=0.7)) == Regime.TRAFFIC


def test_a_wait_that_free_starts_would_cure_is_overhead():
    # With 2 s a start b ends at 5 + 2 + 2.5 = 9.5, half a second after the pass.
    assert regime(step((1, 1, 1), overhead_s=2, bandwidth=2)) == Regime.OVERHEAD


def test_a_wait_for_bytes_alone_is_a_queue():
    # b alone takes 5 s from 5 to 10; a, ready at 9, waits a second for it.
    assert regime(step((1, 1, 1))) == Regime.QUEUE


def test_traffic_that_equals_work_doesnt_exceed_it():
    # 7 bytes at 7 / 9 B/s take the 9 s of the pass; twelve layers of 2.5 ms at 16 GB/s
    # take 30 ms of 30 ms.
    assert regime(step((1, 1, 1), bandwidth=7 / 9)) != Regime.TRAFFIC
    layers = [Layer(str(number), 0.0025, 40e6) for number in range(12)]
    for per_bucket in (1, 2, 5):
        plan = whole_layers(12, per_bucket)
        assert regime(simulate(layers, plan, Link(0, 16e9))) != Regime.TRAFFIC


def test_traffic_counts_one_overhead_as_the_ratio_on_the_screen_does():
    # 7 bytes at 1 B/s and 3 s of overhead: 10 s for a pass of 9 s.
    assert step((1, 1, 1), overhead_s=3).traffic_to_work > 1
    assert regime(step((1, 1, 1), overhead_s=3)) == Regime.TRAFFIC


def test_a_table_that_is_steep_at_the_top_has_no_traffic_above_work_for_it():
    # Two buckets of 5 bytes take 4 s each, 8 s of the pass of 9 s; one piece of 10
    # bytes would take 20 s, but no plan needs to send it so.
    table = MeasuredLink((5, 10), (4, 20), line=Link(1, 1))
    layers = [Layer("c", 2, 5), Layer("b", 7, 5)]
    found = simulate(layers, (1, 1), table)

    assert table.traffic_s(10) == 8
    assert regime(found) == Regime.LAST_BUCKET


def test_the_best_rate_of_a_table_is_that_of_a_size_that_a_bucket_can_have():
    # 10 bytes at 4 s for 5 are 8 s; the 1000 bytes of the last row, at 0.1 s a byte,
    # are more than there are to send.
    table = MeasuredLink((5, 10, 1000), (4, 20, 100), line=Link(1, 1))

    assert table.traffic_s(10) == 8
    assert table.traffic_s(4) == table.transfer_s(4)


def test_whether_traffic_exceeds_slowed_work_is_the_same_for_every_plan():
    # 8 s of traffic, and 6 s of work that takes at most 9 s: it can be hidden, as far
    # as one can tell for any plan.
    layers = [Layer(name, 2, 8 / 3) for name in "cba"]
    effects = Effects(slowdown=0.5)
    found = {
        plan: simulate(layers, plan, Link(0, 1), effects)
        for plan in ((1, 1, 1), (2, 1), (1, 2))
    }

    assert {one.hideable_s for one in found.values()} == {9}
    assert len({one.backward_s for one in found.values()}) > 1
    assert not any(one.traffic_exceeds_work for one in found.values())


def test_with_micro_steps_hidden_is_measured_by_the_pass_that_communicates():
    # A tail of 1 / 11 s: above 1 % of the 9 s that it could hide behind, below 1 % of
    # the 90 s of ten passes.
    layers = [Layer("c", 2, 1), Layer("b", 3, 5), Layer("a", 4, 1)]
    found = simulate(layers, (1, 1, 1), Link(0, 11), Effects(micro_steps=10))

    assert regime(found) == Regime.LAST_BUCKET
