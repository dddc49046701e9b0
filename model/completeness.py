"""Which steps of a recording are whole: its first and last may have been cut."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.recording import Step
from overlap_widget.model.timeline import Kind

ENOUGH = 0.9
"""A first or last step with less than this share of what the others do was cut."""

Rows = NDArray[np.bool_]


def steps_with_completeness(
    names: Sequence[str],
    step: NDArray[np.int32],
    kind: NDArray[np.uint8],
    size_bytes: NDArray[np.float64],
) -> tuple[Step, ...]:
    """The steps; the first and the last may have been cut by the capture.

    A cut step moves clearly less than the fullest, or computes clearly less than
    the others do. Where sizes are unknown the number of transfers has to do.
    """
    within, count = step >= 0, len(names)
    moving = within & (kind == Kind.COMMUNICATION)
    computing = within & (kind == Kind.COMPUTE)
    transfers = np.bincount(step[moving], minlength=count)
    moved = np.bincount(step[moving], size_bytes[moving], minlength=count)
    computes = np.bincount(step[computing], minlength=count)
    worked = np.bincount(step[within], minlength=count) > 0
    cut = _less_moved(moved.astype(np.float64), transfers, worked)
    for at in {0, count - 1}:
        others = computes[worked & (np.arange(count) != at)]
        cut[at] |= len(others) > 0 and computes[at] < ENOUGH * np.median(others)
    cut[1:-1] = False
    return tuple(
        Step(name, bool(complete))
        for name, complete in zip(names, worked & ~cut, strict=True)
    )


def _less_moved(
    moved: NDArray[np.float64], transfers: NDArray[np.intp], worked: Rows
) -> Rows:
    less: Rows = np.zeros(len(moved), dtype=bool)
    if np.isfinite(moved).all():
        less = moved < ENOUGH * moved.max()
    elif worked.any():
        counts, times = np.unique(transfers[worked], return_counts=True)
        less = transfers < counts[times == times.max()].max()
    return less
