"""Collectives of several ranks matched by their numbers, where profilers note them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overlap_widget.model.ranks_compared import compare_ranks, members_of
from overlap_widget.model.ranks_shared import shared_collectives
from overlap_widget.model.recording import Group
from overlap_widget.model.timeline import Collective

AR, AG, SR = Collective.ALL_REDUCE, Collective.ALL_GATHER, Collective.SEND_RECV
BOTH = Group("0", "default_pg", (0, 1), 2)
WHOLE = ("whole file",)

# Nothing marks steps, all sizes are equal, and rank 1's capture starts one collective
# later.
# seconds      0    2  3       6    8    11     15
# rank 0       [ 11 ]  [  12   ]    [ 13 ]  [14 ]
# rank 1                  [12  ]      [13]   [14]
STARTS_0 = [(0, 2, 11), (3, 6, 12), (8, 11, 13), (14, 17, 14)]
STARTS_1 = [(4, 6, 12), (9.5, 11, 13), (14.25, 17, 14)]


def rows_of(starts, collective=AR, group=0, step=0):
    return [
        (step, collective, start, end, 8, group, 0, number)
        for start, end, number in starts
    ]


def without_numbers(rows):
    return [row[:-1] for row in rows]


def pairs(files):
    """The rows of the two files that are the same collective."""
    shared = shared_collectives(files, members_of(files))
    ours, theirs = (shared.select(shared.member == at) for at in (0, 1))
    assert ours.event.tolist() == theirs.event.tolist()
    return sorted(zip(ours.row.tolist(), theirs.row.tolist(), strict=True))


@pytest.fixture
def two(rank_file):
    """Two ranks of these rows, in a file without marks of steps."""

    def files(first, second):
        return [
            rank_file(at, rows, [BOTH], steps=WHOLE)
            for at, rows in enumerate((first, second))
        ]

    return files


def test_a_capture_that_starts_one_collective_later_is_matched_by_number(two):
    files = two(rows_of(STARTS_0), rows_of(STARTS_1))
    assert pairs(files) == [(1, 0), (2, 1), (3, 2)]
    ranks = compare_ranks(files)
    np.testing.assert_equal(ranks.waiting_s[0], [np.nan, 1, 1.5, 0.25])
    assert ranks.waiting_s[1].tolist() == [0, 0, 0]


def test_without_numbers_such_captures_are_not_matched_at_all(two):
    first, second = map(rows_of, (STARTS_0, STARTS_1))
    assert pairs(two(*map(without_numbers, (first, second)))) == []


@pytest.mark.parametrize("both", [True, False])
def test_numbers_that_only_one_rank_has_say_nothing(two, both):
    # Three collectives on both; by order they are matched as they stand.
    first, second = rows_of(STARTS_0[:3]), rows_of(STARTS_1)
    assert pairs(two(first, second if both else without_numbers(second))) == (
        [(1, 0), (2, 1)] if both else [(0, 0), (1, 1), (2, 2)]
    )


def test_one_number_that_is_missing_leaves_the_order(two):
    first, second = rows_of(STARTS_0[:3]), rows_of(STARTS_1)
    second[1] = second[1][:-1]
    assert pairs(two(first, second)) == [(0, 0), (1, 1), (2, 2)]


def test_what_one_group_tells_doesnt_bind_another(rank_file):
    # The second group has no numbers, and as many on both ranks.
    groups = [BOTH, Group("1", "tp", (0, 1), 2)]
    more = without_numbers(rows_of([(20, 22, 0), (23, 24, 0)], group=1))
    files = [
        rank_file(at, rows_of(starts) + more, groups, steps=WHOLE)
        for at, starts in enumerate((STARTS_0, STARTS_1))
    ]
    assert pairs(files) == [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)]


def test_a_number_that_comes_again_counts_within_its_step(rank_file):
    # A file may start to count anew, or note one number for several that are sent as
    # one: then those of a step are matched in their order, if they are as many.
    first = [
        *rows_of([(0, 1, 5), (2, 3, 5), (4, 5, 6)], step=0),
        *rows_of([(10, 11, 5), (12, 13, 7)], step=1),
    ]
    second = [
        *rows_of([(0.5, 1, 5), (2.5, 3, 5), (4.5, 5, 6)], step=0),
        *rows_of([(12.5, 13, 7)], step=1),
    ]
    files = [
        rank_file(at, rows, [BOTH], steps=("3", "4"))
        for at, rows in enumerate((first, second))
    ]
    assert pairs(files) == [(0, 0), (1, 1), (2, 2), (4, 3)]


def test_a_number_that_only_one_rank_has_once_is_not_matched(two):
    first = rows_of([(0, 1, 5), (2, 3, 5), (4, 5, 6)])
    second = rows_of([(2.5, 3, 5), (4.5, 5, 6)])
    assert pairs(two(first, second)) == [(2, 1)]


def test_a_collective_is_one_though_ranks_have_it_in_steps_of_other_names(rank_file):
    rows = rows_of(STARTS_1)
    files = [rank_file(at, rows, [BOTH], steps=(name,)) for at, name in enumerate("78")]
    assert pairs(files) == [(0, 0), (1, 1), (2, 2)]


def test_one_number_of_two_operations_is_two_collectives(two):
    first = rows_of([(0, 2, 5)]) + rows_of([(3, 4, 5)], AG)
    second = rows_of([(0, 1, 5)], AG) + rows_of([(3, 4, 5)])
    assert pairs(two(first, second)) == [(0, 1), (1, 0)]


def test_numbers_of_sends_are_of_the_rank_alone(two):
    first = rows_of([(0, 2, 5), (3, 4, 6)], SR)
    second = rows_of([(0, 2, 6), (3, 4, 7)], SR)
    assert pairs(two(first, second)) == [(0, 0), (1, 1)]


def test_numbers_without_a_group_are_of_any_group(two):
    first = rows_of([(0, 2, 5), (3, 4, 6)], group=-1)
    second = rows_of([(0, 2, 6), (3, 4, 7)], group=-1)
    assert pairs(two(first, second)) == [(0, 0), (1, 1)]


def test_sizes_must_still_agree(two):
    first, second = rows_of(STARTS_0), rows_of(STARTS_1)
    second[1] = (*second[1][:4], 9, *second[1][5:])
    assert pairs(two(first, second)) == [(1, 0), (3, 2)]


RUNS = st.lists(st.integers(1, 9), min_size=2, max_size=12)
CUTS = st.tuples(st.integers(0, 5), st.integers(0, 5))


@settings(max_examples=40)
@given(RUNS, CUTS, CUTS)
def test_whatever_was_captured_of_a_run_each_is_matched_with_itself(
    rank_file, waits, begins, cuts
):
    kept = [
        range(begin, max(len(waits) - cut, begin + 1))
        for begin, cut in zip(begins, cuts, strict=True)
    ]
    files = [
        rank_file(
            at,
            rows_of(
                [
                    (10 * one + at * waits[one % len(waits)], 10 * one + 10, one)
                    for one in numbers
                ]
            ),
            [BOTH],
            steps=WHOLE,
        )
        for at, numbers in enumerate(kept)
    ]
    both = sorted(set(kept[0]) & set(kept[1]))
    assert pairs(files) == [(one - begins[0], one - begins[1]) for one in both]
