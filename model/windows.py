"""All steps of a recording on all of its devices, cut in one pass over its rows."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.recording import Recording

Rows = NDArray[np.intp]
Place = tuple[int, int]
"""A step, an index or `OUTSIDE`, and a device."""


def rows_by_place(recording: Recording) -> dict[Place, Rows]:
    """The rows of each step on each device, in the order of their start.

    Steps come in their order, and what lies outside of all of them last; a step is
    there on every device, also where it did nothing.
    """
    rows: dict[Place, Rows] = {
        (step, device): np.empty(0, dtype=np.intp)
        for step in range(len(recording.steps))
        for device in recording.devices
    }
    return rows | dict(_sorted_rows(recording))


def _sorted_rows(recording: Recording) -> Iterator[tuple[Place, Rows]]:
    step, device = recording.step, recording.device
    if not len(step):
        return
    order = np.lexsort((device, step))
    ordered_step, ordered_device = step[order], device[order]
    changes = (np.diff(ordered_step) != 0) | (np.diff(ordered_device) != 0)
    begins = np.r_[0, np.flatnonzero(changes) + 1]
    for rows, begin in zip(np.split(order, begins[1:]), begins, strict=True):
        yield (int(ordered_step[begin]), int(ordered_device[begin])), rows
