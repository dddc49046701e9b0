"""Intervals of many places at once, in a few passes of numpy.

A place is a number from 0, of a step on a device or what else divides the rows. Inside
of a place all is as in `intervals.py`; two places never meet.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.float64]
Index = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Stretches:
    """A union for each place: rows in the order of places, then of time; all apart.

    place: int64[n]; start_s, end_s: float64[n], each row with a length
    """

    place: Index
    start_s: Times
    end_s: Times

    def lengths_s(self, count: int) -> Times:
        """Seconds that the union of each place covers: float64[count]."""
        return sums(self.place, self.end_s - self.start_s, count)


def sums(place: Index, values: Times, count: int) -> Times:
    """The values of each place added up: float64[count]."""
    added = np.bincount(place, weights=values, minlength=count)
    return added.astype(np.float64, copy=False)


def unions(place: Index, start_s: Times, end_s: Times) -> Stretches:
    """The time that any of the intervals of a place covers; empty ones cover none.

    As in `intervals.union`, starts and ends are sorted apart from each other.
    """
    covers = end_s > start_s
    place, start_s, end_s = place[covers], start_s[covers], end_s[covers]
    if not len(place):
        return Stretches(place, start_s, end_s)
    starts = start_s[np.lexsort((start_s, place))]
    order = np.lexsort((end_s, place))
    ends, places = end_s[order], place[order]
    gap = (starts[1:] > ends[:-1]) | (np.diff(places) != 0)
    begins, stops = np.r_[True, gap], np.r_[gap, True]
    return Stretches(places[begins], starts[begins], ends[stops])


def lengths_s(place: Index, start_s: Times, end_s: Times, count: int) -> Times:
    """Seconds that the intervals of each place cover, as a union: float64[count]."""
    return unions(place, start_s, end_s).lengths_s(count)


def difference(a: Stretches, b: Stretches) -> Stretches:
    """The time of each place that `a` covers and `b` doesn't."""
    place = np.concatenate([a.place, a.place, b.place, b.place])
    time_s = np.concatenate([a.start_s, a.end_s, b.start_s, b.end_s])
    order = np.lexsort((time_s, place))
    sizes = [len(a.place)] * 2 + [len(b.place)] * 2
    in_a = np.cumsum(np.repeat([1, -1, 0, 0], sizes)[order])[:-1] > 0
    in_b = np.cumsum(np.repeat([0, 0, 1, -1], sizes)[order])[:-1] > 0
    place, time_s = place[order], time_s[order]
    kept = np.flatnonzero(in_a & ~in_b & (time_s[1:] > time_s[:-1]))
    return Stretches(place[kept], time_s[kept], time_s[kept + 1])


def covered_s(
    stretches: Stretches, place: Index, start_s: Times, end_s: Times
) -> Times:
    """Seconds of each [start_s, end_s) that the union of its place covers: float64[n].

    A span that one row covers whole gives its own length to the last bit.
    """
    if not len(stretches.place):
        return np.zeros_like(start_s)
    starts, ends = stretches.start_s, stretches.end_s
    before = np.r_[0.0, np.cumsum(ends - starts)]
    # The first to end after the span starts, and the last to begin before it ends.
    first = _rows_before(stretches.place, ends, place, start_s, or_at=True)
    last = _rows_before(stretches.place, starts, place, end_s, or_at=False) - 1
    head, foot = np.minimum(first, len(ends) - 1), np.maximum(last, 0)
    head_s = np.minimum(end_s, ends[head]) - np.maximum(start_s, starts[head])
    foot_s = np.minimum(end_s, ends[foot]) - starts[foot]
    several_s = head_s + (before[foot] - before[np.minimum(head + 1, foot)]) + foot_s
    return np.where(first > last, 0.0, np.where(first == last, head_s, several_s))


def _rows_before(
    places: Index, times_s: Times, place: Index, time_s: Times, or_at: bool
) -> Index:
    """How many rows are of an earlier place, or of this one and an earlier time."""
    asked = np.r_[np.zeros(len(places)), np.ones(len(place))]
    ties = asked if or_at else -asked
    order = np.lexsort((ties, np.r_[times_s, time_s], np.r_[places, place]))
    counted = np.cumsum(asked[order] == 0)
    found = np.empty(len(order), dtype=np.int64)
    found[order] = counted
    return found[len(places) :]
