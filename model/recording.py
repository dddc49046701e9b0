"""What one file of a profiler holds: the type that every trace loader returns."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.timeline import Kind, Timeline


@dataclass(frozen=True, slots=True)
class Step:
    """A training step: its name in the trace, and whether all of it was recorded."""

    name: str
    complete: bool


@dataclass(frozen=True, eq=False)
class Recording:
    """All GPU work of one file, on a clock that starts with its first span.

    path:     the file, as it was given
    format:   which profiler wrote it, in words
    rank:     of the process that was recorded; None where the file doesn't tell
    spans:    every span of every device, rows ordered by start
    device:   int32[n], the device of each span
    step:     int32[n], index into `steps`; -1 outside of every step
    backward: bool[n], compute that the backward pass launched
    steps:    in the order in which they ran
    warnings: sentences about what was repaired, left out or guessed
    """

    path: str
    format: str
    rank: int | None
    spans: Timeline
    device: NDArray[np.int32]
    step: NDArray[np.int32]
    backward: NDArray[np.bool_]
    steps: tuple[Step, ...]
    warnings: tuple[str, ...]

    def __post_init__(self) -> None:
        """Check the columns against the spans and freeze them."""
        for column in (self.device, self.step, self.backward):
            if len(column) != len(self.spans):
                raise ValueError("the columns of a recording differ in length")
            column.flags.writeable = False

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
    backward_end_s = _backward_end_s(recording, rows)
    found = backward_end_s is not None
    spans = recording.spans.select(rows)
    if backward_end_s is None:
        backward_end_s = _guess_backward_end_s(spans)
    spans = replace(spans, backward_end_s=backward_end_s)
    origin_s = float(spans.start_s.min()) if len(spans) else 0.0
    return Window(
        recording=recording,
        device=device,
        step=None if step is None else recording.steps[step],
        timeline=spans.since(origin_s),
        backward_found=found,
    )


def _backward_end_s(recording: Recording, rows: NDArray[np.bool_]) -> float | None:
    ends_s = recording.spans.end_s[rows & recording.backward]
    return float(ends_s.max()) if len(ends_s) else None


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
