"""Two measured steps beside each other: what differs, and why one is shorter.

A step is compute, exposed communication and idle time one after the other, as the
union of intervals has it, so a difference in length is exactly the sum of theirs.
Words are made from this elsewhere, the same for the page and the terminal.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from overlap_widget.model.measurement_rows import StepRow, TransferRow

LEAST = 0.01
"""Of the longer step: a smaller difference isn't worth a word."""
FINEST_S = 0.5e-9
"""Recordings are in whole nanoseconds; sums of them differ by less through rounding."""


@dataclass(frozen=True, slots=True)
class StepNumbers:
    """What is compared of a step, its seconds as in `Breakdown`.

    waiting_s:      communication that waits for a late rank; None where nothing tells
    transfers:      how many spans of communication there are
    size_bytes:     what they move together; None where the size of one is unknown
    backward_found: whether the recording tells where the backward pass ends
    complete:       whether all of the step was recorded
    spread_s:       how far the steps of its run are apart in length; None if unknown
    """

    span_s: float
    compute_s: float
    communication_s: float
    hidden_s: float
    exposed_s: float
    tail_s: float
    idle_s: float
    waiting_s: float | None
    transfers: int
    size_bytes: float | None
    backward_found: bool
    complete: bool
    spread_s: float | None = None

    @property
    def hidden_share(self) -> float | None:
        """Hidden over communication, 0 to 1; None without communication."""
        return self.hidden_s / self.communication_s if self.communication_s else None


@dataclass(frozen=True, slots=True)
class Difference:
    """One number of both steps, named as in `StepNumbers`; None where unknown."""

    name: str
    before: float | None
    after: float | None

    @property
    def change(self) -> float | None:
        """After minus before, 0 for rounding alone; None where one is unknown."""
        if self.before is None or self.after is None:
            return None
        change = self.after - self.before
        if self.name.endswith("_s") and abs(change) < FINEST_S:
            return 0.0
        return change


class Length(Enum):
    """How long the step after is beside the one before; the value keys its words."""

    SHORTER = "shorter"
    LONGER = "longer"
    SAME = "same"


class Cause(Enum):
    """What the length of a step is made of; the value keys its words."""

    EXPOSED = "exposed"
    COMPUTE = "compute"
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class Change:
    """How much longer a part of the step is after than before; negative: shorter."""

    cause: Cause
    change_s: float


class Doubt(Enum):
    """What keeps two steps from being compared in full; the value keys its words."""

    INCOMPLETE = "incomplete"
    SPREAD = "spread"
    TAIL_GUESSED = "tail_guessed"
    SIZES_UNKNOWN = "sizes_unknown"
    WAITING_UNKNOWN = "waiting_unknown"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two steps and what differs.

    rows:    every number, in the order of `NUMBERS`
    reasons: the changes that make the step shorter or longer, the largest first; of
             steps of the same length the ones that make up for each other
    against: the changes the other way, the largest first; () for the same length
    """

    before: StepNumbers
    after: StepNumbers
    rows: tuple[Difference, ...]
    length: Length
    reasons: tuple[Change, ...]
    against: tuple[Change, ...]
    doubts: tuple[Doubt, ...]

    @property
    def change_s(self) -> float:
        """How much longer the step is after than before; negative: shorter."""
        return self.after.span_s - self.before.span_s


NUMBERS = (
    *("span_s", "compute_s", "communication_s", "hidden_s", "exposed_s"),
    *("tail_s", "waiting_s", "idle_s", "transfers", "size_bytes"),
)


def compare(before: StepNumbers, after: StepNumbers) -> Comparison:
    """What differs between two steps, of one run or of two."""
    least_s = LEAST * max(before.span_s, after.span_s)
    change_s = after.span_s - before.span_s
    length = Length.LONGER if change_s > 0 else Length.SHORTER
    if abs(change_s) <= least_s:
        length = Length.SAME
    changes = _changes(before, after, least_s)
    same_way = [one for one in changes if (one.change_s > 0) == (change_s > 0)]
    against = [one for one in changes if one not in same_way]
    is_same = length is Length.SAME
    return Comparison(
        before=before,
        after=after,
        rows=tuple(
            Difference(name, getattr(before, name), getattr(after, name))
            for name in NUMBERS
        ),
        length=length,
        reasons=tuple(changes if is_same else same_way),
        against=() if is_same else tuple(against),
        doubts=tuple(_doubts(before, after)),
    )


def _changes(before: StepNumbers, after: StepNumbers, least_s: float) -> list[Change]:
    """The parts that differ by more than this, the largest difference first."""
    changes = [
        Change(Cause.EXPOSED, after.exposed_s - before.exposed_s),
        Change(Cause.COMPUTE, after.compute_s - before.compute_s),
        Change(Cause.IDLE, after.idle_s - before.idle_s),
    ]
    worth = [one for one in changes if abs(one.change_s) > least_s]
    return sorted(worth, key=lambda one: -abs(one.change_s))


def _doubts(before: StepNumbers, after: StepNumbers) -> list[Doubt]:
    both = before, after
    moves = [one for one in both if one.communication_s]
    spreads_s = [one.spread_s for one in both if one.spread_s is not None]
    change_s = abs(after.span_s - before.span_s)
    holds = {
        Doubt.INCOMPLETE: not all(one.complete for one in both),
        Doubt.SPREAD: 0 < change_s <= max(spreads_s, default=0.0),
        Doubt.TAIL_GUESSED: not all(one.backward_found for one in moves),
        Doubt.SIZES_UNKNOWN: any(one.size_bytes is None for one in moves),
        Doubt.WAITING_UNKNOWN: any(one.waiting_s is None for one in moves),
    }
    return [doubt for doubt, true in holds.items() if true]


def numbers_of_rows(
    step: StepRow, transfers: Sequence[TransferRow], spread_s: float | None = None
) -> StepNumbers:
    """A row of a measurement, with the transfers of that step on that device."""
    sizes = [row.bytes for row in transfers]
    known = [size for size in sizes if size is not None]
    return StepNumbers(
        span_s=step.span_s,
        compute_s=step.compute_s,
        communication_s=step.communication_s,
        hidden_s=step.hidden_s,
        exposed_s=step.exposed_s,
        tail_s=step.tail_s,
        idle_s=step.idle_s,
        waiting_s=step.waiting_s,
        transfers=len(sizes),
        size_bytes=math.fsum(known) if len(known) == len(sizes) else None,
        backward_found=step.backward_found,
        complete=step.complete,
        spread_s=spread_s,
    )


def spread_s(lengths_s: Sequence[float]) -> float | None:
    """How far the complete steps of a run are apart, the first step aside.

    None for fewer than two steps: one doesn't tell.
    """
    steady_s = lengths_s[1:] if len(lengths_s[1:]) > 1 else lengths_s
    return max(steady_s) - min(steady_s) if len(steady_s) > 1 else None
