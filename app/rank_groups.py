"""What the collectives of each process group cost in a step, over all its ranks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.app.rank_steps import RankStep
from overlap_widget.model.intervals import intersection, length_s, union
from overlap_widget.model.measured_file import MeasuredFile, Transfers
from overlap_widget.model.ranks import Ranks
from overlap_widget.model.recording import Group

NOTHING = np.empty((0, 2))


@dataclass(frozen=True, slots=True)
class _Cost:
    """Of a group on one rank, by union: two transfers of a group at once count once.

    waiting_s, untold_s: the rest of `communication_s` is transfer
    """

    transfers: int
    communication_s: float
    waiting_s: float
    untold_s: float
    exposed_s: float


def groups_table(
    files: Sequence[MeasuredFile], ranks: Ranks, steps: Sequence[RankStep]
) -> dict[str, list[Any]]:
    """A row a group as columns, the longest communication first.

    Seconds are added up over the ranks. `name` is None for collectives of which the
    files don't tell the group; `waiting_s` and `transfer_s` are None where nothing
    tells them apart.
    """
    costs: dict[str | None, list[_Cost]] = {}
    for step in steps:
        for name, cost in _costs(files[step.file], ranks.waiting_s[step.file], step):
            costs.setdefault(name, []).append(cost)
    rows = sorted(map(_row, costs, costs.values()), key=lambda row: -row[2])
    keys = (
        *("name", "transfers", "communication_s", "waiting_s", "transfer_s"),
        *("untold_s", "exposed_s"),
    )
    return {key: [row[at] for row in rows] for at, key in enumerate(keys)}


def _row(name: str | None, costs: Sequence[_Cost]) -> tuple[Any, ...]:
    communication_s = sum(one.communication_s for one in costs)
    waiting_s = sum(one.waiting_s for one in costs)
    untold_s = sum(one.untold_s for one in costs)
    is_told = untold_s < communication_s
    transfer_s = max(communication_s - waiting_s - untold_s, 0.0)
    return (
        name,
        sum(one.transfers for one in costs),
        communication_s,
        waiting_s if is_told else None,
        transfer_s if is_told else None,
        untold_s if is_told else None,
        sum(one.exposed_s for one in costs),
    )


def _costs(
    file: MeasuredFile, waiting_s: NDArray[np.float64], step: RankStep
) -> Iterator[tuple[str | None, _Cost]]:
    moved = file.transfers
    bare = file.exposed.get((step.step, step.row.device), NOTHING)
    here = (moved.step == step.step) & (moved.device == step.row.device)
    for code in np.unique(moved.group[here]):
        rows = here & (moved.group == code)
        name = group_text(moved.groups[code]) if code >= 0 else None
        yield name, _cost(moved, rows, waiting_s[rows], bare)


def _cost(
    moved: Transfers,
    rows: NDArray[np.bool_],
    waiting_s: NDArray[np.float64],
    bare: NDArray[np.float64],
) -> _Cost:
    start_s, end_s = moved.start_s[rows], moved.end_s[rows]
    known = np.isfinite(waiting_s)
    moves_s = np.minimum(start_s + np.nan_to_num(waiting_s), end_s)
    all_of_it, moving = union(start_s, end_s), union(moves_s, end_s)
    told = union(moves_s[known], end_s[known])
    return _Cost(
        transfers=len(start_s),
        communication_s=length_s(all_of_it),
        waiting_s=max(length_s(all_of_it) - length_s(moving), 0.0),
        untold_s=max(length_s(moving) - length_s(told), 0.0),
        exposed_s=length_s(intersection(all_of_it, bare)),
    )


def group_text(group: Group) -> str:
    """What it is for where the file tells, and its name."""
    if group.description and group.description != group.name:
        return (
            f"{group.description} ({group.name})" if group.name else group.description
        )
    return group.name
