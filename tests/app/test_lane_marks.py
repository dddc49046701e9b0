"""What options leave in the picture of a step, by hand; the layers are unequal."""

import pytest

from overlap_widget.app.lane_columns import lane_columns
from overlap_widget.app.lane_marks import marks_of
from overlap_widget.model import Layer, Link, simulate, timeline_of
from overlap_widget.model.effects import Effects

LAYERS = (Layer("c", 2, 1), Layer("b", 1, 3), Layer("a", 3, 2))
LINK = Link(overhead_s=0.5, bandwidth_bytes_per_s=1)


def lanes(plan=(1, 1, 1), layers=LAYERS, link=LINK, **effects):
    """The sources of the lanes figure, in milliseconds."""
    step = simulate(layers, plan, link, Effects(**effects))
    return lane_columns(timeline_of(step), marks_of(step))["sources"]


def spans(columns):
    """From and to of bars or lines, in seconds."""
    begin, end = ("left", "right") if "left" in columns else ("x0", "x1")
    pairs = zip(columns[begin], columns[end], strict=True)
    return [(start / 1e3, stop / 1e3) for start, stop in pairs]


def approx(pairs):
    return [pytest.approx(pair) for pair in pairs]


def test_without_options_there_are_no_marks():
    sources = lanes()

    assert [sources[name]["x0"] for name in ("passes",)] == [[]]
    assert [sources[name]["left"] for name in ("late", "slowed")] == [[], []]


def test_a_bucket_waits_for_the_late_rank_first_and_then_for_the_link():
    # s        0       2   3           6
    # compute  [   c   ][ b ][    a    ]|
    # late             [.7] [.7]       [.7]
    # link               [ 1.5 ][  3.5   ][  2.5  ]
    #                   2.7   4.2       7.7      10.2
    # The link is free at 4.2, so b waits from 3.7 on, and a from 6.7 to 7.7.
    sources = lanes(late_s=0.7)

    assert spans(sources["late"]) == approx([(2, 2.7), (3, 3.7), (6, 6.7)])
    assert spans(sources["waiting"]) == approx([(3.7, 4.2), (6.7, 7.7)])
    # Of one bucket both are one bar: the same row of the lane.
    late, link = (sources[name]["top"] for name in ("late", "waiting"))
    assert late[1:] == link


def test_who_is_late_shows_where_the_link_is_free():
    # Only c and a send, 6 s apart; c is on the link until 5.
    sources = lanes(plan=(2, 1), late_s=1)

    assert spans(sources["late"]) == approx([(3, 4), (6, 7)])
    assert spans(sources["waiting"]) == approx([(7, 8.5)])


def test_compute_is_marked_where_a_transfer_runs_beside_it():
    # Beside a transfer work goes on at two thirds of its pace: slowdown 50 %.
    # s        0       2         3.5                7
    # compute  [   c   ][ b at 2/3 ][      a         ]|
    # link             [    1.5    ][   3.5         ][  2.5  ]
    #                  2         3.5               7        9.5
    # b's second of work ends with the transfer of c at 3.5. Beside the 3.5 s of b's
    # transfer a does 7 / 3 s of its work by 7, then the link goes on at once with no
    # bucket to send: a's last 2 / 3 s run at full pace.
    sources = lanes(slowdown=0.5)

    assert spans(sources["compute"]) == approx([(0, 2), (2, 3.5), (3.5, 7 + 2 / 3)])
    assert spans(sources["slowed"]) == approx([(2, 7)])
    assert sources["slowed"]["top"] == sources["compute"]["bottom"][:1]


def test_what_the_link_does_after_the_pass_slows_nothing():
    # The only transfer starts with the end of the pass.
    assert spans(lanes(plan=(3,), slowdown=0.5)["slowed"]) == []


def test_compute_is_marked_in_each_stretch_of_transfers_alone():
    # Without overhead, and at half the pace beside a transfer; layer d works for 6 s.
    # s        0        2   3   3.5       6.5         11       14.125
    # compute  [   c    ][   b   ][        d           ][    a    ]|
    # link              [ 1 ]    [    3    ]           [.25]      [  2  ]
    layers = (*LAYERS[:2], Layer("d", 6, 0.25), LAYERS[2])
    sources = lanes((1, 1, 1, 1), layers, Link(0, 1), slowdown=1)

    assert spans(sources["slowed"]) == approx([(2, 3), (3.5, 6.5), (11, 11.25)])
    assert spans(sources["compute"])[-1] == pytest.approx((11, 14.125))


def test_a_line_ends_each_pass_but_the_last():
    # Three passes of 6 s: only the last one sends.
    sources = lanes(micro_steps=3)

    assert spans(sources["passes"]) == [(6, 6), (12, 12)]
    assert len(sources["compute"]["left"]) == 9
    assert spans(sources["hidden"])[0] == approx([(14, 15.5)])[0]


def test_slowed_passes_end_where_they_really_do():
    # Both passes send. The second one starts beside the transfers of the first.
    first_end_s = lanes(slowdown=0.5)["compute"]["right"][-1] / 1e3
    sources = lanes(micro_steps=2, every_micro_step=True, slowdown=0.5)

    assert spans(sources["passes"]) == approx([(first_end_s, first_end_s)])
    assert sources["compute"]["left"][3] / 1e3 == pytest.approx(first_end_s)


def test_without_overlap_nothing_runs_beside_the_pass():
    sources = lanes(overlap=False, slowdown=0.5)

    assert spans(sources["slowed"]) == spans(sources["hidden"]) == []
    assert spans(sources["exposed"]) == approx([(6, 7.5), (7.5, 11), (11, 13.5)])
