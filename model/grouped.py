"""Unions of intervals of many places at once, in one pass of numpy."""

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.float64]


def lengths_s(
    place: NDArray[np.int64], start_s: Times, end_s: Times, count: int
) -> Times:
    """Seconds that the intervals of each place cover, as a union: float64[count].

    place: int64[n], of each interval, 0 to count - 1

    As in `intervals.union`, starts and ends are sorted apart from each other, here
    within each place.
    """
    covers = end_s > start_s
    place, start_s, end_s = place[covers], start_s[covers], end_s[covers]
    if not len(place):
        return np.zeros(count)
    starts = start_s[np.lexsort((start_s, place))]
    order = np.lexsort((end_s, place))
    ends, ordered = end_s[order], place[order]
    gap = (starts[1:] > ends[:-1]) | (np.diff(ordered) != 0)
    begins, stops = np.r_[True, gap], np.r_[gap, True]
    stretches_s = ends[stops] - starts[begins]
    covered_s = np.bincount(ordered[begins], weights=stretches_s, minlength=count)
    return covered_s.astype(np.float64, copy=False)
