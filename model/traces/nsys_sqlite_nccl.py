"""What the calls of NCCL tell of the kernels they launched: operation, bytes, group.

NCCL marks its calls with NVTX ranges whose payload is binary, laid out as the tables
NVTX_PAYLOAD_SCHEMAS and NVTX_PAYLOAD_SCHEMA_ENTRIES say; older exports have it as
JSON. A payload begins with 32 bytes: domain, schema (at 8), its size (at 16).
"""

import json
import math
import re
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from overlap_widget.model.traces.nsys_sqlite_database import Database
from overlap_widget.model.traces.nsys_sqlite_ranges import NcclCall

COMMUNICATOR = "NCCL communicator ID"
SIZE = "Message size [bytes]"
RANKS = "No. of ranks"
RANK = "Rank"

_HEADER_BYTES = 32
_SCHEMA_AT = 8
_FORMATS = {5: "<I", 18: "<Q", 22: "<Q"}  # types of NVTX payload entries
_OF_ONE_RANK = ("AllGather", "ReduceScatter", "AlltoAll", "Gather", "Scatter")
_CALL = re.compile(
    r"nccl(AllReduce|AllGather|ReduceScatter|Broadcast|Bcast|Reduce|"
    r"AlltoAll|Gather|Scatter|Send|Recv)\b"
)

Schemas = Mapping[int, Sequence[tuple[str, int, str]]]


class Transfer(NamedTuple):
    """What was asked of NCCL between two times of a thread.

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
    """The transfers of a process, and of each communicator its ranks and own rank."""

    transfers: list[Transfer] = field(default_factory=list)
    ranks: dict[int, int] = field(default_factory=dict)
    rank: dict[int, int] = field(default_factory=dict)


def schemas_in(source: Database) -> Schemas:
    """Of each payload schema its fields: name, offset in bytes, format of the value."""
    table = source.table("NVTX_PAYLOAD_SCHEMA_ENTRIES")
    found: dict[int, list[tuple[str, int, str]]] = {}
    if table is None:
        return found
    query = (
        f"SELECT DISTINCT schemaId, name, coalesce(offset, 0), type FROM {table.name} "
        f"WHERE name IN ('{COMMUNICATOR}', '{SIZE}', '{RANKS}', '{RANK}')"
    )
    for schema, name, offset, kind in source.connection.execute(query):
        if kind in _FORMATS:
            found.setdefault(schema, []).append((name, offset, _FORMATS[kind]))
    return found


def transfers_of(calls: Iterable[NcclCall], schemas: Schemas) -> Nccl:
    """The transfers in the calls: one each, or one a group of calls.

    What stands between ncclGroupStart and ncclGroupEnd is launched by the latter.
    """
    nccl = Nccl()
    by_thread: dict[int, list[NcclCall]] = {}
    for call in calls:
        by_thread.setdefault(call.thread, []).append(call)
    for of_thread in by_thread.values():
        open_groups, grouped = 0, []
        for call in sorted(of_thread, key=lambda call: (call.start_ns, -call.end_ns)):
            fields = _fields(call, schemas)
            _note_ranks(nccl, fields)
            operation = _CALL.match(call.name)
            if call.name.startswith("ncclGroupStart"):
                open_groups += 1
            elif operation:
                grouped.append((operation[1], fields))
            elif call.name.startswith("ncclGroupEnd"):
                open_groups -= 1
            if open_groups <= 0 and grouped:
                nccl.transfers.append(_transfer(call, grouped, nccl.ranks))
                grouped = []
    return nccl


def _fields(call: NcclCall, schemas: Schemas) -> dict[str, int]:
    if isinstance(call.payload, bytes) and len(call.payload) > _HEADER_BYTES:
        (schema,) = struct.unpack_from("<I", call.payload, _SCHEMA_AT)
        return {
            name: struct.unpack_from(code, call.payload, _HEADER_BYTES + offset)[0]
            for name, offset, code in schemas.get(schema, ())
            if _HEADER_BYTES + offset + struct.calcsize(code) <= len(call.payload)
        }
    return _fields_of_text(call.text) if call.text else {}


def _fields_of_text(text: str) -> dict[str, int]:
    """The fields wherever they stand in the JSON."""
    try:
        values = json.loads(text)
    except ValueError:
        return {}
    found: dict[str, int] = {}
    rest = [values]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            rest.extend(value.values())
            for name in (COMMUNICATOR, SIZE, RANKS, RANK):
                number = re.fullmatch(r"\d{1,20}", str(value.get(name)))
                if number:
                    found[name] = int(number[0])
        elif isinstance(value, list):
            rest.extend(value)
    return found


def _note_ranks(nccl: Nccl, fields: Mapping[str, int]) -> None:
    if COMMUNICATOR in fields and RANKS in fields:
        nccl.ranks[fields[COMMUNICATOR]] = fields[RANKS]
        if RANK in fields:
            nccl.rank[fields[COMMUNICATOR]] = fields[RANK]


def _transfer(
    call: NcclCall,
    grouped: Sequence[tuple[str, Mapping[str, int]]],
    ranks: Mapping[int, int],
) -> Transfer:
    sizes: dict[str, float] = {"Send": 0.0, "Recv": 0.0}
    for operation, fields in grouped:
        sizes[operation] = sizes.get(operation, 0.0) + _bytes(operation, fields, ranks)
    both_ways = max(sizes.pop("Send"), sizes.pop("Recv"), key=_unknown_first)
    operations = {
        "SendRecv" if operation in ("Send", "Recv") else operation
        for operation, _ in grouped
    }
    communicators = {fields.get(COMMUNICATOR) for _, fields in grouped}
    return Transfer(
        thread=call.thread,
        start_ns=call.start_ns,
        end_ns=call.end_ns,
        operation=operations.pop() if len(operations) == 1 else "",
        size_bytes=both_ways + sum(sizes.values()),
        communicator=communicators.pop() if len(communicators) == 1 else None,
    )


def _unknown_first(size_bytes: float) -> float:
    return math.inf if math.isnan(size_bytes) else size_bytes


def _bytes(
    operation: str, fields: Mapping[str, int], ranks: Mapping[int, int]
) -> float:
    """Bytes of the whole array; NCCL notes one rank's part of a gather or scatter."""
    size = fields.get(SIZE)
    parts = (
        1 if operation not in _OF_ONE_RANK else ranks.get(fields.get(COMMUNICATOR, -1))
    )
    return math.nan if size is None or parts is None else float(size * parts)
