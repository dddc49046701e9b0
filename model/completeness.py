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
    the others do. Where a step has transfers of unknown size alone, their number in
    each step has to do.
    """
    within, count = step >= 0, len(names)
    moving = within & (kind == Kind.COMMUNICATION)
    computing = within & (kind == Kind.COMPUTE)
    computes = np.bincount(step[computing], minlength=count)
    worked = np.bincount(step[within], minlength=count) > 0
    cut = _moves_less(step, moving, size_bytes, worked)
    for at in {0, count - 1}:
        others = computes[worked & (np.arange(count) != at)]
        cut[at] |= len(others) > 0 and computes[at] < ENOUGH * np.median(others)
    cut[1:-1] = False
    return tuple(
        Step(name, bool(complete))
        for name, complete in zip(names, worked & ~cut, strict=True)
    )


def _moves_less(
    step: NDArray[np.int32],
    moving: Rows,
    size_bytes: NDArray[np.float64],
    worked: Rows,
) -> Rows:
    """Which steps move clearly fewer bytes, or where nothing tells fewer transfers."""
    count = len(worked)
    sized = moving & np.isfinite(size_bytes)
    of_known_size = np.bincount(step[sized], minlength=count)
    if not np.array_equal(sized, moving) and not of_known_size[worked].all():
        return _fewer(np.bincount(step[moving], minlength=count), worked)
    moved = np.bincount(step[sized], size_bytes[sized], minlength=count)
    less: Rows = moved < ENOUGH * moved.max()
    return less


def _fewer(transfers: NDArray[np.intp], worked: Rows) -> Rows:
    """Which steps have fewer transfers than most have, and of equals than the more."""
    if not worked.any():
        return np.zeros(len(transfers), dtype=bool)
    counts, times = np.unique(transfers[worked], return_counts=True)
    fewer: Rows = transfers < counts[times == times.max()].max()
    return fewer
