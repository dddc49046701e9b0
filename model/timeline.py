"""The one description of a step, simulated or measured.

Everything downstream (breakdown, lanes, tables, export) reads a `Timeline` and
can't tell where it came from.
"""

import math
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.intervals import Intervals, union


class Kind(IntEnum):
    """What a span does; `OTHER` is neither compute nor communication."""

    COMPUTE = 0
    COMMUNICATION = 1
    OTHER = 2


class Collective(IntEnum):
    """Which operation a communication span performs; `NONE` for compute.

    A copy between devices is a `PEER_COPY` also where it isn't communication.
    """

    NONE = 0
    UNKNOWN = 1
    ALL_REDUCE = 2
    REDUCE_SCATTER = 3
    ALL_GATHER = 4
    BROADCAST = 5
    REDUCE = 6
    ALL_TO_ALL = 7
    SEND_RECV = 8
    PEER_COPY = 9


@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """Spans of work of one device as columns, one row a span; row order is free.

    Times are seconds since the first span began. The columns are made read-only,
    also for whoever handed them in; two timelines are equal only if they are one.

    start_s:    float64[n], when the span starts
    end_s:      float64[n], when it ends, never before it starts
    ready_s:    float64[n], when it could have started, never after it starts; equal
                to `start_s` where the recording doesn't tell
    kind:       uint8[n], values of `Kind`
    collective: uint8[n], values of `Collective`
    size_bytes: float64[n], bytes of gradient that a span makes or moves; NaN where
                unknown, 0 for spans that have none
    stream:     int32[n], the stream it ran on
    name:       int32[n], index into `names`
    names:      kernel, layer or bucket names, for people to read
    backward_end_s: when the backward pass ends; None where nothing computes
    """

    start_s: NDArray[np.float64]
    end_s: NDArray[np.float64]
    ready_s: NDArray[np.float64]
    kind: NDArray[np.uint8]
    collective: NDArray[np.uint8]
    size_bytes: NDArray[np.float64]
    stream: NDArray[np.int32]
    name: NDArray[np.int32]
    names: tuple[str, ...]
    backward_end_s: float | None

    def __post_init__(self) -> None:
        """Check the columns once, so that no reader needs to."""
        for column in columns(self).values():
            if len(column) != len(self.start_s):
                raise ValueError("the columns of a timeline differ in length")
            column.flags.writeable = False
        for moments_s in (self.ready_s, self.start_s, self.end_s):
            _require(np.isfinite(moments_s), "is not finite")
        if self.backward_end_s is not None and not math.isfinite(self.backward_end_s):
            raise ValueError("the end of the backward pass is not finite")
        _require(self.end_s >= self.start_s, "ends before it starts")
        _require(self.ready_s <= self.start_s, "starts before it is ready")

    def __len__(self) -> int:
        return len(self.start_s)

    def busy(self, kind: Kind) -> Intervals:
        """When any span of this kind runs, as a union."""
        rows = self.kind == kind
        return union(self.start_s[rows], self.end_s[rows])

    def rows_of(self, kind: Kind) -> NDArray[np.intp]:
        """Rows of this kind in the order of their start."""
        rows = np.flatnonzero(self.kind == kind)
        return rows[np.argsort(self.start_s[rows], kind="stable")]

    def select(self, rows: NDArray[np.bool_ | np.intp]) -> Self:
        """The chosen rows, on the same clock."""
        chosen: dict[str, Any] = {
            key: column[rows] for key, column in columns(self).items()
        }
        return replace(self, **chosen)

    def since(self, origin_s: float) -> Self:
        """The same spans on a clock that starts at `origin_s`."""
        end_s = self.backward_end_s
        return replace(
            self,
            start_s=self.start_s - origin_s,
            end_s=self.end_s - origin_s,
            ready_s=self.ready_s - origin_s,
            backward_end_s=None if end_s is None else end_s - origin_s,
        )


def columns(timeline: Timeline) -> dict[str, NDArray[Any]]:
    """The columns by name, without `names` and `backward_end_s`."""
    return {
        field.name: getattr(timeline, field.name)
        for field in fields(timeline)
        if field.name not in ("names", "backward_end_s")
    }


def _require(holds: NDArray[np.bool_], fault: str) -> None:
    if not holds.all():
        raise ValueError(f"row {int(np.argmin(holds))} of the timeline {fault}")
