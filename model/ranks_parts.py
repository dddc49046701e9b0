"""What waiting makes of each step on each device, and for whom the ranks wait."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.grouped import lengths_s
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.ranks import Parts
from overlap_widget.model.recording import OUTSIDE

Times = NDArray[np.float64]
Index = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Spans:
    """Intervals in the steps of a file: place int64[n], start_s, end_s float64[n].

    A place is a step on a device: its index times the number of devices, plus that of
    the device.
    """

    place: Index
    start_s: Times
    end_s: Times

    def select(self, rows: NDArray[np.bool_]) -> "_Spans":
        return _Spans(self.place[rows], self.start_s[rows], self.end_s[rows])


def parts_of(file: MeasuredFile, waiting_s: Times) -> dict[tuple[int, int], Parts]:
    """By step (an index) and device, of those where some waiting is told."""
    inside = file.transfers.step != OUTSIDE
    all_of_it, told = _inside(file), np.isfinite(waiting_s[inside])
    known, unknown = all_of_it.select(told), all_of_it.select(~told)
    moving = _Spans(known.place, known.start_s + waiting_s[inside][told], known.end_s)
    bare = _exposed(file)
    busy_s, moves_s = _covered_s(file, moving, unknown), _covered_s(file, moving)
    bare_s = _covered_s(file, bare)
    waits_s = _covered_s(file, all_of_it) - busy_s
    bare_waits_s = _covered_s(file, bare, moving, unknown) - busy_s
    bare_moves_s = bare_s + moves_s - _covered_s(file, bare, moving)
    # Exactly nothing is untold where all is told, whatever was rounded.
    bare_moves_s = np.where(busy_s > moves_s, bare_moves_s, bare_s - bare_waits_s)
    rest_s = bare_s - bare_waits_s - bare_moves_s
    columns = (waits_s, moves_s, busy_s - moves_s, bare_waits_s, bare_moves_s, rest_s)
    table = np.maximum(np.column_stack(columns), 0.0)
    devices = [row.device for row in file.total_rows]
    return {
        (at // len(devices), devices[at % len(devices)]): Parts(*table[at].tolist())
        for at in np.unique(known.place).tolist()
    }


def _inside(file: MeasuredFile) -> _Spans:
    moved = file.transfers
    inside = moved.step != OUTSIDE
    devices = _devices(file)
    place = moved.step[inside].astype(np.int64) * len(devices)
    place += np.searchsorted(devices, moved.device[inside])
    return _Spans(place, moved.start_s[inside], moved.end_s[inside])


def _exposed(file: MeasuredFile) -> _Spans:
    """When a transfer runs and nothing computes, in all of the steps."""
    devices = _devices(file)
    stretches = [
        (step * len(devices) + int(np.searchsorted(devices, device)), rows)
        for (step, device), rows in file.exposed.items()
        if step != OUTSIDE
    ]
    place = np.array([at for at, _ in stretches], dtype=np.int64)
    rows = np.concatenate([np.empty((0, 2)), *(rows for _, rows in stretches)])
    counts = [len(rows) for _, rows in stretches]
    return _Spans(np.repeat(place, counts), rows[:, 0], rows[:, 1])


def _devices(file: MeasuredFile) -> NDArray[np.int32]:
    return np.array([row.device for row in file.total_rows], dtype=np.int32)


def _covered_s(file: MeasuredFile, *spans: _Spans) -> Times:
    """Seconds of each place that any of the spans covers."""
    return lengths_s(
        np.concatenate([one.place for one in spans]),
        np.concatenate([one.start_s for one in spans]),
        np.concatenate([one.end_s for one in spans]),
        len(file.steps) * len(file.total_rows),
    )
