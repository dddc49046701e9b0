"""Which part of which recording a session looks at."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import as_file, files

import numpy as np

from overlap_widget.model.measurement import default_step
from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import load


@dataclass(frozen=True, slots=True)
class Measured:
    """The loaded recordings, and what is chosen of them.

    recording: index into `recordings`
    device:    index into the devices of that recording
    step:      index into its steps
    window_s:  the visible part of the step; None for all of it
    """

    recordings: tuple[Recording, ...] = ()
    recording: int = 0
    device: int = 0
    step: int = 0
    window_s: tuple[float, float] | None = None

    @property
    def shown(self) -> Recording:
        """The chosen recording."""
        return self.recordings[self.recording]


@cache
def example() -> Recording:
    """The recording that ships with the widget, read once for all sessions."""
    shipped = files("overlap_widget.static").joinpath("example-trace.json.gz")
    with as_file(shipped) as path:
        return replace(load(str(path)), path=shipped.name)


def opened(measured: Measured, recording: Recording) -> Measured:
    """One more recording, looked at from its default step; the same one only once."""
    known = [_same(one, recording) for one in measured.recordings]
    if any(known):
        return choose_recording(measured, known.index(True))
    recordings = (*measured.recordings, recording)
    return choose_recording(
        replace(measured, recordings=recordings), len(recordings) - 1
    )


def all_opened(recordings: Iterable[Recording]) -> Measured:
    """Recordings, each once, looked at from the default step of the first."""
    kept: list[Recording] = []
    for recording in recordings:
        if not any(_same(one, recording) for one in kept):
            kept.append(recording)
    measured = Measured(recordings=tuple(kept))
    return choose_recording(measured, 0) if kept else measured


def _same(one: Recording, other: Recording) -> bool:
    """Whether two recordings have the same name and the same spans."""
    return (one.path, one.rank, one.steps) == (
        other.path,
        other.rank,
        other.steps,
    ) and np.array_equal(one.spans.start_s, other.spans.start_s)


def choose_recording(measured: Measured, index: int) -> Measured:
    """Another of the loaded recordings, at its default step."""
    recording = measured.recordings[_within(index, measured.recordings)]
    return Measured(
        recordings=measured.recordings,
        recording=_within(index, measured.recordings),
        step=default_step(recording) or 0,
    )


def choose_device(measured: Measured, index: int) -> Measured:
    """Another device of the recording, at the same step."""
    device = _within(index, measured.shown.devices)
    return replace(measured, device=device, window_s=None)


def choose_step(measured: Measured, index: int) -> Measured:
    """Another step of the recording."""
    step = _within(index, measured.shown.steps)
    return replace(measured, step=step, window_s=None)


def look_at(measured: Measured, start_s: float, end_s: float) -> Measured:
    """Another part of the step; nothing changes for a window without length."""
    if not -math.inf < start_s < end_s < math.inf:
        return measured
    return replace(measured, window_s=(start_s, end_s))


def _within(index: int, items: tuple[object, ...]) -> int:
    return min(max(index, 0), len(items) - 1)
