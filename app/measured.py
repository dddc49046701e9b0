"""Which part of which recording a session looks at."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import as_file, files

import numpy as np

from overlap_widget.model.classes import LOADED, Classes
from overlap_widget.model.classified import classified
from overlap_widget.model.measurement import default_step
from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import load

LONGEST_SEARCH = 200
Place = tuple[int, int, int]
"""A step: indices of its recording, of a device and of the step in that recording."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The loaded recordings, and what is chosen of them.

    recording: index into `recordings`
    device:    index into the devices of that recording
    step:      index into its steps
    window_s:  the visible part of the step; None for all of it
    part_s:    the part that the numbers are of; None for all of it
    search:    what the listed kernel names hold; "" for all of them
    classes:   what the kernels of all recordings count as
    earlier:   the classes before each change of them, the last change last
    against:   what is compared with; None for nothing
    """

    recordings: tuple[Recording, ...] = ()
    recording: int = 0
    device: int = 0
    step: int = 0
    window_s: tuple[float, float] | None = None
    part_s: tuple[float, float] | None = None
    search: str = ""
    classes: Classes = LOADED
    earlier: tuple[Classes, ...] = ()
    against: Place | None = None

    @property
    def shown(self) -> Recording:
        """The chosen recording."""
        return self.recordings[self.recording]

    @property
    def place(self) -> Place:
        """The chosen step."""
        return self.recording, self.device, self.step


@cache
def example() -> Recording:
    """The recording that ships with the widget, read once for all sessions."""
    shipped = files("overlap_widget.static").joinpath("example-trace.json.gz")
    with as_file(shipped) as path:
        return replace(load(str(path)), path=shipped.name)


def opened(measured: Measured, *recordings: Recording) -> Measured:
    """More recordings, each once; looked at is the first of them, at its default step.

    At least one.
    """
    joined = added(measured, recordings)
    known = [_same(one, recordings[0]) for one in joined.recordings]
    return choose_recording(joined, known.index(True))


def added(measured: Measured, recordings: Iterable[Recording]) -> Measured:
    """More recordings, each once, under the rules of those before them.

    What is looked at stays as it is.
    """
    kept = list(measured.recordings)
    for one in recordings:
        if any(_same(known, one) for known in kept):
            continue
        is_ours = one.classes == measured.classes
        kept.append(one if is_ours else classified(one, measured.classes))
    return replace(measured, recordings=tuple(kept))


def all_opened(recordings: Iterable[Recording], place: Place | None = None) -> Measured:
    """Recordings, each once, looked at from a step, else the default one of the first.

    The first choice of classes among them holds for all.
    """
    given = tuple(recordings)
    chosen = (one.classes for one in given if one.classes != LOADED)
    measured = added(Measured(classes=next(chosen, LOADED)), given)
    if not given:
        return measured
    recording, device, step = place or (0, 0, None)
    begun = choose_device(choose_recording(measured, recording), device)
    return begun if step is None else choose_step(begun, step)


def _same(one: Recording, other: Recording) -> bool:
    """Whether two recordings have the same name and the same spans."""
    return _title(one) == _title(other) and np.array_equal(
        one.spans.start_s, other.spans.start_s
    )


def _title(recording: Recording) -> tuple[str, int | None, list[str]]:
    """Whether its steps are whole depends on the classes, their names don't."""
    return recording.path, recording.rank, [step.name for step in recording.steps]


def choose_recording(measured: Measured, index: int) -> Measured:
    """Another of the loaded recordings, at its default step."""
    chosen = _within(index, measured.recordings)
    step = default_step(measured.recordings[chosen]) or 0
    fresh = replace(measured, window_s=None, part_s=None)
    return replace(fresh, recording=chosen, device=0, step=step)


def choose_device(measured: Measured, index: int) -> Measured:
    """Another device of the recording, at the same step."""
    device = _within(index, measured.shown.devices)
    return replace(measured, device=device, window_s=None, part_s=None)


def choose_step(measured: Measured, index: int) -> Measured:
    """Another step of the recording."""
    step = _within(index, measured.shown.steps)
    return replace(measured, step=step, window_s=None, part_s=None)


def look_at(measured: Measured, start_s: float, end_s: float) -> Measured:
    """Another part of the step; nothing changes for a window without length."""
    if not -math.inf < start_s < end_s < math.inf:
        return measured
    return replace(measured, window_s=(start_s, end_s))


def searched(measured: Measured, text: str) -> Measured:
    """Only the kernel names that hold this text are listed."""
    return replace(measured, search=text[:LONGEST_SEARCH])


def _within(index: int, items: tuple[object, ...]) -> int:
    return min(max(index, 0), len(items) - 1)
