"""NVTX ranges of an Nsight Systems export that tell steps, phases or transfers."""

from array import array
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.traces.exact_time import FAR_NS
from overlap_widget.model.traces.gpu_events import NO_TIME
from overlap_widget.model.traces.nsys_sqlite_database import (
    Database,
    Reading,
    Table,
    windows,
)
from overlap_widget.model.traces.nsys_sqlite_work import NO_PROCESS, PID_SHIFT
from overlap_widget.model.traces.range_steps import NamedRange

RANGES = "NVTX_EVENTS"

_RANGE_TYPES = "59, 60, 70, 71"  # push and pop, start and end; written by NVTX or NVTXT
_WORDS = ("step", "iter", "batch", "ward", "bwd", "fwd", "optim", "adam", "rank")


class NcclRange(NamedTuple):
    """A call of NCCL, with its payload as the export holds it."""

    name: str
    start_ns: int
    end_ns: int
    thread: int
    payload: bytes | None
    text: str | None


@dataclass(frozen=True, slots=True)
class Ranges:
    """The ranges of one process.

    backward: starts and ends of PyTorch's backward functions by thread; compact, since
              emit_nvtx writes millions of them
    """

    named: list[NamedRange] = field(default_factory=list)
    calls: list[NcclRange] = field(default_factory=list)
    backward: dict[int, "array[int]"] = field(default_factory=dict)

    def add(self, other: "Ranges") -> None:
        """Take those of another process too."""
        self.named.extend(other.named)
        self.calls.extend(other.calls)
        for thread, times in other.backward.items():
            self.backward.setdefault(thread, array("q")).extend(times)

    def backward_ns(self) -> dict[int, NDArray[np.int64]]:
        """Start and end of the backward functions of each thread: int64[n, 2]."""
        return {
            thread: np.array(times, np.int64).reshape(-1, 2)
            for thread, times in self.backward.items()
        }


def ranges_in(source: Database, reading: Reading) -> dict[int, Ranges]:
    """The ranges of use here by process; `NO_PROCESS` for those without a thread."""
    table = source.table(RANGES)
    found: dict[int, Ranges] = {}
    if table is None:
        return found
    query = _query(source, table)
    for condition, rows in windows(source, table):
        answer = source.connection.execute(query.format(condition))
        for start_ns, end_ns, thread, text, payload, json_text in answer:
            process = thread >> PID_SHIFT if thread >= 0 else NO_PROCESS
            if process not in found:
                found[process] = Ranges()
            of_process = found[process]
            if text is None:
                times = of_process.backward.setdefault(thread, array("q"))
                times.extend((start_ns, end_ns))
            elif text.startswith("nccl"):
                call = NcclRange(text, start_ns, end_ns, thread, payload, json_text)
                of_process.calls.append(call)
            else:
                of_process.named.append(NamedRange(text, start_ns, end_ns, thread))
        reading.advance(rows)
    return found


def _query(source: Database, table: Table) -> str:
    """Calls of NCCL, backward functions without a name, and what people named.

    It has room for the condition of a window. Each limit keeps SQLite from working a
    text out again wherever it is asked for.
    """
    kind = table.column("eventType")
    of_type = f"AND {kind} IN ({_RANGE_TYPES})" if kind else ""
    read = (
        f"SELECT {table.number('start', default=NO_TIME)} AS s, "
        f"{table.number('end', default=FAR_NS)} AS e, "
        f"{table.number('globalTid', default=NO_PROCESS)} AS thread, "
        f"CAST({_text(source, table)} AS TEXT) AS t, "
        f"{table.column('binaryData') or 'NULL'} AS payload, "
        f"{_json(source, table)} AS json "
        f"FROM {table.name} WHERE {{}} {of_type} LIMIT -1"
    )
    lower = (
        f"SELECT *, lower(t) AS l FROM ({read}) WHERE t NOT NULL AND s <= e LIMIT -1"
    )
    op = "(l LIKE 'aten::%' OR l LIKE 'autograd::%' OR instr(l, ', seq = '))"
    words = " OR ".join(f"instr(l, '{word}')" for word in _WORDS)
    told = f"SELECT *, {op} AS op FROM ({lower}) LIMIT -1"
    return (
        "SELECT s, e, thread, CASE WHEN op THEN NULL ELSE t END, payload, json "
        f"FROM ({told}) WHERE s > {NO_TIME + 1} AND CASE WHEN op THEN "
        f"instr(l, 'backward') ELSE l LIKE 'nccl%' OR {words} END"
    )


def _text(source: Database, table: Table) -> str:
    return _either(table.column("text"), _string(source, table.column("textId")))


def _json(source: Database, table: Table) -> str:
    return _either(
        table.column("jsonText"), _string(source, table.column("jsonTextId"))
    )


def _either(text: str | None, string: str | None) -> str:
    return f"coalesce({text or 'NULL'}, {string or 'NULL'})"


def _string(source: Database, number: str | None) -> str | None:
    """The text that a column gives the number of."""
    strings = source.table("StringIds")
    key = strings and strings.column("id", "_id_")
    value = strings and strings.column("value", "string", "name")
    if not number or not strings or not key or not value:
        return None
    return f"(SELECT {value} FROM {strings.name} WHERE {key} = {number})"
