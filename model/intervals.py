"""Sets of half-open intervals [start, end) on the time axis.

A set is an array float64[n, 2] of rows `[start, end)` in seconds. A *union* is
such a set with its rows sorted and apart: none touches the next. All time that is
added up in this project is added over unions, so nothing counts twice.
"""

import numpy as np
from numpy.typing import NDArray

Intervals = NDArray[np.float64]


def union(start_s: NDArray[np.float64], end_s: NDArray[np.float64]) -> Intervals:
    """The time that any of the intervals covers; empty ones cover none.

    Starts and ends are sorted apart from each other: the k-th gap lies where the
    next start comes after all ends so far, whichever interval they belong to.
    """
    covers = end_s > start_s
    if not covers.any():
        return np.empty((0, 2))
    starts, ends = np.sort(start_s[covers]), np.sort(end_s[covers])
    gap = starts[1:] > ends[:-1]
    return np.column_stack(
        [starts[np.r_[True, gap]], ends[np.r_[gap, True]]],
    )


def length_s(intervals: Intervals) -> float:
    """Seconds that a union covers."""
    return float((intervals[:, 1] - intervals[:, 0]).sum())


def intersection(a: Intervals, b: Intervals) -> Intervals:
    """The time that both unions cover."""
    times, in_a, in_b = _pieces(a, b)
    return _joined(times, in_a & in_b)


def difference(a: Intervals, b: Intervals) -> Intervals:
    """The time that union `a` covers and union `b` doesn't."""
    times, in_a, in_b = _pieces(a, b)
    return _joined(times, in_a & ~in_b)


def covered_s(
    intervals: Intervals, start_s: NDArray[np.float64], end_s: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Seconds of each [start_s, end_s) that the union covers: float64[n].

    Inside one row nothing is added up, so a span that is covered whole gives its
    own length to the last bit.
    """
    if not len(intervals):
        return np.zeros_like(start_s)
    starts, ends = intervals[:, 0], intervals[:, 1]
    before = np.r_[0.0, np.cumsum(ends - starts)]
    first = np.searchsorted(ends, start_s, side="right")  # the first to end after it
    last = np.searchsorted(starts, end_s, side="left") - 1  # the last to begin before
    # Only where first <= last does the span meet a row; the clips keep the others in.
    head, foot = np.minimum(first, len(ends) - 1), np.maximum(last, 0)
    head_s = np.minimum(end_s, ends[head]) - np.maximum(start_s, starts[head])
    foot_s = np.minimum(end_s, ends[foot]) - starts[foot]
    several_s = head_s + (before[foot] - before[np.minimum(head + 1, foot)]) + foot_s
    return np.where(first > last, 0.0, np.where(first == last, head_s, several_s))


def _pieces(
    a: Intervals, b: Intervals
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
    """All boundaries in order, and which pieces between them each union covers."""
    times = np.unique(np.r_[a.ravel(), b.ravel()])
    return times, _covers(a, times[:-1]), _covers(b, times[:-1])


def _covers(intervals: Intervals, time_s: NDArray[np.float64]) -> NDArray[np.bool_]:
    if not len(intervals):
        return np.zeros(len(time_s), dtype=bool)
    row = np.searchsorted(intervals[:, 0], time_s, side="right") - 1
    covers: NDArray[np.bool_] = (row >= 0) & (time_s < intervals[row, 1])
    return covers  # row -1 reads the last end, and the first condition drops it


def _joined(times: NDArray[np.float64], kept: NDArray[np.bool_]) -> Intervals:
    return union(times[:-1][kept], times[1:][kept])
