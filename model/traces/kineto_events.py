"""What a PyTorch profiler trace holds, as columns in nanoseconds: the types."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

NO_TIME = int(np.iinfo(np.int64).min)
"""Stands where the file has no time, or none that is a number."""
NO_CORRELATION = 0
STEP_MARK = "ProfilerStep#"
BACKWARD_RANGE = "autograd::engine::evaluate_function"
GLOO_RANGE = "gloo:"
XLA_PROCESSES = ("/device:", "/host:")

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
    "is_kernel": "b",
    "in_graph": "b",
}
LAUNCHES = {"correlation": "q", "start_ns": "q", "thread": "q"}
RANGES = {"thread": "q", "start_ns": "q", "end_ns": "q"}
"""The columns of each table with their types, as the module `array` names them."""

Columns = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class StepMark:
    """A range named ProfilerStep#N: on the CPU, or on a stream of a device."""

    name: str
    start_ns: int
    end_ns: int
    device: int | None = None
    stream: int | None = None


@dataclass(frozen=True, slots=True)
class KinetoEvents:
    """What a file holds, as columns by name.

    work:     kernels, copies and fills on the GPU, columns as `WORK`
    names:    of the work, as `work["name"]` counts them
    launches: calls of the runtime, as `LAUNCHES`
    backward: ranges in which the autograd engine runs a backward function,
              as `RANGES`
    marks:    the steps
    seen:     how often `GLOO_RANGE` and `XLA_PROCESSES` were met
    """

    work: Columns
    names: tuple[str, ...]
    launches: Columns
    backward: Columns
    marks: tuple[StepMark, ...]
    seen: Counter[str]
