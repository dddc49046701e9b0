"""What one file of a profiler holds: the type that every trace loader returns."""

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.classes import LOADED, Classes
from overlap_widget.model.timeline import Kind, Timeline

OUTSIDE = -1
"""The step of what ran outside of every step."""
NO_SEQUENCE = -1
"""Stands where the number of a collective in its group is unknown."""


class Phase(IntEnum):
    """Which part of a step launched a piece of work; `UNKNOWN` where nothing tells."""

    UNKNOWN = 0
    FORWARD = 1
    BACKWARD = 2
    OPTIMIZER = 3


@dataclass(frozen=True, slots=True)
class Group:
    """A process group: the ranks that take part in the same collectives.

    name:        as the framework calls it, "0" or "dp"
    description: what it is for, "default_pg"; "" where the file doesn't tell
    ranks:       its ranks; () where unknown
    size:        how many they are; None where unknown
    """

    name: str
    description: str = ""
    ranks: tuple[int, ...] = ()
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A training step: its name in the trace, and whether all of it was recorded."""

    name: str
    complete: bool


@dataclass(frozen=True, eq=False)
class Recording:
    """All GPU work of one process, on a clock that starts with its first span.

    path:     the file, as it was given
    format:   which profiler wrote it, in words
    rank:     of the process that was recorded; None where the file doesn't tell
    spans:    every span of every device, rows ordered by start
    device:   int32[n], the device of each span
    step:     int32[n], index into `steps`; -1 outside of every step
    phase:    uint8[n], values of `Phase`
    group:    int32[n], index into `groups`; -1 where unknown, and for what is no
              collective
    loaded_kind: uint8[n], the kinds as the loader found them, before any rule
    groups:   the process groups whose collectives ran
    steps:    in the order in which they ran
    warnings: sentences about what was repaired, left out or guessed
    origin_ns: when the first span starts, on the clock of the file
    classes:  what the kinds of the spans follow
    sequence: int32[n], the number of a collective in its group, which all of its ranks
              count alike; -1 where unknown. None where the file notes none at all
    """

    path: str
    format: str
    rank: int | None
    spans: Timeline
    device: NDArray[np.int32]
    step: NDArray[np.int32]
    phase: NDArray[np.uint8]
    group: NDArray[np.int32]
    loaded_kind: NDArray[np.uint8]
    groups: tuple[Group, ...]
    steps: tuple[Step, ...]
    warnings: tuple[str, ...]
    origin_ns: int = 0
    classes: Classes = LOADED
    sequence: NDArray[np.int32] | None = None

    def __post_init__(self) -> None:
        """Check the columns against the spans and freeze them."""
        columns = (self.device, self.step, self.phase, self.group, self.loaded_kind)
        numbers = () if self.sequence is None else (self.sequence,)
        for column in (*columns, *numbers):
            if len(column) != len(self.spans):
                raise ValueError("the columns of a recording differ in length")
            column.flags.writeable = False

    @property
    def backward(self) -> NDArray[np.bool_]:
        """Which spans are compute that the backward pass launched: bool[n]."""
        rows: NDArray[np.bool_] = np.logical_and(
            self.spans.kind == Kind.COMPUTE, self.phase == Phase.BACKWARD
        )
        return rows

    @cached_property
    def devices(self) -> tuple[int, ...]:
        """The devices that did any work, in order."""
        return tuple(int(device) for device in np.unique(self.device))


@dataclass(frozen=True, slots=True)
class Window:
    """One step on one device, or everything on it when `step` is None.

    timeline:       its spans on a clock that starts with the first of them
    backward_found: whether the trace tells which kernels are of the backward pass;
                    otherwise `timeline.backward_end_s` is a guess
    """

    recording: Recording
    device: int
    step: Step | None
    timeline: Timeline
    backward_found: bool


def window(recording: Recording, device: int, step: int | None) -> Window:
    """Cut a step (an index into `recording.steps`), or a whole device."""
    rows = recording.device == device
    if step is not None:
        rows = rows & (recording.step == step)
    return window_of(recording, np.flatnonzero(rows), device, step)


def window_of(
    recording: Recording, rows: NDArray[np.intp], device: int, step: int | None
) -> Window:
    """The window that these rows make; see `windows.py` for all of them at once."""
    spans = recording.spans.select(rows)
    launched = recording.phase[rows] == Phase.BACKWARD
    ends_s = spans.end_s[launched & (spans.kind == Kind.COMPUTE)]
    found = len(ends_s) > 0
    backward_end_s = float(ends_s.max()) if found else _guess_backward_end_s(spans)
    spans = replace(spans, backward_end_s=backward_end_s)
    origin_s = float(spans.start_s.min()) if len(spans) else 0.0
    return Window(
        recording=recording,
        device=device,
        step=None if step is None else recording.steps[step],
        timeline=spans.since(origin_s),
        backward_found=found,
    )


def _guess_backward_end_s(spans: Timeline) -> float | None:
    """The end of the last compute that began before the last transfer ended.

    Without marks of the backward pass: the optimizer waits for the last transfer,
    so what began before its end is taken for the pass.
    """
    computes = spans.kind == Kind.COMPUTE
    transfers = spans.kind == Kind.COMMUNICATION
    if transfers.any():
        computes &= spans.start_s < spans.end_s[transfers].max()
    ends_s = spans.end_s[computes]
    return float(ends_s.max()) if len(ends_s) else None
