"""The numbers of many windows of a recording at once; one by one they are `Breakdown`.

A recording can have ten thousand steps, and cutting each into a timeline of its own
would take longer than reading the file.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.grouped import (
    Index,
    Stretches,
    Times,
    covered_s,
    difference,
    sums,
    unions,
)
from overlap_widget.model.recording import Phase, Recording
from overlap_widget.model.timeline import Kind

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class PlaceNumbers:
    """Of each place, float64[count] unless said, as in `Breakdown`.

    start_s:        its first span on the clock of the recording; 0 without any
    backward_found: bool[count], as in `Window`
    exposed:        when its transfers run and nothing in it computes
    transfers:      int64[m], which of the rows are transfers
    transfer_exposed_s: float64[m], how long nothing computes during each of them
    """

    start_s: Times
    span_s: Times
    compute_s: Times
    communication_s: Times
    hidden_s: Times
    exposed_s: Times
    tail_s: Times
    backward_found: NDArray[np.bool_]
    exposed: Stretches
    transfers: Index
    transfer_exposed_s: Times


def place_numbers(
    recording: Recording, rows: Rows, place: Index, count: int
) -> PlaceNumbers:
    """The numbers of `count` places, of which these rows are in those."""
    start_s, end_s = recording.spans.start_s[rows], recording.spans.end_s[rows]
    kind = recording.spans.kind[rows]
    computes, moves = kind == Kind.COMPUTE, kind == Kind.COMMUNICATION
    work = unions(place[computes], start_s[computes], end_s[computes])
    busy = unions(place[moves], start_s[moves], end_s[moves])
    bare = difference(busy, work)
    communication_s, exposed_s = busy.lengths_s(count), bare.lengths_s(count)
    first_s = _extreme(np.minimum, place, start_s, count, np.inf)
    last_s = _extreme(np.maximum, place, end_s, count, -np.inf)
    backward = computes & (recording.phase[rows] == Phase.BACKWARD)
    told_s = _extreme(np.maximum, place[backward], end_s[backward], count, -np.inf)
    found = np.isfinite(told_s)
    passes_s = np.where(found, told_s, _guessed_s(place, start_s, end_s, kind, count))
    return PlaceNumbers(
        start_s=np.where(np.isfinite(first_s), first_s, 0.0),
        span_s=np.maximum(last_s - first_s, 0.0),
        compute_s=work.lengths_s(count),
        communication_s=communication_s,
        hidden_s=np.maximum(communication_s - exposed_s, 0.0),
        exposed_s=exposed_s,
        tail_s=_after_s(busy, passes_s, count),
        backward_found=found,
        exposed=bare,
        transfers=np.flatnonzero(moves),
        transfer_exposed_s=_alone_s(work, place[moves], start_s[moves], end_s[moves]),
    )


def _extreme(
    of: np.ufunc, place: Index, moment_s: Times, count: int, nothing_s: float
) -> Times:
    """The least or the greatest moment of each place; `nothing_s` without any."""
    found = np.full(count, nothing_s)
    of.at(found, place, moment_s)
    return found


def _after_s(busy: Stretches, moment_s: Times, count: int) -> Times:
    """How long each place is busy after its moment."""
    after_s = busy.end_s - np.maximum(busy.start_s, moment_s[busy.place])
    return sums(busy.place, np.maximum(after_s, 0.0), count)


def _alone_s(work: Stretches, place: Index, start_s: Times, end_s: Times) -> Times:
    """How long each of the spans runs while nothing works in its place."""
    hidden_s = covered_s(work, place, start_s, end_s)
    return np.maximum(end_s - start_s - hidden_s, 0.0)


def _guessed_s(
    place: Index, start_s: Times, end_s: Times, kind: NDArray[np.uint8], count: int
) -> Times:
    """The end of the backward pass as `window` guesses it; -inf without compute.

    That of the last compute that began before the last transfer ended.
    """
    moves, computes = kind == Kind.COMMUNICATION, kind == Kind.COMPUTE
    moved_s = _extreme(np.maximum, place[moves], end_s[moves], count, -np.inf)
    until_s = np.where(np.isfinite(moved_s), moved_s, np.inf)
    computes &= start_s < until_s[place]
    return _extreme(np.maximum, place[computes], end_s[computes], count, -np.inf)
