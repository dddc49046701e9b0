"""What the collectives of each process group cost in a step on a device."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.intervals import Intervals, intersection, length_s, union
from overlap_widget.model.measured_file import MeasuredFile, Transfers
from overlap_widget.model.recording import Group

_NOTHING = np.empty((0, 2))

Times = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GroupParts:
    """Of a group, by union: two transfers of it at once count once.

    waiting_s + transfer_s + untold_s is communication_s. Groups may communicate at the
    same time, so theirs add up to more than that of the step.

    group:      None for collectives of which the file doesn't tell the group, and for
                all groups together
    size_bytes: NaN where that of any transfer is unknown
    untold_s:   in transfers of which nothing tells how long they waited
    """

    group: Group | None
    transfers: int
    size_bytes: float
    communication_s: float
    waiting_s: float
    untold_s: float
    exposed_s: float

    @property
    def transfer_s(self) -> float:
        """While any of them moves something."""
        return max(self.communication_s - self.waiting_s - self.untold_s, 0.0)

    @property
    def is_told(self) -> bool:
        """Whether anything tells waiting from transfer."""
        return self.untold_s < self.communication_s


def group_parts(
    file: MeasuredFile, step: int, device: int, waiting_s: Times
) -> tuple[GroupParts, ...]:
    """One a group that communicates in a step (an index) on a device.

    waiting_s: of each transfer of the file, NaN where nothing tells; see `Ranks`
    """
    moved, here, bare = _place(file, step, device)
    found = []
    for code in np.unique(moved.group[here]).tolist():
        rows = here[moved.group[here] == code]
        group = moved.groups[code] if code >= 0 else None
        found.append(_parts(group, moved, rows, waiting_s[rows], bare))
    return tuple(found)


def union_parts(
    file: MeasuredFile, step: int, device: int, waiting_s: Times
) -> GroupParts:
    """The same of all groups together, by union: what the step itself has."""
    moved, here, bare = _place(file, step, device)
    return _parts(None, moved, here, waiting_s[here], bare)


def added(parts: Iterable[GroupParts]) -> GroupParts:
    """The sum of several, as of the ranks of a group; its group is that of the first.

    Raises ValueError without any.
    """
    rows = list(parts)
    if not rows:
        raise ValueError("there are no parts to add up")
    return GroupParts(
        group=rows[0].group,
        transfers=sum(one.transfers for one in rows),
        size_bytes=math.fsum(one.size_bytes for one in rows),
        communication_s=sum(one.communication_s for one in rows),
        waiting_s=sum(one.waiting_s for one in rows),
        untold_s=sum(one.untold_s for one in rows),
        exposed_s=sum(one.exposed_s for one in rows),
    )


def _place(
    file: MeasuredFile, step: int, device: int
) -> tuple[Transfers, NDArray[np.intp], Intervals]:
    """The transfers of the file, which are there, and when they are exposed."""
    moved = file.transfers
    here = np.flatnonzero((moved.step == step) & (moved.device == device))
    return moved, here, file.exposed.get((step, device), _NOTHING)


def _parts(
    group: Group | None,
    moved: Transfers,
    rows: NDArray[np.intp],
    waiting_s: Times,
    bare: Intervals,
) -> GroupParts:
    start_s, end_s = moved.start_s[rows], moved.end_s[rows]
    known = np.isfinite(waiting_s)
    moves_s = np.minimum(start_s + np.nan_to_num(waiting_s), end_s)
    all_of_it, moving = union(start_s, end_s), union(moves_s, end_s)
    told = union(moves_s[known], end_s[known])
    return GroupParts(
        group=group,
        transfers=len(rows),
        size_bytes=float(moved.size_bytes[rows].sum()),
        communication_s=length_s(all_of_it),
        waiting_s=max(length_s(all_of_it) - length_s(moving), 0.0),
        untold_s=max(length_s(moving) - length_s(told), 0.0),
        exposed_s=length_s(intersection(all_of_it, bare)),
    )
