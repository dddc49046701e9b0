"""How long a device computes and communicates in a whole file, in little memory.

A file can hold a million spans, and their unions as arrays would take more memory than
reading it. So it is gone through in stretches of time, and lengths are added up.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.intervals import Intervals, difference, length_s, union
from overlap_widget.model.recording import Recording
from overlap_widget.model.timeline import Kind

STRETCH_ROWS = 2**16
"""Rows of a stretch: enough to be quick, few enough to stay small."""

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class DeviceTotals:
    """Seconds by union of intervals, as in `Breakdown`."""

    compute_s: float
    communication_s: float
    exposed_s: float

    @property
    def hidden_s(self) -> float:
        """Communication while something computes."""
        return max(self.communication_s - self.exposed_s, 0.0)

    @property
    def overlap(self) -> float | None:
        """Hidden over communication, 0 to 1; None without communication."""
        return self.hidden_s / self.communication_s if self.communication_s else None


def device_totals(recording: Recording, device: int) -> DeviceTotals:
    """The totals of a device, over all steps and what lies outside of them."""
    compute_s = communication_s = exposed_s = 0.0
    for rows, begin_s, end_s in _stretches(recording, device):
        work = _busy(recording, rows, Kind.COMPUTE, begin_s, end_s)
        moved = _busy(recording, rows, Kind.COMMUNICATION, begin_s, end_s)
        compute_s += length_s(work)
        communication_s += length_s(moved)
        exposed_s += length_s(difference(moved, work))
    return DeviceTotals(compute_s, communication_s, exposed_s)


def _stretches(
    recording: Recording, device: int
) -> Iterator[tuple[Rows, float, float]]:
    """Rows that run in a stretch of time, and when it begins and ends.

    Rows are ordered by start: what an earlier stretch began and didn't end goes on.
    """
    spans = recording.spans
    running = np.empty(0, dtype=np.intp)
    begin_s = -np.inf
    for first in range(0, len(spans), STRETCH_ROWS):
        after = first + STRETCH_ROWS
        end_s = float(spans.start_s[after]) if after < len(spans) else np.inf
        begun = np.flatnonzero(recording.device[first:after] == device) + first
        rows = np.concatenate([running, begun])
        yield rows, begin_s, end_s
        running, begin_s = rows[spans.end_s[rows] > end_s], end_s


def _busy(
    recording: Recording, rows: Rows, kind: Kind, begin_s: float, end_s: float
) -> Intervals:
    """When spans of a kind run, within the stretch."""
    spans = recording.spans
    rows = rows[spans.kind[rows] == kind]
    return union(
        np.maximum(spans.start_s[rows], begin_s), np.minimum(spans.end_s[rows], end_s)
    )
