"""Kernels, copies, fills and graph launches of an Nsight Systems export, as columns.

A CUDA graph is one row a launch (GRAPH_TRACE) unless its nodes were traced; then its
kernels have a graphNodeId and are ordinary rows.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces.gpu_events import (
    NO_CORRELATION,
    NO_GROUP,
    NO_TIME,
    WORK,
    no_columns,
)
from overlap_widget.model.traces.kernels import Category, classify
from overlap_widget.model.traces.nsys_sqlite_database import (
    Database,
    Integers,
    Reading,
    Table,
    integers,
)
from overlap_widget.model.traces.nsys_sqlite_names import kernel_names, name_number
from overlap_widget.model.traces.stream_contexts import told_apart

KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"
COPIES = "CUPTI_ACTIVITY_KIND_MEMCPY"
FILLS = "CUPTI_ACTIVITY_KIND_MEMSET"
GRAPHS = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"
TABLES = (KERNELS, COPIES, FILLS, GRAPHS)
NO_PROCESS = -1
PID_SHIFT = 24
"""A global process or thread id holds the process above these bits."""

_DEVICE_COPY, _PEER_COPY, _MOVED_BETWEEN = 8, 10, 13  # of CUpti_ActivityMemcpyKind
_COPIES = {
    1: "Host-to-Device",
    2: "Device-to-Host",
    3: "Host-to-Array",
    4: "Array-to-Host",
    5: "Array-to-Array",
    6: "Array-to-Device",
    7: "Device-to-Array",
    _DEVICE_COPY: "Device-to-Device",
    9: "Host-to-Host",
    _PEER_COPY: "Peer-to-Peer",
    11: "Unified Host-to-Device",
    12: "Unified Device-to-Host",
    _MOVED_BETWEEN: "Unified Device-to-Device",
}
_SHARED = {
    "start": NO_TIME,
    "end": NO_TIME,
    "deviceId": 0,
    "contextId": -1,
    "streamId": 0,
    "correlationId": NO_CORRELATION,
    "graphNodeId": 0,
    "globalPid": NO_PROCESS,
}
_READ = {**WORK, "context": "q"}
_DEVICES = 1 << 12
"""More than a machine has."""
_INT32 = np.iinfo(np.int32)

Column = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Work:
    """All work of all processes.

    columns: as `gpu_events.WORK`
    process: int64[n], whose it is: a global id without its thread; -1 where untold
    graph:   bool[n], a launch of a whole graph whose kernels weren't traced
    """

    columns: dict[str, Column]
    names: tuple[str, ...]
    process: Integers
    graph: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.process)


def work_in(source: Database, reading: Reading) -> Work:
    """Every row of GPU work in the export."""
    readers = (_kernels, _copies, _fills, _graphs)
    tables = [source.table(name) for name in TABLES]
    parts = [
        reader(source, table, reading)
        for reader, table in zip(readers, tables, strict=True)
        if table is not None
    ]
    none = Work(dict(no_columns(_READ)), (), np.empty(0, np.int64), np.empty(0, bool))
    return _without_contexts(_without_traced_graphs(_joined([none, *parts])))


def _joined(parts: Sequence[Work]) -> Work:
    firsts = np.cumsum([0, *(len(part.names) for part in parts)])
    columns = {
        key: np.concatenate([part.columns[key] for part in parts]) for key in _READ
    }
    columns["name"] += np.repeat(firsts[:-1], [len(part) for part in parts]).astype("i")
    return Work(
        columns=columns,
        names=tuple(name for part in parts for name in part.names),
        process=np.concatenate([part.process for part in parts]),
        graph=np.concatenate([part.graph for part in parts]),
    )


def _without_contexts(work: Work) -> Work:
    """With numbers of streams that differ between the contexts of a device."""
    columns = dict(work.columns)
    context, device = columns.pop("context"), columns["device"].astype(np.int64)
    place = work.process * _DEVICES + device % _DEVICES
    stream = told_apart(place, context, columns["stream"].astype(np.int64))
    return replace(work, columns={**columns, "stream": _narrow(stream)})


def _without_traced_graphs(work: Work) -> Work:
    """Without the launches of graphs whose kernels are rows too: no time twice."""
    rows = work.columns
    end_ns = rows["start_ns"] + rows["length_ns"]
    nodes = np.flatnonzero(rows["is_kernel"] & rows["in_graph"] & ~work.graph)
    twice = np.zeros(len(work), dtype=bool)
    for device, process in {(rows["device"][at], work.process[at]) for at in nodes}:
        here = (rows["device"] == device) & (work.process == process)
        inside = np.sort(rows["start_ns"][nodes[here[nodes]]])
        graphs = np.flatnonzero(here & work.graph)
        first = np.searchsorted(inside, rows["start_ns"][graphs])
        twice[graphs] = first < np.searchsorted(inside, end_ns[graphs])
    if not twice.any():
        return work
    return replace(
        work,
        columns={key: column[~twice] for key, column in rows.items()},
        process=work.process[~twice],
        graph=work.graph[~twice],
    )


def _read(
    source: Database, table: Table, reading: Reading, own: Sequence[str]
) -> tuple[dict[str, Column], Integers, Integers]:
    """What all tables of work share as columns, the processes, and its own numbers."""
    shared = [table.number(name, default=default) for name, default in _SHARED.items()]
    read = integers(source, table, [*shared, *own], reading)
    found = np.concatenate(list(read), axis=1)
    start_ns, end_ns, device, context, stream, correlation, node, pid = found[
        : len(shared)
    ]
    timeless = (start_ns == NO_TIME) | (end_ns == NO_TIME)
    columns = {name: np.zeros(len(pid), code) for name, code in WORK.items()} | {
        "start_ns": np.where(timeless, NO_TIME, start_ns),
        "length_ns": np.where(timeless, NO_TIME, end_ns - start_ns),
        "device": _narrow(device),
        "context": context,
        "stream": _narrow(stream),
        "correlation": correlation,
        "kind": np.full(len(pid), Kind.OTHER, np.uint8),
        "group": np.full(len(pid), NO_GROUP, np.int32),
        "in_graph": (node != 0).astype(np.int8),
    }
    process = np.where(pid < 0, NO_PROCESS, pid >> PID_SHIFT)
    return columns, process, found[len(shared) :]


def _kernels(source: Database, table: Table, reading: Reading) -> Work:
    numbered = name_number(source, table)
    columns, process, (number,) = _read(source, table, reading, [numbered.expression])
    numbers, name = np.unique(number, return_inverse=True)
    names = kernel_names(source, numbered, numbers.tolist())
    classes = [classify(Category.KERNEL, one) for one in names]
    kind = np.array([one for one, _ in classes], np.uint8)[name]
    columns |= {
        "kind": kind,
        "collective": np.array([one for _, one in classes], np.uint8)[name],
        "size_bytes": np.where(kind == Kind.COMMUNICATION, math.nan, 0.0),
        "name": name.astype(np.int32),
        "is_kernel": np.ones(len(name), np.int8),
    }
    return Work(columns, tuple(names), process, np.zeros(len(name), bool))


def _copies(source: Database, table: Table, reading: Reading) -> Work:
    own = [
        table.number("copyKind", default=0),
        table.number("bytes", default=-1),
        table.number("srcDeviceId", default=-1),
        table.number("dstDeviceId", default=-1),
    ]
    columns, process, (kind, size_bytes, origin, target) = _read(
        source, table, reading, own
    )
    between = (
        (kind == _DEVICE_COPY) & (origin >= 0) & (target >= 0) & (origin != target)
    )
    kind = np.where(between, _PEER_COPY, kind)
    peer = (kind == _PEER_COPY) | (kind == _MOVED_BETWEEN)
    known, name = np.unique(kind, return_inverse=True)
    columns |= {
        "collective": np.where(peer, Collective.PEER_COPY, Collective.NONE).astype("B"),
        "size_bytes": np.where(peer, np.where(size_bytes < 0, math.nan, size_bytes), 0),
        "name": name.astype(np.int32),
    }
    names = tuple(f"[CUDA memcpy {_COPIES.get(one, 'Unknown')}]" for one in known)
    return Work(columns, names, process, np.zeros(len(name), bool))


def _fills(source: Database, table: Table, reading: Reading) -> Work:
    columns, process, _ = _read(source, table, reading, [])
    return Work(columns, ("[CUDA memset]",), process, np.zeros(len(process), bool))


def _graphs(source: Database, table: Table, reading: Reading) -> Work:
    """Whole graphs count as compute: most of a graph is, and the rest can't be told."""
    own = [table.number("graphId", "graphExecId", default=0)]
    columns, process, (graph,) = _read(source, table, reading, own)
    numbers, name = np.unique(graph, return_inverse=True)
    ones = np.ones(len(name), np.int8)
    columns |= {
        "kind": np.full(len(name), Kind.COMPUTE, np.uint8),
        "name": name.astype(np.int32),
        "is_kernel": ones,
        "in_graph": ones,
    }
    names = tuple(f"CUDA graph {number}" for number in numbers)
    return Work(columns, names, process, ones.astype(bool))


def _narrow(numbers: Integers) -> NDArray[np.int32]:
    """As int32; numbers that don't fit are folded into it."""
    fit = (numbers >= _INT32.min) & (numbers <= _INT32.max)
    return np.where(fit, numbers, numbers % _INT32.max).astype(np.int32)
