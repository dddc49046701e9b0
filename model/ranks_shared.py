"""Which transfers of several ranks are one and the same collective.

Ranks of a process group run its collectives in one order. So the same collective has
the same number in its group, where ranks noted it; else the same place among those of
its operation and group in the step of the same name, as `ranks_places.py` has it.
Where ranks recorded different numbers of them, or different sizes, places say nothing:
then only the ranks that agree are kept.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.ranks import Member
from overlap_widget.model.ranks_places import buckets
from overlap_widget.model.recording import OUTSIDE, Group
from overlap_widget.model.timeline import Collective

FOR_ALL = (
    Collective.ALL_REDUCE,
    Collective.REDUCE_SCATTER,
    Collective.ALL_GATHER,
    Collective.ALL_TO_ALL,
)
"""End for all of their ranks together: each needs something of every other."""
PERHAPS = (
    Collective.SEND_RECV,
    Collective.BROADCAST,
    Collective.REDUCE,
    Collective.UNKNOWN,
)
"""May end together: sends and receives can make up an all-to-all, for one."""
_COLUMNS = (
    *("member", "row", "group", "step", "kind", "collective"),
    *("sequence", "size_bytes", "start_s", "end_s"),
)
_OF_ONE_SIZE = (*FOR_ALL[:3], Collective.BROADCAST, Collective.REDUCE)

Index = NDArray[np.int64]
Mask = NDArray[np.bool_]
Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """Transfers that are the same collective, one row a member and collective.

    Times are seconds since the first span of the member's file.

    event:   int64[n], which collective, counted from 0 in no particular order
    member:  int64[n], index into the members
    row:     int64[n], index into the transfers of the member's file
    kind:    int64[n], equal for the same operation on the same process group
    collective: uint8[n], values of `Collective`
    start_s, end_s: float64[n]
    """

    event: Index
    member: Index
    row: Index
    kind: Index
    collective: NDArray[np.uint8]
    start_s: NDArray[np.float64]
    end_s: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.event)

    def select(self, rows: Mask | NDArray[np.intp]) -> Self:
        """The chosen rows."""
        names = (field.name for field in fields(self))
        return type(self)(*(getattr(self, name)[rows] for name in names))


def shared_collectives(
    files: Sequence[MeasuredFile], members: Sequence[Member]
) -> Shared:
    """The collectives that at least two members recorded, ordered by event."""
    table = _placed(_table(files, members))
    table = _chosen(table, _agreed(table))
    both = np.column_stack([table["bucket"], table["place"]])
    changes = np.any(np.diff(both, axis=0) != 0, axis=1)
    return Shared(
        event=np.cumsum(np.r_[0, changes])[: len(both)],
        member=table["member"],
        row=table["row"],
        kind=table["kind"],
        collective=table["collective"],
        start_s=table["start_s"],
        end_s=table["end_s"],
    )


def split_groups(
    files: Sequence[MeasuredFile], members: Sequence[Member]
) -> dict[Group, int]:
    """Groups that more members name than belong to one, and how many do.

    Where the files don't list the ranks of a group, several groups of one name can't be
    told apart.
    """
    named: Counter[Group] = Counter()
    for member in members:
        moved = files[member.file].transfers
        codes = np.unique(moved.group[moved.device == member.device])
        named.update({moved.groups[code] for code in codes if code >= 0})
    return {
        group: count
        for group, count in named.items()
        if not group.ranks and group.size is not None and count > group.size
    }


def _table(files: Sequence[MeasuredFile], members: Sequence[Member]) -> Columns:
    """What could be shared, as columns."""
    groups: dict[Group | None, int] = {None: 0}
    steps: dict[str, int] = {}
    for file in files:
        for step in file.steps:
            steps.setdefault(step.name, len(steps))
        for group in file.transfers.groups:
            groups.setdefault(group, len(groups))
    split = [groups[group] for group in split_groups(files, members)]
    parts = []
    for at, member in enumerate(members):
        file = files[member.file]
        # The last code is that of transfers whose group is -1.
        codes = np.array([*map(groups.__getitem__, file.transfers.groups), 0])
        places = np.array([steps[step.name] for step in file.steps])
        part = _part(file, member.device, codes, places)
        part = _chosen(part, ~np.isin(part["group"], split))
        part["kind"] = part["group"] * len(Collective) + part["collective"]
        parts.append(part | {"member": np.full(len(part["row"]), at)})
    if not parts:
        return dict.fromkeys(_COLUMNS, np.empty(0, dtype=np.int64))
    return {name: np.concatenate([part[name] for part in parts]) for name in _COLUMNS}


def _part(file: MeasuredFile, device: int, groups: Index, steps: Index) -> Columns:
    """The transfers in steps of a device that others may have recorded as well."""
    moved = file.transfers
    usable = (moved.device == device) & (moved.step != OUTSIDE)
    row = np.flatnonzero(usable & np.isin(moved.collective, FOR_ALL + PERHAPS))
    return {
        "row": row,
        "group": groups[moved.group[row]],
        "step": steps[moved.step[row]],
        "collective": moved.collective[row],
        "sequence": moved.sequence[row],
        "size_bytes": moved.size_bytes[row],
        "start_s": moved.start_s[row],
        "end_s": moved.end_s[row],
    }


def _placed(table: Columns) -> Columns:
    """Ordered by bucket, place and member; a place counts in the order of starts.

    `bucket` tells apart what is never shared.
    """
    table = table | {"bucket": buckets(table)}
    table = _chosen(
        table, np.lexsort((table["start_s"], table["member"], table["bucket"]))
    )
    begins = _begins(table["bucket"], table["member"])
    ordinal = np.arange(len(table["row"]))
    run = np.searchsorted(begins, ordinal, side="right") - 1
    table = table | {"place": ordinal - begins[run]}
    return _chosen(
        table, np.lexsort((table["member"], table["place"], table["bucket"]))
    )


def _agreed(table: Columns) -> Mask:
    """Which rows are of members that agree with most others on their bucket."""
    order = np.lexsort((table["place"], table["member"], table["bucket"]))
    ordered = _chosen(table, order)
    begins = _begins(ordered["bucket"], ordered["member"])
    count = np.diff(np.r_[begins, len(order)])
    bucket = ordered["bucket"][begins]
    content = np.add.reduceat(_mixed(ordered), begins) if len(begins) else begins
    runs = np.lexsort((content, count, bucket))
    kinds = _begins(bucket[runs], count[runs], content[runs])
    agreeing = np.diff(np.r_[kinds, len(runs)])
    first = runs[kinds]
    best = np.lexsort((count[first], agreeing, bucket[first]))  # the best comes last
    lasts = np.r_[np.diff(bucket[first][best]) != 0, True][: len(best)]
    kept = np.zeros(len(first), dtype=bool)
    kept[best[lasts]] = True
    kept &= agreeing > 1
    by_run = np.zeros(len(runs), dtype=bool)
    by_run[runs] = np.repeat(kept, agreeing)
    agreed = np.zeros(len(order), dtype=bool)
    agreed[order] = np.repeat(by_run, count)
    return agreed


def _mixed(table: Columns) -> NDArray[np.uint64]:
    """A number of each size and place, so that sums differ where any size does.

    Sizes count only for operations of one size on all ranks, and where all know them.
    """
    size = np.where(np.isin(table["collective"], _OF_ONE_SIZE), table["size_bytes"], 0)
    unknown = table["bucket"][np.isnan(size)]
    size[np.isin(table["bucket"], unknown)] = 0
    bits = size.astype(np.float64).view(np.uint64)
    for factor, text in ((_ODD, table["place"]), (_ODDER, 0)):
        bits = (bits + np.asarray(text).astype(np.uint64) * _ODD) * factor
        bits ^= bits >> np.uint64(29)
    return bits


_ODD, _ODDER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)


def _begins(*columns: Index) -> NDArray[np.intp]:
    """Where rows begin that have the same values in all of the columns."""
    if not len(columns[0]):
        return np.empty(0, dtype=np.intp)
    changes = np.any([np.diff(column) != 0 for column in columns], axis=0)
    return np.flatnonzero(np.r_[True, changes])


def _chosen(table: Columns, rows: Mask | NDArray[np.intp]) -> Columns:
    return {name: column[rows] for name, column in table.items()}
