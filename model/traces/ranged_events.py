"""Work, launches and named ranges of a process as its events."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.traces.gpu_events import Columns, GpuEvents
from overlap_widget.model.traces.nccl_calls import Nccl
from overlap_widget.model.traces.nccl_kernels import with_transfers
from overlap_widget.model.traces.range_phases import phases_among
from overlap_widget.model.traces.range_steps import NamedRange, steps_among


def events_with_ranges(
    named_work: tuple[Columns, Sequence[str]],
    launches: Columns,
    named: Sequence[NamedRange],
    nccl: Nccl,
    backward_ns: Mapping[int, NDArray[np.int64]] | None = None,
) -> tuple[GpuEvents, list[str]]:
    """The events, and a sentence where the steps were counted.

    Columns as `WORK`, with the names that they count, and as `LAUNCHES`. Ranges tell
    steps and phases by their names, the calls of NCCL what its kernels move, and
    `backward_ns` when each thread ran backward functions: int64[n, 2].
    """
    work, names = named_work
    work, groups = with_transfers(work, names, launches, nccl)
    steps = steps_among(named, _launched_ns(work, launches))
    threads: list[Any] = np.unique(launches["thread"]).tolist()
    events = GpuEvents(
        work=work,
        names=tuple(names),
        groups=groups,
        launches=launches,
        ranges=phases_among(named, threads, backward_ns or {}),
        marks=steps.marks,
    )
    counted = (
        f'the steps are the ranges "{steps.counted}", counted from 1: they have no '
        "numbers of their own"
    )
    return events, [counted] if steps.counted else []


def _launched_ns(work: Columns, launches: Columns) -> NDArray[np.int64]:
    """When work was launched, sorted; when it began, where there are no launches."""
    times: NDArray[np.int64] = launches["start_ns"]
    return np.sort(times if len(times) else work["start_ns"])
