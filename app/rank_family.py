"""Which of the open recordings are ranks of one run."""

from collections.abc import Callable, Sequence

from overlap_widget.model.recording import Recording


def family(recordings: Sequence[Recording], at: int) -> tuple[int, ...]:
    """The recordings of the run that `at` belongs to, ordered by rank.

    Their ranks are known and differ, they come from the same profiler, and have steps
    of the same names. Of several that could be a rank it is the one that began at the
    nearest time, or else stands nearest in the list: a run before and one after have
    the same ranks. Only the one itself if there is no other.
    """
    shown = recordings[at]
    if shown.rank is None:
        return (at,)
    nearest: dict[int, int] = {shown.rank: at}
    for index in sorted(range(len(recordings)), key=_nearness(recordings, at)):
        rank = recordings[index].rank
        if rank is not None and _belongs(recordings[index], shown):
            nearest.setdefault(rank, index)
    return tuple(nearest[rank] for rank in sorted(nearest))


def _belongs(other: Recording, shown: Recording) -> bool:
    names = {step.name for step in shown.steps}
    is_alike = bool(names & {step.name for step in other.steps}) or not names
    return other.format == shown.format and is_alike


def _nearness(
    recordings: Sequence[Recording], at: int
) -> Callable[[int], tuple[int, int]]:
    shown = recordings[at]
    return lambda index: (
        abs(recordings[index].origin_ns - shown.origin_ns),
        abs(index - at),
    )
