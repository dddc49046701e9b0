"""Whom the ranks wait for most, in each step and in all together."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from overlap_widget.model.grouped import lengths_s
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.ranks import Late
from overlap_widget.model.ranks_waiting import Waits
from overlap_widget.model.recording import OUTSIDE

Waiter = tuple[int, int]
"""A file and a device."""
Waited = Mapping[int, list[tuple[Waiter, float]]]
"""By member, who waits for it and how long."""


def late_members(
    files: Sequence[MeasuredFile], waits: Waits, finest_s: Sequence[float]
) -> tuple[dict[str, Late], Late | None]:
    """By name of a step, and overall.

    finest_s: by member, the shortest wait for it that is more than the noise of clocks
    """
    by_step: dict[str, Waited] = {}
    overall: Waited = defaultdict(list)
    for at, file in enumerate(files):
        for step, device, member, waited_s in _waited(file, waits, at, finest_s):
            here = by_step.setdefault(file.steps[step].name, defaultdict(list))
            for waited in (here, overall):
                waited[member].append(((at, device), waited_s))
    late = {name: _latest(waited) for name, waited in by_step.items()}
    return late, _latest(overall) if overall else None


def _latest(waited: Waited) -> Late:
    """The member that is waited for longest; of equal ones the first."""
    sums = {
        member: (sum(waited_s for _, waited_s in rows), len({who for who, _ in rows}))
        for member, rows in waited.items()
    }
    member = max(sorted(sums), key=lambda one: sums[one][0])
    return Late(member, *sums[member])


def _waited(
    file: MeasuredFile, waits: Waits, at: int, finest_s: Sequence[float]
) -> Iterator[tuple[int, int, int, float]]:
    """Steps, devices and members, and how long is waited for each, as a union."""
    moved, waiting_s, latest = file.transfers, waits.waiting_s[at], waits.latest[at]
    rows = np.isfinite(waiting_s) & (moved.step != OUTSIDE)
    rows[rows] = waiting_s[rows] > np.array(finest_s)[latest[rows]]
    keys = np.column_stack([moved.step[rows], moved.device[rows], latest[rows]])
    groups, place = np.unique(keys, axis=0, return_inverse=True)
    start_s = moved.start_s[rows]
    waited_s = lengths_s(place.ravel(), start_s, start_s + waiting_s[rows], len(groups))
    for (step, device, member), one_s in zip(
        groups.tolist(), waited_s.tolist(), strict=True
    ):
        yield step, device, member, one_s
