"""What the PyTorch profiler notes on a collective: its size and its process group."""

import re
from functools import lru_cache

from overlap_widget.model.recording import NO_SEQUENCE, Group
from overlap_widget.model.traces.gpu_events import NO_GROUP
from overlap_widget.model.traces.kernels import collective_bytes, copied_bytes
from overlap_widget.model.traces.kineto_events import Args, Scalar
from overlap_widget.model.traces.kineto_lookups import integer

_RANK = re.compile(r"\d{1,9}")
_MOST_SEQUENCE = 2**31 - 1  # a number for which four bytes do
_CUT = "..."  # the profiler writes no more than some ranks


def noted_bytes(args: Args) -> float:
    """Bytes of the whole array that a collective works on; NaN if not noted."""
    return _bytes(args.dtype, args.elements_in, args.elements_out)


@lru_cache(maxsize=4096)
def _bytes(dtype: Scalar, elements_in: Scalar, elements_out: Scalar) -> float:
    noted = {"In msg nelems": elements_in, "Out msg nelems": elements_out}
    return collective_bytes({"dtype": dtype, **noted})


def noted_copy_bytes(args: Args) -> float:
    """Bytes that a copy moves; NaN if not noted."""
    return copied_bytes({"bytes": args.size if args.copied is None else args.copied})


def noted_sequence(args: Args) -> int:
    """The number of a collective in its group; `NO_SEQUENCE` if not noted."""
    if args.sequence is None:
        return NO_SEQUENCE
    number = integer(args.sequence)
    if number is None or not 0 <= number <= _MOST_SEQUENCE:
        return NO_SEQUENCE
    return number


class Groups:
    """The process groups that were met, and a code for each."""

    def __init__(self) -> None:
        self._codes: dict[Group, int] = {}
        self._by_note: dict[tuple[object, ...], int] = {}

    def code(self, args: Args) -> int:
        """The place of the group in `met`; `NO_GROUP` where none is noted."""
        if args.group is None and args.group_ranks is None:
            return NO_GROUP
        ranks = args.group_ranks
        note = (
            args.group,
            args.group_description,
            tuple(ranks) if isinstance(ranks, list) else ranks,
            args.group_size,
        )
        if note not in self._by_note:
            group = _group(args)
            self._by_note[note] = self._codes.setdefault(group, len(self._codes))
        return self._by_note[note]

    def met(self) -> tuple[Group, ...]:
        """All groups, in the order of their codes."""
        return tuple(self._codes)


def _group(args: Args) -> Group:
    ranks = _ranks(args.group_ranks)
    size = _count(args.group_size)
    return Group(
        name=str("" if args.group is None else args.group),
        description=str(args.group_description or ""),
        ranks=ranks,
        size=size if size is not None else len(ranks) or None,
    )


def _ranks(noted: Scalar | list[Scalar]) -> tuple[int, ...]:
    """The ranks, of a list or its text; none where the list was cut short."""
    if isinstance(noted, str) and _CUT not in noted:
        noted = [*_RANK.findall(noted)]
    if not isinstance(noted, list):
        return ()
    ranks = [_count(rank) for rank in noted]
    return tuple(rank for rank in ranks if rank is not None)


def _count(value: object) -> int | None:
    found = _RANK.fullmatch(str(value))
    return int(found[0]) if found else None
