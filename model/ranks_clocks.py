"""The clocks of several ranks, set by the common ends of their collectives.

The difference of two clocks is the median difference of the ends that they share. What
is left shows whether that is to be believed. Clocks of steady rates drift apart on a
line, so a clear drift is taken off too, unless it is faster than that of any crystal.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.ranks import Clock, Member, Verdict
from overlap_widget.model.ranks_shared import FOR_ALL, Mask, Shared
from overlap_widget.model.timeline import Collective

TOGETHER_S = 50e-6
"""Ends this near count as common: ranks leave a collective some microseconds apart."""
TOGETHER_SHARE = 0.2
"""Or this near, as a share of the shorter of the two."""
ENOUGH = 0.75
"""A clock is set if this share of its collectives end together."""
SPREAD = 0.9
"""The share of the differences that the spread of a clock covers."""
FEWEST_FOR_DRIFT = 9
MOST_DRIFT = 2e-4
"""Crystals are off by less than 0.0001; two may be off in opposite ways."""
CLEAR_DRIFT_S = 20e-6
"""Over all that is shared; less does no harm."""
_NS_PER_S = 1e9

Times = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Ends of the collectives that two members share, in their order.

    known_s:  float64[n], on the common clock
    other_s:  float64[n], on the clock of the member that isn't set yet
    length_s: float64[n], the shorter of the two
    """

    known_s: Times
    other_s: Times
    length_s: Times


def clocks(
    files: Sequence[MeasuredFile], members: Sequence[Member], shared: Shared
) -> tuple[Clock, ...]:
    """One clock a member; the first that another one can be set by is the reference.

    Members that share nothing with those of one reference have another.
    """
    found: dict[int, Clock] = {}
    by_member = [shared.select(shared.member == at) for at in range(len(members))]
    their_files = [files[one.file] for one in members]
    for first in range(len(members)):
        if first in found and found[first].is_set:
            continue
        tried = _set_from(first, found, their_files, by_member)
        if not any(clock.is_set for at, clock in tried.items() if at != first):
            verdict = Verdict.REFUSED if len(tried) > 1 else Verdict.UNSHARED
            tried[first] = found.get(first, Clock(verdict, first))
        found |= tried
    return tuple(found[at] for at in range(len(members)))


def is_together(apart_s: Times, length_s: Times) -> Mask:
    """Whether ends so far apart are one, of collectives of these shortest lengths."""
    near: Mask = apart_s <= np.maximum(TOGETHER_S, TOGETHER_SHARE * length_s)
    return near


def _set_from(
    first: int,
    found: Mapping[int, Clock],
    files: Sequence[MeasuredFile],
    shared: Sequence[Shared],
) -> dict[int, Clock]:
    """Clocks set by that of `first`, some by way of others; columns are by member."""
    left = {at for at in range(len(files)) if not _is_set(found, at)} - {first}
    tried = {first: Clock(Verdict.REFERENCE, first, shift_ns=0)}
    ahead = [first]
    while ahead and left:
        known = ahead.pop(0)
        for other in _sharing(shared, known, left):
            ends = _ends(shared[known], shared[other], tried[known])
            ahead_ns = files[other].origin_ns - files[first].origin_ns
            if len(ends.known_s):
                tried[other] = _set_by(ends, first, ahead_ns)
            elif files[known].path == files[other].path:
                tried[other] = _of_one_file(tried[known], first, ahead_ns)
            left -= tried.keys()
            if _is_set(tried, other):
                ahead.append(other)
    return tried


def _is_set(clocks: Mapping[int, Clock], at: int) -> bool:
    return at in clocks and clocks[at].is_set


def _sharing(shared: Sequence[Shared], known: int, left: set[int]) -> list[int]:
    """Those left that share a collective with this member."""
    events = shared[known].event
    return [at for at in sorted(left) if np.isin(shared[at].event, events).any()]


def _ends(ours: Shared, theirs: Shared, clock: Clock) -> Ends:
    """Of operations that end for all together; else of those of unknown operation."""
    _, at, there = np.intersect1d(
        ours.event, theirs.event, assume_unique=True, return_indices=True
    )
    telling = _telling(ours.collective[at])
    at, there = at[telling], there[telling]
    lengths_s = [one.end_s - one.start_s for one in (ours, theirs)]
    order = np.argsort(theirs.end_s[there], kind="stable")
    return Ends(
        known_s=clock.common_s(ours.end_s[at])[order],
        other_s=theirs.end_s[there][order],
        length_s=np.minimum(lengths_s[0][at], lengths_s[1][there])[order],
    )


def _telling(collective: NDArray[np.uint8]) -> Mask:
    surely: Mask = np.isin(collective, FOR_ALL)
    return surely if surely.any() else collective == Collective.UNKNOWN


def _set_by(ends: Ends, reference: int, ahead_ns: int) -> Clock:
    """The clock that the ends make; `ahead_ns` parts the origins of the two files."""
    gap_s = ends.other_s - ends.known_s
    drift = _drift(gap_s, ends.other_s)
    behind_s = float(np.median(gap_s - drift * ends.other_s))
    rest_s = np.abs(gap_s - drift * ends.other_s - behind_s)
    is_set = bool(is_together(rest_s, ends.length_s).mean() >= ENOUGH)
    shift_ns = ahead_ns + round(float(np.median(gap_s)) * _NS_PER_S)
    agrees = abs(shift_ns) <= TOGETHER_S * _NS_PER_S
    verdict = Verdict.AGREES if agrees else Verdict.SHIFTED
    return Clock(
        verdict=verdict if is_set else Verdict.REFUSED,
        reference=reference,
        rate=1.0 - drift,
        behind_s=behind_s,
        shift_ns=shift_ns if is_set else None,
        spread_s=float(np.quantile(rest_s, SPREAD, method="higher")),
        drift=drift,
        shared=len(gap_s),
    )


def _of_one_file(known: Clock, reference: int, ahead_ns: int) -> Clock:
    """Devices of one file have one clock, also where no common end tells so."""
    behind_s = -ahead_ns / _NS_PER_S
    return Clock(Verdict.AGREES, reference, behind_s=behind_s, shift_ns=known.shift_ns)


def _drift(gap_s: Times, moment_s: Times) -> float:
    """Seconds gained in a second, where that is clear; rows in the order of time.

    The slope between the medians of the first and the last third, which a few odd
    ends don't move.
    """
    third = len(gap_s) // 3
    if 3 * third < FEWEST_FOR_DRIFT:
        return 0.0
    rise_s = np.median(gap_s[-third:]) - np.median(gap_s[:third])
    run_s = np.median(moment_s[-third:]) - np.median(moment_s[:third])
    slope = float(rise_s / run_s) if run_s > 0 else 0.0
    over_all_s = abs(slope) * float(moment_s[-1] - moment_s[0])
    if over_all_s < CLEAR_DRIFT_S or abs(slope) > MOST_DRIFT:
        return 0.0
    flat_s = _typical(gap_s)
    return slope if _typical(gap_s - slope * moment_s) < flat_s / 2 else 0.0


def _typical(gap_s: Times) -> float:
    """The median distance from the median."""
    return float(np.median(np.abs(gap_s - np.median(gap_s))))
