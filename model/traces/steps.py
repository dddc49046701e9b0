"""Which step a piece of GPU work belongs to, and whether the backward pass ran it.

A GPU runs behind the CPU, so the clock doesn't tell: work belongs to the step in which
it was launched. A launch and its work share a correlation number.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.traces.gpu_events import (
    NO_CORRELATION,
    Columns,
    StepMark,
)

WHOLE_FILE = "whole file"
_AT_ONCE = 1 << 16  # rows

Rows = NDArray[np.bool_]
Times = NDArray[np.int64]
Index = NDArray[np.intp]


def launch_of(work: Columns, launches: Columns) -> Index:
    """The row of `launches` that launched each piece of work, -1 if there is none.

    Numbers can come again; then it is the last launch before the work started, or
    the first one of all where the clocks disagree.
    """
    order = np.lexsort((launches["start_ns"], launches["correlation"]))
    number = launches["correlation"][order]
    launch = np.full(len(work["correlation"]), -1)
    for begin in range(0, len(launch), _AT_ONCE):  # or memory doubles
        rows = slice(begin, begin + _AT_ONCE)
        sought = work["correlation"][rows]
        first = np.searchsorted(number, sought)
        end = np.searchsorted(number, sought, side="right")
        told = np.flatnonzero((end > first) & (sought != NO_CORRELATION))
        again = told[end[told] > first[told] + 1]
        first[again] = _last_before(
            work["start_ns"][rows][again],
            launches["start_ns"],
            order,
            first[again],
            end[again],
        )
        launch[rows][told] = order[first[told]]
    return launch


def _last_before(
    times_ns: Times, launched_ns: Times, order: Index, first: Index, end: Index
) -> Index:
    """Of `order[first:end]` the place of the last not after each time, else the first.

    By halves, for all times at once.
    """
    low, high = first.copy(), end
    while (low < high).any():
        middle = (low + high) // 2
        before = launched_ns[order[np.minimum(middle, len(order) - 1)]] <= times_ns
        before &= low < high
        high = np.where(before | (low >= high), high, middle)
        low = np.where(before, middle + 1, low)
    last: Index = np.maximum(low - 1, first)
    return last


def step_names(marks: Sequence[StepMark]) -> tuple[str, ...]:
    """The steps in the order in which they began, each once."""
    ordered = sorted(marks, key=lambda mark: mark.start_ns)
    return tuple(dict.fromkeys(mark.name for mark in ordered))


def step_of(
    work: Columns, launch: Index, launches: Columns, marks: Sequence[StepMark]
) -> tuple[NDArray[np.int32], bool]:
    """The step of each piece of work, an index into `step_names`, -1 for none.

    By the CPU's mark around its launch; without a launch, by the GPU's own marks;
    where the file has neither, by the CPU's clock, which the second value tells.
    """
    names = step_names(marks)
    step = np.full(len(launch), -1, dtype=np.int32)
    on_cpu = [mark for mark in marks if mark.device is None]
    on_gpu = [mark for mark in marks if mark.device is not None]
    launched = launch >= 0
    if on_cpu:
        start_ns = launches["start_ns"][launch[launched]]
        step[launched] = _around(start_ns, on_cpu, names)
        rest = ~launched
    else:
        rest = np.ones(len(launch), dtype=bool)
    if on_gpu:
        _fill_by_gpu_marks(step, rest, work, on_gpu, names)
    by_clock = bool(on_cpu and not on_gpu and not launched.any())
    if by_clock:
        step[:] = _around(work["start_ns"], on_cpu, names)
    return step, by_clock


def _fill_by_gpu_marks(
    step: NDArray[np.int32],
    rest: Rows,
    work: Columns,
    marks: Sequence[StepMark],
    names: Sequence[str],
) -> None:
    """Each stream has marks of its own; those of its device stand in for missing."""
    for device in {mark.device for mark in marks}:
        here = [mark for mark in marks if mark.device == device]
        by_stream = [
            ([mark for mark in here if mark.stream == stream], stream)
            for stream in {mark.stream for mark in here}
        ]
        for chosen, stream in [*by_stream, (here, None)]:
            rows = rest & (step < 0) & (work["device"] == device)
            if stream is not None:
                rows &= work["stream"] == stream
            step[rows] = _around(work["start_ns"][rows], chosen, names)


def _joined(ordered: Sequence[StepMark]) -> list[StepMark]:
    """Marks of one step that overlap as one, so that a short one hides no long one."""
    joined: list[StepMark] = []
    latest: dict[str, int] = {}
    for mark in ordered:
        at = latest.get(mark.name)
        if at is None or mark.start_ns > joined[at].end_ns:
            latest[mark.name] = len(joined)
            joined.append(mark)
        elif mark.end_ns > joined[at].end_ns:
            joined[at] = replace(joined[at], end_ns=mark.end_ns)
    return joined


def _around(
    times_ns: Times, marks: Sequence[StepMark], names: Sequence[str]
) -> NDArray[np.int32]:
    """The step whose mark each time lies in; of several the last one to start."""
    ordered = _joined(sorted(marks, key=lambda mark: mark.start_ns))
    starts_ns = np.array([mark.start_ns for mark in ordered], dtype=np.int64)
    ends_ns = np.array([mark.end_ns for mark in ordered], dtype=np.int64)
    place = {name: at for at, name in enumerate(names)}
    steps = np.array([place[mark.name] for mark in ordered], dtype=np.int32)
    around = np.full(len(times_ns), -1, dtype=np.int32)
    for begin in range(0, len(times_ns), _AT_ONCE):
        rows = slice(begin, begin + _AT_ONCE)
        at = np.searchsorted(starts_ns, times_ns[rows], side="right") - 1
        inside = (at >= 0) & (times_ns[rows] <= ends_ns[at])
        around[rows][inside] = steps[at[inside]]
    return around
