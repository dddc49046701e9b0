"""One process of an Nsight Systems report: its events, and what to say of them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.traces.gpu_events import Columns, GpuEvents
from overlap_widget.model.traces.nsys_sqlite_launches import Launches
from overlap_widget.model.traces.nsys_sqlite_nccl import Nccl
from overlap_widget.model.traces.nsys_sqlite_ranges import Ranges
from overlap_widget.model.traces.nsys_sqlite_sizes import with_transfers
from overlap_widget.model.traces.nsys_sqlite_work import NO_PROCESS, Work
from overlap_widget.model.traces.odd_spans import chosen
from overlap_widget.model.traces.range_phases import phases_among
from overlap_widget.model.traces.range_steps import steps_among


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was read, of all processes."""

    work: Work
    launches: Launches
    ranges: Mapping[int, Ranges]

    def processes(self) -> list[int]:
        """Those that ran kernels, by their ids."""
        kernels = self.work.columns["is_kernel"] != 0
        return [int(process) for process in np.unique(self.work.process[kernels])]

    def left_out(self) -> list[str]:
        """What to say of processes that ran no kernels."""
        others = np.setdiff1d(self.work.process, self.processes())
        if not len(others):
            return []
        noun = "process that" if len(others) == 1 else "processes that"
        return [f"{len(others):,} {noun} only copied or filled memory left out"]

    def ranges_of(self, process: int) -> Ranges:
        """Of the process, and those without a thread; all where nothing tells."""
        found = Ranges()
        for owner, ranges in self.ranges.items():
            if process in (owner, NO_PROCESS) or owner == NO_PROCESS:
                found.named.extend(ranges.named)
                found.calls.extend(ranges.calls)
        return found


def events_of(process: int, report: Report, nccl: Nccl) -> tuple[GpuEvents, list[str]]:
    """The events of a process, and sentences on what they can't tell."""
    rows = report.work.process == process
    launches = report.launches.of(process)
    work, groups = with_transfers(
        chosen(report.work.columns, rows), report.work.names, launches, nccl
    )
    named = report.ranges_of(process).named
    steps = steps_among(named, _launched_ns(work, launches))
    threads = np.unique(launches["thread"]).tolist()
    events = GpuEvents(
        work=work,
        names=report.work.names,
        groups=groups,
        launches=launches,
        ranges=phases_among(named, threads),
        marks=steps.marks,
    )
    said = []
    if steps.counted:
        said.append(
            f'the steps are the ranges "{steps.counted}", counted from 1: they have no '
            "numbers of their own"
        )
    graphs = int(np.count_nonzero(report.work.graph & rows))
    return events, [*said, *_on_graphs(graphs)]


def _launched_ns(work: Columns, launches: Columns) -> NDArray[np.int64]:
    """When work was launched, sorted; when it began, where there are no launches."""
    times: NDArray[np.int64] = launches["start_ns"]
    return np.sort(times if len(times) else work["start_ns"])


def _on_graphs(count: int) -> list[str]:
    if not count:
        return []
    blocks = "block counts" if count == 1 else "blocks count"
    return [
        f"{count:,} whole CUDA graph {blocks} as compute, though communication may be "
        "inside; record with --cuda-graph-trace=node to see it"
    ]
