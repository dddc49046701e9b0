"""What a loader found as a Recording: times cleaned, steps and phases found.

Times are integer nanoseconds here until the start of the first span is subtracted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.completeness import steps_with_completeness
from overlap_widget.model.recording import Phase, Recording, Step
from overlap_widget.model.timeline import Collective, Kind, Timeline
from overlap_widget.model.traces import sentences
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.gpu_events import Columns, GpuEvents
from overlap_widget.model.traces.kernels import is_fused
from overlap_widget.model.traces.odd_spans import cleaned, in_order
from overlap_widget.model.traces.phases import phase_of
from overlap_widget.model.traces.ready import ready_ns
from overlap_widget.model.traces.steps import (
    WHOLE_FILE,
    Index,
    launch_of,
    step_names,
    step_of,
)

_NS_PER_S = 1e9
_AT_ONCE = 1 << 16  # rows


@dataclass(frozen=True, slots=True)
class About:
    """What a loader knows of a recording beside its events.

    base_ns:  what to add to its times for the clock of the file
    warnings: what the loader has to say itself
    no_marks: the sentence where no step is marked
    """

    path: str
    format: str
    rank: int | None
    base_ns: int = 0
    warnings: tuple[str, ...] = ()
    no_marks: str = sentences.NO_MARKS


def assembled(found: GpuEvents, about: About) -> Recording:
    """The recording of a process; raises TraceError if no time can be believed.

    Expects at least one row of work.
    """
    work, odd = _believable(found, about)
    launch = launch_of(work, found.launches)
    step, steps, guesses = _steps(work, launch, found, about)
    phase = phase_of(work, launch, found, step)
    ready = ready_ns(work, launch, found.launches)
    del launch  # large, as are all columns
    backward = (work["kind"] == Kind.COMPUTE) & (phase == Phase.BACKWARD)
    if not backward.any() and (work["kind"] == Kind.COMMUNICATION).any():
        guesses.append(sentences.BACKWARD_GUESSED)
    return Recording(
        path=about.path,
        format=about.format,
        rank=about.rank,
        spans=_timeline(work, ready, found.names, backward),
        device=work["device"],
        step=step,
        phase=phase,
        group=work["group"],
        loaded_kind=work["kind"],
        groups=found.groups,
        steps=steps,
        warnings=(*about.warnings, *odd, *_unknown(work, found, about), *guesses),
        origin_ns=about.base_ns + int(work["start_ns"].min()),
        sequence=work.get("sequence"),
    )


def _believable(found: GpuEvents, about: About) -> tuple[Columns, list[str]]:
    """The work in the order of its start, and what was left out or clipped."""
    work, odd = cleaned(found.work, _host_ns(found))
    if not len(work["name"]):
        raise TraceError(
            f"{about.path}: no GPU work has a believable time: {', '.join(odd)}; "
            "record the run again"
        )
    return in_order(work), odd


def _host_ns(found: GpuEvents) -> NDArray[np.int64]:
    marked = np.array([mark.start_ns for mark in found.marks], dtype=np.int64)
    times: NDArray[np.int64] = np.append(found.launches["start_ns"], marked)
    return times


def _steps(
    work: Columns, launch: Index, found: GpuEvents, about: About
) -> tuple[NDArray[np.int32], tuple[Step, ...], list[str]]:
    """The step of each piece of work, the steps, and what was guessed."""
    names = step_names(found.marks)
    if not names:
        step = np.zeros(len(launch), dtype=np.int32)
        return step, (Step(WHOLE_FILE, complete=True),), [about.no_marks]
    step, by_clock = step_of(work, launch, found.launches, found.marks)
    if not (step >= 0).any():
        step[:] = 0
        return step, (Step(WHOLE_FILE, complete=True),), [sentences.NO_WORK_IN_STEPS]
    steps = steps_with_completeness(names, step, work["kind"], work["size_bytes"])
    return step, steps, [sentences.BY_CLOCK] if by_clock else []


def _unknown(work: Columns, found: GpuEvents, about: About) -> list[str]:
    """What the file doesn't tell: operations of collectives, the rank."""
    rows = work["collective"] == Collective.UNKNOWN
    names = [found.names[name] for name in work["name"][rows]]
    unranked = [] if about.rank is not None else sentences.on_no_rank(work["device"])
    fused = sentences.on_fused(_fused(work, found.names))
    return [*sentences.on_unknown_collectives(names), *fused, *unranked]


def _fused(work: Columns, names: Sequence[str]) -> list[str]:
    """The name of each piece of compute that communicates as well."""
    codes = [code for code, name in enumerate(names) if is_fused(name)]
    if not codes:
        return []
    rows = np.isin(work["name"], codes) & (work["kind"] == Kind.COMPUTE)
    return [names[name] for name in work["name"][rows]]


def _timeline(
    work: Columns,
    ready: NDArray[np.int64],
    names: Sequence[str],
    backward: NDArray[np.bool_],
) -> Timeline:
    """On a clock in seconds that starts with the first span."""
    origin_ns = work["start_ns"].min()
    end_s = _since_s(work["start_ns"] + work["length_ns"], origin_ns)
    return Timeline(
        start_s=_since_s(work["start_ns"], origin_ns),
        end_s=end_s,
        ready_s=_since_s(ready, origin_ns),
        kind=work["kind"],
        collective=work["collective"],
        size_bytes=work["size_bytes"],
        stream=work["stream"],
        name=work["name"],
        names=tuple(names),
        backward_end_s=float(end_s[backward].max()) if backward.any() else None,
    )


def _since_s(times_ns: NDArray[np.int64], origin_ns: np.int64) -> NDArray[np.float64]:
    seconds = np.empty(len(times_ns))
    for begin in range(0, len(seconds), _AT_ONCE):  # with little memory beside them
        rows = slice(begin, begin + _AT_ONCE)
        seconds[rows] = (times_ns[rows] - origin_ns) / _NS_PER_S
    return seconds
