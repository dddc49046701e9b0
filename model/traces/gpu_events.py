"""What a loader finds in a file, before it is a recording: columns in nanoseconds."""

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.recording import Group

NO_TIME = int(np.iinfo(np.int64).min)
"""Stands where the file has no time, or none that is a number."""
NO_CORRELATION = 0
NO_GROUP = -1

WORK = {
    "start_ns": "q",
    "length_ns": "q",
    "device": "i",
    "stream": "i",
    "correlation": "q",
    "kind": "B",
    "collective": "B",
    "size_bytes": "d",
    "name": "i",
    "group": "i",
    "is_kernel": "b",
    "in_graph": "b",
}
LAUNCHES = {"correlation": "q", "start_ns": "q", "thread": "q"}
RANGES = {"thread": "q", "start_ns": "q", "end_ns": "q", "phase": "B"}
"""The columns of each table with their types, as the module `array` names them."""

Columns = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class StepMark:
    """When a step ran: on the CPU, or on a stream of a device."""

    name: str
    start_ns: int
    end_ns: int
    device: int | None = None
    stream: int | None = None


@dataclass(frozen=True, slots=True)
class GpuEvents:
    """What a process did, as columns by name.

    work:     kernels, copies and fills on its devices, columns as `WORK`; kind and
              collective as the loader classifies them, a copy between two devices
              `OTHER` and `PEER_COPY`; and `sequence`, int32, where any is noted
    names:    of the work, as `work["name"]` counts them
    groups:   process groups of collectives, as `work["group"]` counts them
    launches: calls that launched work, as `LAUNCHES`; empty where the file has none
    ranges:   when a thread launched work of which phase, as `RANGES`
    marks:    the steps
    seen:     how often a loader met what it has to speak of
    """

    work: Columns
    names: tuple[str, ...]
    groups: tuple[Group, ...]
    launches: Columns
    ranges: Columns
    marks: tuple[StepMark, ...]
    seen: Counter[str] = field(default_factory=Counter)


def on_same_memory(columns: Mapping[str, "array[Any]"]) -> Columns:
    """Grown columns as arrays without a copy, so nothing may be added after."""
    return {
        name: np.frombuffer(column, column.typecode)
        if column
        else np.empty(0, column.typecode)
        for name, column in columns.items()
    }


def no_columns(types: Mapping[str, str]) -> Columns:
    """A table without rows."""
    return {name: np.empty(0, code) for name, code in types.items()}
