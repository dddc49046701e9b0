"""Which phase of its step launched a piece of work: forward, backward or optimizer.

A range of the CPU, such as the autograd engine's around a backward function, tells it
of all that its thread launches inside. What a step launches before its first backward
work is the forward pass.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.recording import Phase
from overlap_widget.model.traces.distinct import distinct
from overlap_widget.model.traces.gpu_events import Columns, GpuEvents
from overlap_widget.model.traces.steps import Index, Rows

_BACKWARD_NAME = re.compile(r"backward|bwd|dgrad|wgrad", re.IGNORECASE)


def phase_of(
    work: Columns, launch: Index, found: GpuEvents, step: NDArray[np.int32]
) -> NDArray[np.uint8]:
    """The phase of each piece of work; by kernel names where no launch is known.

    A loader that knows the phases gives them as a further column of the work.
    """
    if "phase" in work and work["phase"].any():
        told: NDArray[np.uint8] = work["phase"]
        return told
    phase = np.full(len(launch), Phase.UNKNOWN, dtype=np.uint8)
    if not (launch >= 0).any():
        phase[_named_backward(found.names)[work["name"]]] = Phase.BACKWARD
        return phase
    for one in distinct(found.ranges["phase"]):
        rows = found.ranges["phase"] == one
        ranges = {name: column[rows] for name, column in found.ranges.items()}
        phase[launched_inside(launch, found.launches, ranges)] = one
    _fill_forward(phase, launch, found.launches, step)
    return phase


def _fill_forward(
    phase: NDArray[np.uint8], launch: Index, launches: Columns, step: NDArray[np.int32]
) -> None:
    """What a step launches before its first backward work, where nothing else tells."""
    known = (launch >= 0) & (step >= 0)
    if not known.any():
        return
    launched_ns = np.where(known, launches["start_ns"][launch], 0)
    first_ns = np.full(int(step.max()) + 1, np.iinfo(np.int64).min)
    backward = np.flatnonzero(known & (phase == Phase.BACKWARD))
    first_ns[step[backward]] = np.iinfo(np.int64).max
    np.minimum.at(first_ns, step[backward], launched_ns[backward])
    before = known & (phase == Phase.UNKNOWN)
    before &= launched_ns < first_ns[step]
    phase[before] = Phase.FORWARD


def _named_backward(names: Sequence[str]) -> Rows:
    return np.array([bool(_BACKWARD_NAME.search(name)) for name in names])


def launched_inside(launch: Index, launches: Columns, ranges: Columns) -> Rows:
    """Whether work was launched inside one of the ranges, on the same thread."""
    inside = np.zeros(len(launches["thread"]), dtype=bool)
    for thread in distinct(ranges["thread"]):
        of_thread = ranges["thread"] == thread
        order = np.argsort(ranges["start_ns"][of_thread], kind="stable")
        starts_ns = ranges["start_ns"][of_thread][order]
        open_until_ns = np.maximum.accumulate(ranges["end_ns"][of_thread][order])
        rows = launches["thread"] == thread
        times_ns = launches["start_ns"][rows]
        at = np.searchsorted(starts_ns, times_ns, side="right") - 1
        inside[rows] = (at >= 0) & (times_ns <= open_until_ns[at])
    of_work: Rows = (launch >= 0) & np.append(inside, False)[launch]
    return of_work
