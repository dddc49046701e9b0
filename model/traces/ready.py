"""When a transfer could have started: what it was launched behind was computed.

A collective waits for all that its process launched before it on the same device; it
starts later only because other transfers, or other ranks, keep it.
"""

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.timeline import Kind
from overlap_widget.model.traces.distinct import distinct
from overlap_widget.model.traces.gpu_events import Columns
from overlap_widget.model.traces.steps import Index, Rows


def ready_ns(work: Columns, launch: Index, launches: Columns) -> NDArray[np.int64]:
    """Of each piece of work: int64[n], never after its start.

    Its start, where it is no transfer or the launches don't tell.
    """
    start_ns: NDArray[np.int64] = work["start_ns"]
    ready = start_ns.copy()
    launched = launch >= 0
    for device in distinct(work["device"]):
        here = launched & (work["device"] == device)
        computes: Rows | Index = here & (work["kind"] == Kind.COMPUTE)
        moves = np.flatnonzero(here & (work["kind"] == Kind.COMMUNICATION))
        if not computes.any() or not len(moves):
            continue
        launched_ns = launches["start_ns"][launch[computes]]
        if (launched_ns[1:] < launched_ns[:-1]).any():
            order = np.argsort(launched_ns, kind="stable")
            computes, launched_ns = np.flatnonzero(computes)[order], launched_ns[order]
        done_ns = start_ns[computes]
        done_ns += work["length_ns"][computes]
        np.maximum.accumulate(done_ns, out=done_ns)
        before = np.searchsorted(launched_ns, launches["start_ns"][launch[moves]])
        told = moves[before > 0]
        ready[told] = np.minimum(start_ns[told], done_ns[before[before > 0] - 1])
    return ready
