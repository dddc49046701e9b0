"""The comparison of several files as the ranks of one run."""

from collections.abc import Iterator, Sequence

import numpy as np

from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.ranks import Clock, Member, Ranks
from overlap_widget.model.ranks_clocks import clocks
from overlap_widget.model.ranks_late import late_members
from overlap_widget.model.ranks_parts import parts_of
from overlap_widget.model.ranks_said import repeated_ranks, sentences
from overlap_widget.model.ranks_shared import shared_collectives
from overlap_widget.model.ranks_waiting import waits


def compare_ranks(files: Sequence[MeasuredFile]) -> Ranks:
    """Match their collectives, set their clocks, and tell waiting from transfer.

    Several devices of one file are compared in the same way. Files of one rank number
    are of several runs, so they are left out.
    """
    members = members_of(files)
    shared = shared_collectives(files, members)
    clock = clocks(files, members, shared)
    told = waits(files, members, clock, shared)
    late, slowest = late_members(files, told, _finest_s(clock))
    return Ranks(
        members=members,
        clocks=clock,
        waiting_s=told.waiting_s,
        latest=told.latest,
        parts={
            (at, *place): parts
            for at, file in enumerate(files)
            for place, parts in parts_of(file, told.waiting_s[at]).items()
        },
        late=late,
        slowest=slowest,
        sentences=sentences(files, members, clock, told),
    )


def members_of(files: Sequence[MeasuredFile]) -> tuple[Member, ...]:
    """The devices that communicate, of files that are one rank each."""
    twice = {at for places in repeated_ranks(files).values() for at in places}
    return tuple(
        member
        for at in range(len(files))
        if at not in twice
        for member in _of_file(at, files)
    )


def _of_file(at: int, files: Sequence[MeasuredFile]) -> Iterator[Member]:
    file = files[at]
    devices = np.unique(file.transfers.device).tolist()
    label = file.path if file.rank is None else f"rank {file.rank}"
    same = [other for other, one in enumerate(files) if one.path == file.path]
    if file.rank is None and len(same) > 1:
        label = f"process {same.index(at) + 1} of {file.path}"
    for device in devices:
        named = f"{label}, device {device}" if len(devices) > 1 else label
        yield Member(at, device, file.rank, named)


def _finest_s(clock: Sequence[Clock]) -> list[float]:
    """For each member the largest spread of those set by the same reference."""
    spread_s: dict[int, float] = {}
    for one in clock:
        if one.is_set:
            most_s = max(spread_s.get(one.reference, 0.0), one.spread_s)
            spread_s[one.reference] = most_s
    return [spread_s.get(one.reference, 0.0) for one in clock]
