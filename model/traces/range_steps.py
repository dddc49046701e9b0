"""Training steps among the ranges that a program named: "step 3", "iteration_12".

Users name their steps as they like. A step is a range whose name ends in step, iter,
iteration or batch, mostly with a running number, and one of a row that follows one
another and inside of which the GPU's work is launched.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.traces.gpu_events import StepMark

ENOUGH = 0.5
"""Steps hold at least this share of what is launched between their first and last."""

_WORD = r"(?:step|iter(?:ation)?|batch)s?"
_NUMBERED = re.compile(
    rf"(?P<stem>.*?{_WORD})[\W_]*(?:(?:no|num|number|idx|index|id|nr)[\W_]*)?"
    r"(?P<number>\d+)",
    re.IGNORECASE | re.DOTALL,
)
_UNNUMBERED = re.compile(rf"\D*{_WORD}\W*", re.IGNORECASE)
_PART_OF_A_STEP = re.compile(
    r"\bopt(?:im|[\W_])|optim|forward|backward|fwd|bwd|grad|load|fetch|sched|reduce|aten::|autograd::",
    re.IGNORECASE,
)
_NOTES = re.compile(r",? (?:seq|op_id) = .*", re.DOTALL)  # of PyTorch's emit_nvtx
_ALIKE = 0.98  # of the work, of rows of ranges that hold the same
_OVERLAP = 0.1


class NamedRange(NamedTuple):
    """A range of the CPU's time with a name, on a thread."""

    text: str
    start_ns: int
    end_ns: int
    thread: int


@dataclass(frozen=True, slots=True)
class FoundSteps:
    """The marks of the steps; `counted` is their name where they have no number."""

    marks: tuple[StepMark, ...] = ()
    counted: str = ""


class _Piece(NamedTuple):
    name: str
    start_ns: int
    end_ns: int


def steps_among(
    ranges: Iterable[NamedRange], launched_ns: NDArray[np.int64]
) -> FoundSteps:
    """The row of ranges that hold most of what was launched at these times, sorted.

    Of rows that hold the same the numbered one, then the outer one. No marks where
    none looks like steps.
    """
    rows: dict[tuple[bool, str, int], list[_Piece]] = {}
    for one in ranges:
        found = _stem_and_number(one.text)
        if found is not None:
            stem, number = found
            piece = _Piece(number, one.start_ns, one.end_ns)
            rows.setdefault((bool(number), stem, one.thread), []).append(piece)
    held = {
        key: _work_inside(sorted(pieces, key=lambda piece: piece.start_ns), launched_ns)
        for key, pieces in rows.items()
        if key[0] or len(pieces) > 1
    }
    most = max(held.values(), default=0)
    alike = [key for key, work in held.items() if work and work >= _ALIKE * most]
    if not alike:
        return FoundSteps()
    best = min(alike, key=lambda key: (not key[0], len(rows[key]) == 1, len(rows[key])))
    pieces = sorted(rows[best], key=lambda piece: piece.start_ns)
    return FoundSteps(_marks(pieces), "" if best[0] else best[1])


def _stem_and_number(text: str) -> tuple[str, str] | None:
    """What the names of a row have in common, and the number of this one, "" if none.

    >>> _stem_and_number("epoch 2 step 17")
    ('epoch # step', '17')
    """
    name = _NOTES.sub("", text).strip()
    numbered = _NUMBERED.match(name)
    stem = numbered["stem"] if numbered else name
    if _PART_OF_A_STEP.search(stem):
        return None
    if numbered:
        number = numbered["number"].lstrip("0") or "0"  # of any length
        return re.sub(r"\d+", "#", stem), number
    return (stem, "") if _UNNUMBERED.fullmatch(name) else None


def _work_inside(pieces: Sequence[_Piece], launched_ns: NDArray[np.int64]) -> int:
    """How much was launched inside; 0 if too little, or if the pieces nest."""
    starts = np.array([piece.start_ns for piece in pieces])
    ends = np.array([piece.end_ns for piece in pieces])
    reached = np.maximum.accumulate(ends)
    other = np.array([one.name for one in pieces[1:]]) != [
        one.name for one in pieces[:-1]
    ]
    numbered = bool(pieces[0].name)
    overlap = np.clip(np.minimum(reached[:-1], ends[1:]) - starts[1:], 0, None)
    if overlap[other | (not numbered)].sum() > _OVERLAP * (ends - starts).sum():
        return 0
    first = np.searchsorted(launched_ns, starts)
    last = np.searchsorted(launched_ns, ends, side="right")
    first = np.maximum(first, np.maximum.accumulate(np.r_[0, last[:-1]]))
    inside = int(np.clip(last - first, 0, None).sum())
    between = int(
        np.searchsorted(launched_ns, reached[-1], side="right")
        - np.searchsorted(launched_ns, starts[0])
    )
    return inside if inside >= ENOUGH * between else 0


def _marks(pieces: Sequence[_Piece]) -> tuple[StepMark, ...]:
    """Pieces that follow each other with the same number are of one step.

    A number that comes again later starts a new step: "3", then "3 (2)".
    """
    marks: list[StepMark] = []
    times: dict[str, int] = {}
    before = ""
    for place, piece in enumerate(pieces, 1):
        if not piece.name or piece.name != before:
            times[piece.name] = times.get(piece.name, 0) + 1
        before = piece.name
        again = f" ({times[piece.name]})" if times[piece.name] > 1 else ""
        name = f"{piece.name}{again}" if piece.name else str(place)
        marks.append(StepMark(name, piece.start_ns, piece.end_ns))
    return tuple(marks)
