"""Which of the open recordings are ranks of one run."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import PurePath

from overlap_widget.model.recording import Recording

_NUMBER = re.compile(r"\d+")


def family(recordings: Sequence[Recording], at: int) -> tuple[int, ...]:
    """The recordings of the run that `at` belongs to, ordered by rank.

    Their ranks are known and differ, they come from the same profiler, and have steps
    of the same names. A run before and one after have the same ranks: so two belong
    together only if neither has a nearer one of the other's rank, by folder, then by
    a name that differs in numbers alone, then by time, then by their order. Only the
    one itself if there is no other.
    """
    shown = recordings[at]
    if shown.rank is None:
        return (at,)
    alike = [one for one in range(len(recordings)) if _alike(recordings[one], shown)]
    ranks = {recordings[one].rank for one in alike}
    if len(ranks) == len(alike):  # a single run
        return tuple(sorted(alike, key=lambda one: recordings[one].rank or 0))
    found = {shown.rank: at}
    for rank in ranks - {shown.rank}:
        other = _nearest(recordings, at, _of_rank(recordings, alike, rank))
        back = _nearest(recordings, other, _of_rank(recordings, alike, shown.rank))
        if back == at and rank is not None:
            found[rank] = other
    return tuple(found[rank] for rank in sorted(found))


def _alike(other: Recording, shown: Recording) -> bool:
    names = {step.name for step in shown.steps}
    shares = any(step.name in names for step in other.steps)
    return other.rank is not None and other.format == shown.format and shares


def _of_rank(
    recordings: Sequence[Recording], among: Iterable[int], rank: int | None
) -> list[int]:
    return [one for one in among if recordings[one].rank == rank]


def _nearest(recordings: Sequence[Recording], at: int, others: Sequence[int]) -> int:
    """The most folders in common, then names alike, the least time, and the order.

    The second file of a rank goes with the second files of the others.
    """
    shown, number = recordings[at], _earlier(recordings, at)
    return min(
        others,
        key=lambda one: (
            -_common_folders(recordings[one].path, shown.path),
            _name_without_numbers(recordings[one]) != _name_without_numbers(shown),
            abs(recordings[one].origin_ns - shown.origin_ns),
            abs(_earlier(recordings, one) - number),
        ),
    )


def _earlier(recordings: Sequence[Recording], at: int) -> int:
    """How many of its rank were opened before it."""
    return sum(one.rank == recordings[at].rank for one in recordings[:at])


def _name_without_numbers(recording: Recording) -> str:
    """Of one run alike for all ranks, as a rule; what a page sends has no folders."""
    return _NUMBER.sub("#", PurePath(recording.path).name)


def _common_folders(path: str, other: str) -> int:
    pairs = zip(PurePath(path).parent.parts, PurePath(other).parent.parts, strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
