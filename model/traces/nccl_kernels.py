"""Operation, size and group of the kernels that calls of NCCL or RCCL launched."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.recording import Group
from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces.gpu_events import Columns
from overlap_widget.model.traces.kernels import Category, classify
from overlap_widget.model.traces.nccl_calls import Nccl, Transfer
from overlap_widget.model.traces.steps import launch_of


def with_transfers(
    work: Columns, names: Sequence[str], launches: Columns, nccl: Nccl
) -> tuple[Columns, tuple[Group, ...]]:
    """The work with what NCCL's own ranges tell of its communication kernels.

    A kernel belongs to the transfer inside of which it was launched, on the same
    thread. Where a transfer launched several kernels its bytes can't be shared out.
    """
    kernels = np.flatnonzero(work["kind"] == Kind.COMMUNICATION)
    if not nccl.transfers or not len(kernels) or not len(launches["thread"]):
        return work, ()
    rows = {name: column[kernels] for name, column in work.items()}
    transfer = _transfer_of(launch_of(rows, launches), launches, nccl.transfers)
    found = transfer >= 0
    return _told(work, names, kernels[found], transfer[found], nccl)


def _told(
    work: Columns,
    names: Sequence[str],
    kernels: NDArray[np.intp],
    transfer: NDArray[np.intp],
    nccl: Nccl,
) -> tuple[Columns, tuple[Group, ...]]:
    launched = np.bincount(transfer, minlength=len(nccl.transfers))
    groups = sorted(
        {one.communicator for one in nccl.transfers if one.communicator is not None}
    )
    told = {name: work[name].copy() for name in ("size_bytes", "collective", "group")}
    for kernel, at in zip(kernels, transfer, strict=True):
        asked = nccl.transfers[at]
        if launched[at] == 1:
            told["size_bytes"][kernel] = asked.size_bytes
        if told["collective"][kernel] == Collective.UNKNOWN:
            name = names[work["name"][kernel]]
            _, told["collective"][kernel] = classify(
                Category.KERNEL, name, asked.operation
            )
        if asked.communicator is not None:
            told["group"][kernel] = groups.index(asked.communicator)
    return {**work, **told}, tuple(
        Group(name=f"{one:x}", size=nccl.ranks.get(one)) for one in groups
    )


def _transfer_of(
    launch: NDArray[np.intp], launches: Columns, transfers: Sequence[Transfer]
) -> NDArray[np.intp]:
    """The transfer that launched each kernel, -1 for none."""
    found = np.full(len(launch), -1)
    known = launch >= 0
    thread = np.where(known, launches["thread"][launch], -1)
    launched_ns = np.where(known, launches["start_ns"][launch], -1)
    threads = np.array([one.thread for one in transfers])
    starts_ns = np.array([one.start_ns for one in transfers])
    ends_ns = np.array([one.end_ns for one in transfers])
    for own in np.unique(threads):
        of_thread = np.flatnonzero(threads == own)
        order = of_thread[np.argsort(starts_ns[of_thread], kind="stable")]
        rows = np.flatnonzero(known & (thread == own))
        at = np.searchsorted(starts_ns[order], launched_ns[rows], side="right") - 1
        inside = (at >= 0) & (launched_ns[rows] <= ends_ns[order[at]])
        found[rows[inside]] = order[at[inside]]
    return found
