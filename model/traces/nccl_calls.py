"""Calls of NCCL or RCCL: what each of them, or each group, asked to be moved."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

COMMUNICATOR = "NCCL communicator ID"
SIZE = "Message size [bytes]"
RANKS = "No. of ranks"
RANK = "Rank"
FIELDS = (COMMUNICATOR, SIZE, RANKS, RANK)
"""What NCCL notes of its calls, by its own names for it."""

# NCCL notes what one rank holds of these, not the whole array
_PARTS = ("AllGather", "ReduceScatter", "AlltoAll", "AllToAll", "Gather", "Scatter")
_MOVES = re.compile(
    rf"nccl(AllReduce|Broadcast|Bcast|Reduce|Send|Recv|{'|'.join(_PARTS)})(?:Config)?\b"
)
_ONE_TO_ONE = ("Send", "Recv")

Fields = Mapping[str, int]


class Call(NamedTuple):
    """A call of the library, by name, with what it noted."""

    name: str
    start_ns: int
    end_ns: int
    thread: int
    fields: Fields


class Transfer(NamedTuple):
    """What was asked of the library between two times of a thread.

    operation:    "AllReduce", "SendRecv"; "" where there are several
    size_bytes:   of the whole array; NaN where unknown
    communicator: its hash; None where unknown, or where there are several
    """

    thread: int
    start_ns: int
    end_ns: int
    operation: str
    size_bytes: float
    communicator: int | None


@dataclass(frozen=True, slots=True)
class Nccl:
    """The transfers of a process, and of each communicator its size and own rank."""

    transfers: list[Transfer] = field(default_factory=list)
    ranks: dict[int, int] = field(default_factory=dict)
    rank: dict[int, int] = field(default_factory=dict)


def transfers_of(calls: Iterable[Call]) -> Nccl:
    """The transfers in the calls: one each, or one a group of calls.

    What stands between ncclGroupStart and ncclGroupEnd is launched by the latter.
    """
    nccl = Nccl()
    by_thread: dict[int, list[Call]] = {}
    for call in calls:
        by_thread.setdefault(call.thread, []).append(call)
    for of_thread in by_thread.values():
        open_groups, grouped = 0, []
        for call in sorted(of_thread, key=lambda call: (call.start_ns, -call.end_ns)):
            _note_ranks(nccl, call.fields)
            moves = _MOVES.match(call.name)
            if moves:
                grouped.append((moves[1], call.fields))
            open_groups += call.name.startswith("ncclGroupStart")
            open_groups -= call.name.startswith("ncclGroupEnd")
            if open_groups <= 0:
                open_groups = 0  # the capture may start inside a group
                if grouped:
                    nccl.transfers.append(_transfer(call, grouped, nccl.ranks))
                    grouped = []
    return nccl


def _note_ranks(nccl: Nccl, fields: Fields) -> None:
    if COMMUNICATOR in fields and RANKS in fields:
        nccl.ranks[fields[COMMUNICATOR]] = fields[RANKS]
        if RANK in fields:
            nccl.rank[fields[COMMUNICATOR]] = fields[RANK]


def _transfer(
    call: Call, grouped: Sequence[tuple[str, Fields]], ranks: Mapping[int, int]
) -> Transfer:
    one_way = dict.fromkeys(_ONE_TO_ONE, 0.0)
    whole = 0.0
    for operation, fields in grouped:
        size_bytes = _bytes(operation, fields, ranks)
        if operation in one_way:
            one_way[operation] += size_bytes
        else:
            whole += size_bytes
    operations = {
        "SendRecv" if operation in _ONE_TO_ONE else operation
        for operation, _ in grouped
    }
    communicators = {fields.get(COMMUNICATOR) for _, fields in grouped}
    return Transfer(
        thread=call.thread,
        start_ns=call.start_ns,
        end_ns=call.end_ns,
        operation=operations.pop() if len(operations) == 1 else "",
        # a rank sends and receives at once; a NaN in either makes the sum one
        size_bytes=whole + max(one_way.values()) + 0 * sum(one_way.values()),
        communicator=communicators.pop() if len(communicators) == 1 else None,
    )


def _bytes(operation: str, fields: Fields, ranks: Mapping[int, int]) -> float:
    size = fields.get(SIZE)
    known = ranks.get(fields.get(COMMUNICATOR, -1))
    parts = known if operation in _PARTS else 1
    return math.nan if size is None or parts is None else float(size * parts)
