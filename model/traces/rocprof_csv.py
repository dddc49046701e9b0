"""Tables of AMD's rocprof as Recordings: kernel traces and memory copies.

Read are the kernel_trace and memory_copy_trace of rocprofv3, and the tables of rocprof
1 and 2. Beside a kernel trace the other tables of its run are looked for: copies, calls
that launched the kernels, roctx ranges that name steps, agents. Times are nanoseconds.
"""

import os
from contextlib import suppress
from dataclasses import replace

from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import sentences
from overlap_widget.model.traces.assembled import About
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.options import Options
from overlap_widget.model.traces.rocprof_csv_layout import Content, is_header
from overlap_widget.model.traces.rocprof_csv_rows import Tables, gpus_in
from overlap_widget.model.traces.rocprof_csv_siblings import (
    AGENTS,
    CALLS,
    COPIES,
    KERNELS,
    MARKERS,
    RCCL,
    kernels_beside,
    sibling,
)
from overlap_widget.model.traces.separated import has_header

__all__ = ["FORMAT", "kernels_beside", "load", "recognises"]

FORMAT = "rocprof (CSV)"
NO_MARKS = (
    "no step is marked, so the whole capture is shown as one step; call "
    'roctxRangePush("step 3") and roctxRangePop() around each training step, record '
    "with --marker-trace and --hip-trace, and keep the tables of the run together"
)
_INSTEAD = "open the kernel_trace.csv of the run, recorded with --kernel-trace"
_NO_WORK = {
    Content.CALLS: f"holds calls or markers of the CPU and no GPU work; {_INSTEAD}",
    Content.AGENTS: f"is a list of agents and holds no GPU work; {_INSTEAD}",
    Content.COUNTERS: (
        "holds counters, and kernels run one by one while they are counted; record the "
        "run with `rocprofv3 --kernel-trace --memory-copy-trace --output-format csv`"
    ),
    Content.STATISTICS: f"holds sums over kernels and no single ones; {_INSTEAD}",
    Content.UNTIMED: (
        "holds kernels without their times; record the run with `rocprof --timestamp "
        "on`, or with `rocprofv3 --kernel-trace`"
    ),
}


def recognises(head: bytes) -> bool:
    """Whether the start of a file holds the header of a table of rocprof."""
    return has_header(head, is_header)


def load(path: str, options: Options) -> tuple[Recording, ...]:
    """The recordings of a run, one a process; raises TraceError with the reason."""
    beside = replace(options, progress=None)
    tables = Tables(_gpus_beside(path, beside))
    tables.read_work(path, options)
    work = {process: rows for process, rows in tables.processes.items() if rows.work}
    if not work:
        why = sentences.on_early_end(tables.damage)
        why = why or (_NO_WORK.get(tables.content) if tables.content else None)
        raise TraceError(f"{path}: {why or f'its table has no rows; {_INSTEAD}'}")
    said = _read_beside(path, beside, tables) if len(work) == 1 else []
    said += sentences.on_damage(tables.damage)
    if tables.timeless:
        said.append(sentences.on_timeless(tables.timeless))
    if len(work) > 1:
        said.append(
            f"the table doesn't tell ranks, so its {len(work)} processes are numbered "
            "in the order of their ids"
        )
    return tuple(
        rows.recording(_about(path, rank if len(work) > 1 else None, said))
        for rank, (_, rows) in enumerate(sorted(work.items()))
    )


def _read_beside(path: str, options: Options, tables: Tables) -> list[str]:
    """Take what else the run wrote; sentences on what is of no use."""
    if tables.content is Content.COPIES:
        return [f"the table holds copies only; {_INSTEAD}"]
    (rows,) = tables.processes.values()
    readers = [(name, tables.read_calls) for name in (*CALLS, MARKERS, RCCL)]
    said = []
    for name, read in [*readers, (COPIES, tables.read_copies)]:
        other = sibling(path, KERNELS, name)
        try:
            if other and not read(other, options, rows):
                table = os.path.basename(other)
                said.append(f"{table} beside it is of another time and was left aside")
        except TraceError as error:
            said.append(f"what lies beside it can't be read: {error}")
    return said


def _gpus_beside(path: str, options: Options) -> dict[int, int]:
    agents = sibling(path, KERNELS, AGENTS) or sibling(path, COPIES, AGENTS)
    with suppress(TraceError):
        return gpus_in(agents, options) if agents else {}
    return {}


def _about(path: str, rank: int | None, said: list[str]) -> About:
    return About(path, FORMAT, rank, warnings=tuple(said), no_marks=NO_MARKS)
