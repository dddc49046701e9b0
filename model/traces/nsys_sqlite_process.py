"""One process of an Nsight Systems report: its events, and what to say of them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from overlap_widget.model.traces.gpu_events import GpuEvents
from overlap_widget.model.traces.nccl_calls import Nccl
from overlap_widget.model.traces.nsys_sqlite_launches import Launches
from overlap_widget.model.traces.nsys_sqlite_ranges import Ranges
from overlap_widget.model.traces.nsys_sqlite_work import NO_PROCESS, Work
from overlap_widget.model.traces.odd_spans import chosen
from overlap_widget.model.traces.ranged_events import events_with_ranges


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
                found.add(ranges)
        return found


def events_of(process: int, report: Report, nccl: Nccl) -> tuple[GpuEvents, list[str]]:
    """The events of a process, and sentences on what they can't tell."""
    rows = report.work.process == process
    ranges = report.ranges_of(process)
    events, said = events_with_ranges(
        (chosen(report.work.columns, rows), report.work.names),
        report.launches.of(process),
        ranges.named,
        nccl,
        ranges.backward_ns(),
    )
    graphs = int(np.count_nonzero(report.work.graph & rows))
    return events, [*said, *_on_graphs(graphs)]


def _on_graphs(count: int) -> list[str]:
    if not count:
        return []
    blocks = "block counts" if count == 1 else "blocks count"
    return [
        f"{count:,} whole CUDA graph {blocks} as compute, though communication may be "
        "inside; record with --cuda-graph-trace=node to see it"
    ]
