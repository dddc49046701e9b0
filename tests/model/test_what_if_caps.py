"""The tail of a measured pass for several caps of DDP's buckets, worked by hand.

    MiB       0        30                     90   120
    buckets   [   30   ][          60         ][ 30 ]
    pieces    48 of 2.5 each, and so many of them in the buckets: 12, 24, 12

The pass takes 120 ms, a ms for each MiB; the link starts at once and moves 0.5 MiB/ms.
"""

from dataclasses import replace

import pytest

from overlap_widget.model import Layer, Link, simulate
from overlap_widget.model.effects import Effects
from overlap_widget.model.link_fit import LinkFit
from overlap_widget.model.measured_file import measured_file
from overlap_widget.model.replay import replayed
from overlap_widget.model.rules import ddp
from overlap_widget.model.units import MIB, MS
from overlap_widget.model.what_if_caps import (
    best_sizes_bytes,
    caps,
    default_cap,
    piece_bytes,
)

LINK = Link(0.0, 2 * MIB / MS)
LAYERS = tuple(
    Layer(name, mib * MS, mib * MIB) for name, mib in (("c", 30), ("b", 60), ("a", 30))
)
FIT = LinkFit(LINK, 0.0, 0.0, None, 3, 30 * MIB, 60 * MIB)


@pytest.fixture
def replay(recorded):
    run = recorded(simulate(LAYERS, (1, 1, 1), LINK))
    return replayed(measured_file(run), 0, 0, FIT)


def test_each_cap_between_a_piece_and_all_bytes_has_its_tail(replay):
    # 5: 24 buckets of 5. 10: 12 of 10. 25: four, and 20 left. What is sent last takes
    # half a ms a MiB, and is all of the tail; but 50: two, and the last 20 are ready
    # 5 ms before the link is. 100: one, for 50 ms from 100 on, and then the last 20.
    rows = [
        (row.cap_bytes / MIB, row.transfers, row.tail_s / MS) for row in caps(replay)
    ]
    assert rows == [
        (5, 24, pytest.approx(2.5)),
        (10, 12, pytest.approx(5)),
        (25, 5, pytest.approx(10)),
        (50, 3, pytest.approx(15)),
        (100, 2, pytest.approx(40)),
    ]


def test_the_default_cap_closes_the_first_bucket_after_1_mib(replay):
    # 2.5, four of 25 and 17.5 left, where DDP starts with a small one.
    row = default_cap(replay)
    assert (row.cap_bytes, row.transfers) == (25 * MIB, 6)
    assert row.tail_s == pytest.approx(8.75 * MS)


def test_a_piece_is_as_large_as_all_bytes_over_all_pieces(replay):
    assert piece_bytes(replay) == pytest.approx(2.5 * MIB)


def test_the_transfers_of_the_best_plan_hold_all_bytes(replay):
    sizes = best_sizes_bytes(replay)
    assert len(sizes) == len(replay.best.plan)
    assert sum(sizes) == 120 * MIB
    assert sizes[0] == replay.best.plan[0] * 2.5 * MIB


def test_late_ranks_are_late_for_every_cap(replay):
    late = replace(replay, measured=replace(replay.measured, late_s=7 * MS))
    for row, later in zip(caps(replay), caps(late), strict=True):
        assert later.tail_s == pytest.approx(row.tail_s + 7 * MS)
    assert late.measured.effects == Effects(late_s=7 * MS)


def test_a_pass_smaller_than_every_cap_has_none_to_tell_apart(replay):
    small = tuple(replace(one, gradient_bytes=1000.0) for one in replay.measured.layers)
    assert caps(replace(replay, measured=replace(replay.measured, layers=small))) == ()


def test_every_row_is_the_plan_that_the_rule_gives(replay):
    for row in caps(replay):
        assert row.transfers == len(ddp(replay.measured.layers, row.cap_bytes / MIB))
