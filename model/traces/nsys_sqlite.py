"""An Nsight Systems report, exported as SQLite, as Recordings: one a process.

Read are kernels, copies, fills and launches of whole CUDA graphs; the calls that
launched them; NVTX ranges of steps, phases and NCCL. Times are nanoseconds.
"""

from collections import Counter

from overlap_widget.model.recording import Recording
from overlap_widget.model.traces.assembled import About, assembled
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.nccl_calls import transfers_of
from overlap_widget.model.traces.nsys_sqlite_absent import why_no_work
from overlap_widget.model.traces.nsys_sqlite_database import (
    MAGIC,
    Database,
    Reading,
    database,
)
from overlap_widget.model.traces.nsys_sqlite_launches import (
    CALLS,
    launches_in,
    with_processes,
)
from overlap_widget.model.traces.nsys_sqlite_nccl import call_of, schemas_in
from overlap_widget.model.traces.nsys_sqlite_process import Report, events_of
from overlap_widget.model.traces.nsys_sqlite_ranges import RANGES, ranges_in
from overlap_widget.model.traces.nsys_sqlite_ranks import began_ns, ranks_of
from overlap_widget.model.traces.nsys_sqlite_told import Told
from overlap_widget.model.traces.nsys_sqlite_work import TABLES, work_in
from overlap_widget.model.traces.options import Options, Progress
from overlap_widget.model.traces.sentences import on_early_end
from overlap_widget.model.traces.unpacked_copy import unpacked_copy

FORMAT = "Nsight Systems (SQLite)"
NO_MARKS = (
    'no step is marked by an NVTX range such as "step 3", so the whole capture is '
    'shown as one step; put torch.cuda.nvtx.range_push(f"step {n}") and range_pop() '
    "around each training step"
)


def recognises(head: bytes) -> bool:
    """Whether a file that begins so is SQLite; `load` says what is in it."""
    return head.startswith(MAGIC)


def load(path: str, options: Options) -> tuple[Recording, ...]:
    """The recordings of a report, by rank; raises TraceError with the reason."""
    damage: Counter[str] = Counter()
    with unpacked_copy(path, options, MAGIC, damage) as (file, progress):
        told = Told(progress)
        try:
            with database(file, path, told) as source:
                return _recordings(source, _read(source, told))
        except TraceError:
            early_end = on_early_end(damage)
            if early_end is None:
                raise
            raise TraceError(f"{path}: {early_end}") from None


def _read(source: Database, progress: Progress | None) -> Report:
    tables = [source.table(name) for name in (*TABLES, CALLS, RANGES)]
    reading = Reading(sum(source.count(table) for table in tables if table), progress)
    work = work_in(source, reading)
    if not work.columns["is_kernel"].any():
        raise TraceError(f"{source.path}: {why_no_work(source)}")
    launches = launches_in(source, work, reading)
    return Report(
        work=with_processes(work, launches),
        launches=launches,
        ranges=ranges_in(source, reading),
    )


def _recordings(source: Database, report: Report) -> tuple[Recording, ...]:
    processes, schemas = report.processes(), schemas_in(source)
    ranges = {process: report.ranges_of(process) for process in processes}
    nccl = {
        process: transfers_of(call_of(noted, schemas) for noted in own.calls)
        for process, own in ranges.items()
    }
    named = {process: own.named for process, own in ranges.items()}
    ranks, guessed = ranks_of(source, processes, nccl, named)
    base_ns = began_ns(source)
    recordings = []
    for process in sorted(processes, key=lambda one: (ranks[one] or 0, one)):
        events, said = events_of(process, report, nccl[process])
        about = About(
            path=source.path,
            format=FORMAT,
            rank=ranks[process],
            base_ns=base_ns,
            warnings=(*guessed, *report.left_out(), *said),
            no_marks=NO_MARKS,
        )
        recordings.append(assembled(events, about))
    return tuple(recordings)
