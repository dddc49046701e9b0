"""When a transfer could have started: what it was launched behind was computed.

A collective waits for all that its process launched before it on the same device; it
starts later only because other transfers, or other ranks, keep it.
"""

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.timeline import Kind
from overlap_widget.model.traces.gpu_events import NO_TIME, Columns
from overlap_widget.model.traces.steps import Index


def ready_ns(work: Columns, launch: Index, launches: Columns) -> NDArray[np.int64]:
    """Of each piece of work: int64[n], never after its start.

    Its start, where it is no transfer or the launches don't tell.
    """
    start_ns: NDArray[np.int64] = work["start_ns"]
    ready = start_ns.copy()
    launched = launch >= 0
    for device in np.unique(work["device"]):
        here = launched & (work["device"] == device)
        computes = np.flatnonzero(here & (work["kind"] == Kind.COMPUTE))
        moves = np.flatnonzero(here & (work["kind"] == Kind.COMMUNICATION))
        if not len(computes) or not len(moves):
            continue
        launched_ns = launches["start_ns"][launch[computes]]
        order = np.argsort(launched_ns, kind="stable")
        end_ns = (start_ns + work["length_ns"])[computes][order]
        done_ns = np.r_[NO_TIME, np.maximum.accumulate(end_ns)]
        before = np.searchsorted(
            launched_ns[order], launches["start_ns"][launch[moves]]
        )
        told = before > 0
        ready[moves[told]] = np.minimum(start_ns[moves[told]], done_ns[before[told]])
    return ready
