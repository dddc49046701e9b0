"""How long each transfer waits for the latest of its ranks, and what that makes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.ranks import NOBODY, Clock, Member
from overlap_widget.model.ranks_clocks import ENOUGH, is_together
from overlap_widget.model.ranks_shared import FOR_ALL, Mask, Shared

Times = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Waits:
    """For each file, of each of its transfers.

    waiting_s: float64[n], NaN where nothing tells
    latest:    int32[n], the member that it waits for; `NOBODY` where nothing tells
    """

    waiting_s: tuple[Times, ...]
    latest: tuple[NDArray[np.int32], ...]


def waits(
    files: Sequence[MeasuredFile],
    members: Sequence[Member],
    clocks: Sequence[Clock],
    shared: Shared,
) -> Waits:
    """From the start of each transfer to that of the latest, within its length."""
    counts = [len(file.transfers) for file in files]
    found = Waits(
        tuple(np.full(count, np.nan) for count in counts),
        tuple(np.full(count, NOBODY, dtype=np.int32) for count in counts),
    )
    rows = _comparable(shared, clocks)
    if not len(rows):
        return found
    start_s, end_s = _on_common_clock(rows, clocks)
    begins, event = _events(rows)
    latest_s = np.maximum.reduceat(start_s, begins)
    last = np.lexsort((start_s, event))[np.r_[begins[1:], len(event)] - 1]
    together = _end_together(rows, end_s)
    for at, member in enumerate(members):
        mine = np.flatnonzero((rows.member == at) & together[event])
        places, length_s = rows.row[mine], (rows.end_s - rows.start_s)[mine]
        wait_s = np.clip((latest_s[event] - start_s)[mine], 0.0, length_s)
        found.waiting_s[member.file][places] = wait_s
        found.latest[member.file][places] = rows.member[last][event[mine]]
    return found


def _comparable(shared: Shared, clocks: Sequence[Clock]) -> Shared:
    """Of members whose clocks are set by the same reference, two or more an event."""
    reference = np.array([clock.reference for clock in clocks], dtype=np.int64)
    is_set = np.array([clock.is_set for clock in clocks], dtype=bool)
    rows = shared.select(is_set[shared.member])
    pair = rows.event * max(1, len(clocks)) + reference[rows.member]
    _, event, count = np.unique(pair, return_inverse=True, return_counts=True)
    rows = replace(rows, event=event).select(count[event] > 1)
    return rows.select(np.argsort(rows.event, kind="stable"))


def _on_common_clock(rows: Shared, clocks: Sequence[Clock]) -> tuple[Times, Times]:
    rate = np.array([clock.rate for clock in clocks])[rows.member]
    behind_s = np.array([clock.behind_s for clock in clocks])[rows.member]
    return rate * rows.start_s - behind_s, rate * rows.end_s - behind_s


def _events(rows: Shared) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each event begins among the rows, and which one each row is of."""
    changes = np.diff(rows.event) != 0
    begins = np.flatnonzero(np.r_[True, changes])
    return begins, np.repeat(np.arange(len(begins)), np.diff(np.r_[begins, len(rows)]))


def _end_together(rows: Shared, end_s: Times) -> Mask:
    """Which events end for all at once: bool[events].

    Of operations that needn't do so none, unless most of the same group do.
    """
    begins, _ = _events(rows)
    first_s, last_s = (of.reduceat(end_s, begins) for of in (np.minimum, np.maximum))
    shortest_s = np.minimum.reduceat(rows.end_s - rows.start_s, begins)
    together: Mask = is_together(last_s - first_s, shortest_s)
    _, kind = np.unique(rows.kind[begins], return_inverse=True)
    share = np.bincount(kind, together) / np.bincount(kind)
    surely = np.isin(rows.collective[begins], FOR_ALL)
    return together & (surely | (share[kind] >= ENOUGH))
