"""Interval arithmetic, held against sets of whole seconds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.intervals import (
    covered_s,
    difference,
    intersection,
    length_s,
    union,
)

ROWS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4)), max_size=8)


def columns(rows):
    """Starts and ends of rows of (start, duration), in floats."""
    starts = np.array([start for start, _ in rows], dtype=float)
    return starts, starts + np.array([duration for _, duration in rows], dtype=float)


def union_of(rows):
    return union(*columns(rows))


def seconds(rows):
    """The slow twin: every whole second that a row covers."""
    return {s for start, duration in rows for s in range(start, start + duration)}


def seconds_of(intervals):
    return {s for start, end in intervals.astype(int) for s in range(start, end)}


def test_a_union_joins_what_overlaps_and_what_touches():
    # seconds  0  1  2  3  4  5  6  7  8  9
    # a           [     ]
    # b              [        ]
    # c                       [  ]
    # d                                [  ]
    starts, ends = np.array([8.0, 2, 1, 5]), np.array([9.0, 5, 3, 6])
    assert union(starts, ends).tolist() == [[1, 6], [8, 9]]


def test_an_interval_inside_another_does_not_end_it():
    assert union_of([(0, 10), (2, 1), (4, 3)]).tolist() == [[0, 10]]


def test_an_empty_interval_covers_no_time():
    assert union_of([(3, 0)]).shape == (0, 2)
    assert union_of([]).shape == (0, 2)


@given(ROWS)
def test_a_union_covers_what_any_row_covers(rows):
    joined = union_of(rows)
    assert seconds_of(joined) == seconds(rows)
    assert length_s(joined) == len(seconds(rows))
    assert (joined[1:, 0] > joined[:-1, 1]).all()


@given(ROWS, ROWS)
def test_an_intersection_is_the_time_that_both_cover(a, b):
    both = intersection(union_of(a), union_of(b))
    assert seconds_of(both) == seconds(a) & seconds(b)
    assert (both[1:, 0] > both[:-1, 1]).all()


@given(ROWS, ROWS)
def test_a_difference_is_the_time_that_only_the_first_covers(a, b):
    rest = difference(union_of(a), union_of(b))
    assert seconds_of(rest) == seconds(a) - seconds(b)
    assert (rest[1:, 0] > rest[:-1, 1]).all()


@given(ROWS, ROWS)
def test_each_span_is_covered_by_the_seconds_it_shares_with_the_union(rows, spans):
    covered = covered_s(union_of(rows), *columns(spans))
    shared = [len(seconds([span]) & seconds(rows)) for span in spans]
    assert covered.tolist() == shared


@given(st.lists(st.floats(0, 1e3), min_size=2, max_size=40, unique=True))
def test_a_span_that_one_row_covers_whole_is_covered_to_the_last_bit(moments):
    starts, ends = np.array(sorted(moments))[:-1], np.array(sorted(moments))[1:]
    # Rows of uneven length before it would cost digits if they were added up.
    rows = union(starts[::2], ends[::2])
    assert covered_s(rows, rows[:, 0], rows[:, 1]).tolist() == (
        (rows[:, 1] - rows[:, 0]).tolist()
    )
