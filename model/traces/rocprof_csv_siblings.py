"""The tables that rocprofv3 writes for one run beside each other, found by name."""

import os
import re

from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.opening import opened

KERNELS = "kernel_trace"
COPIES = "memory_copy_trace"
CALLS = ("hip_api_trace", "hsa_api_trace")
MARKERS = "marker_api_trace"
RCCL = "rccl_api_trace"
AGENTS = "agent_info"


def sibling(path: str, own: str, other: str) -> str | None:
    """The path of another table of the same run; None if there is none.

    The files of a run differ in one word of their names: 1234_kernel_trace.csv.
    """
    folder, name = os.path.split(path)
    named = re.sub(rf"{own}(?=\.csv)", other, name)
    beside = os.path.join(folder, named)
    if named == name:
        return None
    try:
        opened(beside).close()
    except TraceError:
        return None
    return beside


def kernels_beside(path: str) -> str | None:
    """The kernel trace with which another table is read; None if there is none."""
    others = (COPIES, *CALLS, MARKERS, RCCL, AGENTS)
    found = (sibling(path, own, KERNELS) for own in others)
    return next((one for one in found if one is not None), None)
