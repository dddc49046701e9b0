"""What each process group costs in a step: by hand, and as parts that add up."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlap_widget.model.group_parts import added, group_parts, union_parts
from overlap_widget.model.ranks_compared import compare_ranks
from overlap_widget.model.recording import Group
from overlap_widget.model.timeline import Collective

NONE, AR, AG = Collective.NONE, Collective.ALL_REDUCE, Collective.ALL_GATHER
DP, TP = Group("2", "dp", (0, 1)), Group("5", "mesh_tp", (0, 1))

# seconds      0  1  2  3  4  5  6  7  8  9 10 11 12
# compute      [        ]           [     ]
# dp                 [ waits ][     moves    ]
# tp                    [w ][ moves ]
# of no group                                  [? ]
ROWS = [
    (0, NONE, 0, 3),
    (0, NONE, 7, 9),
    (0, AR, 2, 10, 64, 0),
    (0, AG, 3, 7, 16, 1),
    (0, AG, 11, 12.5, np.nan, -1),
]
WAITING_S = np.array([3, 1.25, np.nan])


def numbers(parts):
    return [
        parts.communication_s,
        parts.waiting_s,
        parts.transfer_s,
        parts.untold_s,
        parts.exposed_s,
    ]


@pytest.fixture
def file(rank_file):
    return rank_file(0, ROWS, [DP, TP])


def test_each_group_has_its_parts_by_hand(file):
    unknown, dp, tp = group_parts(file, 0, 0, WAITING_S)

    assert (dp.group, dp.transfers, dp.size_bytes) == (DP, 1, 64)
    assert numbers(dp) == [8, 3, 5, 0, 4 + 1]
    assert (tp.group, tp.transfers, tp.size_bytes) == (TP, 1, 16)
    assert numbers(tp) == [4, 1.25, 2.75, 0, 4]
    assert (unknown.group, unknown.transfers) == (None, 1)
    assert math.isnan(unknown.size_bytes)
    assert numbers(unknown) == [1.5, 0, 0, 1.5, 1.5]
    assert [one.is_told for one in (unknown, dp, tp)] == [False, True, True]


def test_the_union_of_all_groups_is_less_than_their_sum(file):
    union = union_parts(file, 0, 0, WAITING_S)

    # tp moves from 4.25 on, so only 2 to 4.25 waits; the whole runs from 2 to 10.
    assert numbers(union) == [9.5, 2.25, 5.75, 1.5, 6.5]
    assert union.communication_s == file.step_rows[0].communication_s
    assert union.exposed_s == file.step_rows[0].exposed_s
    assert union.transfers == 3


def test_another_step_or_device_is_not_counted(rank_file):
    rows = [*ROWS, (1, AR, 20, 22, 8, 0, 0), (0, AR, 4, 5, 8, 0, 3)]
    file = rank_file(0, rows, [DP, TP], steps=("7", "8"))
    waiting_s = np.zeros(len(file.transfers))

    (later,) = group_parts(file, 1, 0, waiting_s)
    (other,) = group_parts(file, 0, 3, waiting_s)
    assert numbers(later) == [2, 0, 2, 0, 2]
    assert numbers(other) == [1, 0, 1, 0, 1]
    assert group_parts(file, 1, 3, waiting_s) == ()


def test_parts_of_several_ranks_are_added(file):
    _, dp, tp = group_parts(file, 0, 0, WAITING_S)

    both = added([dp, dp, tp])
    assert (both.group, both.transfers, both.size_bytes) == (DP, 3, 64 + 64 + 16)
    assert numbers(both) == [20, 7.25, 12.75, 0, 14]
    with pytest.raises(ValueError, match="no parts"):
        added([])


SPANS = st.tuples(st.integers(0, 20), st.integers(1, 6), st.integers(-1, 1))
WORK = st.tuples(st.integers(0, 20), st.integers(1, 4))
RANK = st.tuples(st.lists(SPANS, min_size=1, max_size=6), st.lists(WORK, max_size=4))


@settings(max_examples=40)
@given(RANK, RANK)
def test_parts_add_up_and_those_of_the_union_are_the_steps(rank_file, first, second):
    files = [
        rank_file(
            at,
            [(0, AR, start, start + length, 8, group) for start, length, group in moved]
            + [(0, NONE, start, start + length) for start, length in work],
            [DP, TP],
        )
        for at, (moved, work) in enumerate((first, second))
    ]
    ranks = compare_ranks(files)
    for at, file in enumerate(files):
        waiting_s, (row,) = ranks.waiting_s[at], file.step_rows
        union = union_parts(file, 0, 0, waiting_s)
        groups = group_parts(file, 0, 0, waiting_s)
        for one in (*groups, union):
            whole = one.waiting_s + one.transfer_s + one.untold_s
            assert whole == pytest.approx(one.communication_s, abs=1e-9)
            assert min(numbers(one)) >= 0
        assert union.communication_s == pytest.approx(row.communication_s)
        assert union.exposed_s == pytest.approx(row.exposed_s)
        assert (
            union.communication_s <= sum(one.communication_s for one in groups) + 1e-9
        )
        assert union.transfers == sum(one.transfers for one in groups)
        told = ranks.parts.get((at, 0, 0))
        if told:
            assert union.waiting_s == pytest.approx(told.waiting_s, abs=1e-9)
            assert union.untold_s == pytest.approx(told.untold_s, abs=1e-9)
