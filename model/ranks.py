"""Several ranks beside each other: who waits for whom, and how far their clocks agree.

A collective can't end before the last of its ranks has begun, and ends for all of them
together. So a rank that begins early waits; the rest is transfer. The common ends also
set the clocks of the ranks by each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.intervals import Intervals, difference, union
from overlap_widget.model.measured_file import MeasuredFile

NOBODY = -1
"""Stands where there is no latest member."""

Times = NDArray[np.float64]


class Verdict(StrEnum):
    """What the common ends of collectives say of a clock."""

    REFERENCE = "reference"
    AGREES = "agrees"
    SHIFTED = "shifted"
    REFUSED = "refused"
    UNSHARED = "unshared"


@dataclass(frozen=True, slots=True)
class Member:
    """A device that communicates: a rank, or one of several devices of a process.

    file:  index into the files
    label: what to call it, "rank 3"
    """

    file: int
    device: int
    rank: int | None
    label: str


@dataclass(frozen=True, slots=True)
class Clock:
    """How the clock of a member is read.

    A moment on the common clock is `rate * moment - behind_s`, both in seconds since
    the first span of the file that they belong to.

    reference: index of the member whose clock is the common one
    shift_ns:  how far the clock of the file is ahead of that of the reference; None
               where nothing tells, and for the reference itself 0
    spread_s:  nine of ten shared collectives end within this of each other
    drift:     seconds that it gains in a second; 0 unless it is clear
    shared:    how many collectives tell so
    """

    verdict: Verdict
    reference: int
    rate: float = 1.0
    behind_s: float = 0.0
    shift_ns: int | None = None
    spread_s: float = 0.0
    drift: float = 0.0
    shared: int = 0

    @property
    def is_set(self) -> bool:
        """Whether moments of this member can be compared with others."""
        return self.verdict not in (Verdict.REFUSED, Verdict.UNSHARED)

    def common_s(self, moment_s: Times) -> Times:
        """Moments since the first span of the file, on the clock of the reference."""
        return self.rate * moment_s - self.behind_s


@dataclass(frozen=True, slots=True)
class Parts:
    """How the communication of a step on a device divides; all by union.

    waiting_s + transfer_s + untold_s is the communication, and the same for what is
    exposed of each. It waits while none of its transfers moves anything.

    untold_s: in transfers of which nothing tells how long they waited
    """

    waiting_s: float
    transfer_s: float
    untold_s: float
    exposed_waiting_s: float
    exposed_transfer_s: float
    exposed_untold_s: float


@dataclass(frozen=True, slots=True)
class Late:
    """The member that the others wait for most.

    waiting_s: how long they wait for it, all of them together
    waits:     how many of them do
    """

    member: int
    waiting_s: float
    waiting: int


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """The comparison of several files; everything by index into them.

    members:   in the order of files, then devices
    clocks:    one a member
    waiting_s: for each file how long each of its transfers waits: float64[n], NaN where
               nothing tells
    latest:    for each file the member that each of its transfers waits for: int32[n],
               itself where it comes last, `NOBODY` where nothing tells
    parts:     by (file, step, device); without those of which nothing is told
    late:      by name of a step, of those where the clocks are fine enough to tell
    slowest:   the same of all steps together; None if nobody waits longer than that
    sentences: for each file what is doubtful about the comparison
    """

    members: tuple[Member, ...]
    clocks: tuple[Clock, ...]
    waiting_s: tuple[Times, ...]
    latest: tuple[NDArray[np.int32], ...]
    parts: Mapping[tuple[int, int, int], Parts]
    late: Mapping[str, Late]
    slowest: Late | None
    sentences: tuple[tuple[str, ...], ...]

    def clock_of(self, file: int, device: int) -> Clock | None:
        """The clock of a device; None if it takes no part in the comparison."""
        for member, clock in zip(self.members, self.clocks, strict=True):
            if (member.file, member.device) == (file, device):
                return clock
        return None


def waiting_of(
    files: Sequence[MeasuredFile], ranks: Ranks, file: int, step: int, device: int
) -> Intervals:
    """When a step on a device waits, as a union on the clock of its file."""
    moved, waiting_s = files[file].transfers, ranks.waiting_s[file]
    here = (moved.step == step) & (moved.device == device)
    start_s, end_s = moved.start_s[here], moved.end_s[here]
    moves_s = np.minimum(start_s + np.nan_to_num(waiting_s[here]), end_s)
    return difference(union(start_s, moves_s), union(moves_s, end_s))
