"""Calls of the CUDA API in an Nsight Systems export that launched GPU work."""

from dataclasses import dataclass, replace

import numpy as np

from overlap_widget.model.traces.gpu_events import (
    LAUNCHES,
    NO_CORRELATION,
    NO_TIME,
    Columns,
    no_columns,
)
from overlap_widget.model.traces.nsys_sqlite_database import (
    Database,
    Integers,
    Reading,
    integers,
)
from overlap_widget.model.traces.nsys_sqlite_work import NO_PROCESS, PID_SHIFT, Work
from overlap_widget.model.traces.odd_spans import chosen
from overlap_widget.model.traces.steps import launch_of

CALLS = "CUPTI_ACTIVITY_KIND_RUNTIME"


@dataclass(frozen=True, slots=True)
class Launches:
    """The calls as columns `gpu_events.LAUNCHES`, and whose they are: int64[n]."""

    columns: Columns
    process: Integers

    def of(self, process: int) -> Columns:
        """Those of a process."""
        return chosen(self.columns, self.process == process)


def launches_in(source: Database, work: Work, reading: Reading) -> Launches:
    """The calls that share a number with work; most other calls are dropped at once."""
    table = source.table(CALLS)
    if table is None:
        return Launches(no_columns(LAUNCHES), np.empty(0, np.int64))
    wanted = np.sort(work.columns["correlation"])
    read = [
        table.number("correlationId", default=NO_CORRELATION),
        table.number("start", default=NO_TIME),
        table.number("globalTid", default=NO_PROCESS),
    ]
    pieces = [np.empty((len(read), 0), np.int64)]
    for piece in integers(source, table, read, reading):
        at = np.searchsorted(wanted, piece[0]).clip(max=len(wanted) - 1)
        keep = (wanted[at] == piece[0]) & (piece[0] != NO_CORRELATION)
        pieces.append(piece[:, keep & (piece[1] != NO_TIME)])
    correlation, start_ns, thread = np.concatenate(pieces, axis=1)
    columns = {"correlation": correlation, "start_ns": start_ns, "thread": thread}
    process = np.where(thread < 0, NO_PROCESS, thread >> PID_SHIFT)
    return Launches(columns, process)


def with_processes(work: Work, launches: Launches) -> Work:
    """The work, where old exports don't say whose it is, given to whoever launched it.

    What nobody is known to have launched goes to the process with the most work.
    """
    untold = work.process == NO_PROCESS
    if not untold.any():
        return work
    launch = launch_of(chosen(work.columns, untold), launches.columns)
    process = work.process.copy()
    process[untold] = np.append(launches.process, NO_PROCESS)[launch]
    told, counts = np.unique(process[process != NO_PROCESS], return_counts=True)
    if len(told):
        process[process == NO_PROCESS] = told[np.argmax(counts)]
    return replace(work, process=process)
