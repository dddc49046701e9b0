"""The table of the process groups in a step, over all its ranks."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from overlap_widget.app.group_texts import group_texts
from overlap_widget.app.rank_steps import RankStep
from overlap_widget.app.said import Said, as_data
from overlap_widget.model.group_parts import (
    GroupParts,
    added,
    group_parts,
    union_parts,
)
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.ranks import Ranks
from overlap_widget.model.recording import Group

Name = str | Said | None
KEYS = (
    *("name", "transfers", "size_bytes", "communication_s", "waiting_s"),
    *("transfer_s", "untold_s", "exposed_s"),
)


def groups_table(
    files: Sequence[MeasuredFile], ranks: Ranks, steps: Sequence[RankStep]
) -> dict[str, list[Any]]:
    """A row a group as columns, the longest communication first; several end in a sum.

    Seconds and bytes are added up over the ranks, where `size_bytes` is None if any is
    unknown. `name` may be a sentence as data; it is None for collectives of which the
    files don't tell the group. `waiting_s` and `transfer_s` are None where nothing
    tells them apart. The last row is that of all groups by union, which is less than
    their sum where some communicate at once.
    """
    texts = group_texts(file.transfers.groups for file in files)
    found: dict[Name, list[GroupParts]] = {}
    for one in steps:
        for parts in group_parts(*_of(files, ranks, one)):
            found.setdefault(_name(parts, texts), []).append(parts)
    rows = [(name, added(parts)) for name, parts in found.items()]
    rows.sort(key=lambda row: -row[1].communication_s)
    if len(rows) > 1:
        union = added(union_parts(*_of(files, ranks, one)) for one in steps)
        rows.append((Said("group.all", {}), union))
    table = [_row(name, parts) for name, parts in rows]
    return {key: [row[at] for row in table] for at, key in enumerate(KEYS)}


def _of(
    files: Sequence[MeasuredFile], ranks: Ranks, one: RankStep
) -> tuple[MeasuredFile, int, int, Any]:
    return files[one.file], one.step, one.row.device, ranks.waiting_s[one.file]


def _name(parts: GroupParts, texts: Mapping[Group, str | Said]) -> Name:
    return None if parts.group is None else texts[parts.group]


def _row(name: Name, parts: GroupParts) -> tuple[Any, ...]:
    is_told = parts.is_told
    return (
        as_data(name) if isinstance(name, Said) else name,
        parts.transfers,
        None if math.isnan(parts.size_bytes) else parts.size_bytes,
        parts.communication_s,
        parts.waiting_s if is_told else None,
        parts.transfer_s if is_told else None,
        parts.untold_s if is_told else None,
        parts.exposed_s,
    )
