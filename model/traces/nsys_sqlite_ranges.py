"""NVTX ranges of an Nsight Systems export that tell steps, phases or transfers."""

from dataclasses import dataclass, field
from typing import NamedTuple

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
_WORDS = ("step", "iter", "batch", "ward", "bwd", "fwd", "optim", "adam")


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
    """The ranges of one process."""

    named: list[NamedRange] = field(default_factory=list)
    calls: list[NcclRange] = field(default_factory=list)


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
            of_process = found.setdefault(process, Ranges())
            if text.startswith("nccl"):
                of_process.calls.append(
                    NcclRange(text, start_ns, end_ns, thread, payload, json_text)
                )
            else:
                of_process.named.append(NamedRange(text, start_ns, end_ns, thread))
        reading.advance(rows)
    return found


def _query(source: Database, table: Table) -> str:
    """With room for the condition of a window; the limit keeps the texts from being
    looked up again for every word.
    """
    like = " OR ".join(["t LIKE 'nccl%'", *(f"t LIKE '%{word}%'" for word in _WORDS)])
    kind = table.column("eventType")
    return (
        f"SELECT * FROM (SELECT {table.number('start', default=NO_TIME)} AS s, "
        f"{table.number('end', default=FAR_NS)} AS e, "
        f"{table.number('globalTid', default=NO_PROCESS)}, "
        f"CAST({_text(source, table)} AS TEXT) AS t, "
        f"{table.column('binaryData') or 'NULL'}, {_json(source, table)} "
        f"FROM {table.name} WHERE {{}} "
        + (f"AND {kind} IN ({_RANGE_TYPES}) " if kind else "")
        + f"LIMIT -1) WHERE s <= e AND s > {NO_TIME + 1} AND ({like})"
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
