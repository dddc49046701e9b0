"""What is kept of a recording once it is measured: small, and ready to send.

Numbers of each step, and the transfers as columns; none of its kernels. Many files
are read in processes of their own, and only this comes back from them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.classified import unfitted
from overlap_widget.model.default_step import default_step
from overlap_widget.model.intervals import Intervals
from overlap_widget.model.measured_windows import measured_windows, total_rows
from overlap_widget.model.measurement_rows import StepRow, TotalRow
from overlap_widget.model.recording import (
    NO_SEQUENCE,
    Group,
    Phase,
    Recording,
    Step,
)
from overlap_widget.model.timeline import Kind
from overlap_widget.model.windows import Place, Rows, rows_by_place


@dataclass(frozen=True, slots=True, eq=False)
class Transfers:
    """The communication spans of a file, one row a span, ordered by start.

    Times are seconds since the first span of the recording.

    step:       int32[n], index into the steps of the file; -1 outside of every step
    device:     int32[n]
    stream:     int32[n]
    name:       int32[n], index into `names`
    collective: uint8[n], values of `Collective`
    group:      int32[n], index into `groups`; -1 where unknown
    sequence:   int64[n], its number in its group, the same on all ranks; -1 unknown
    size_bytes: float64[n], NaN where unknown
    start_s:    float64[n]
    end_s:      float64[n], never before `start_s`
    ready_s:    float64[n], when it could have started; `start_s` where unknown
    exposed_s:  float64[n], how long nothing of its step computes on its device
    """

    step: NDArray[np.int32]
    device: NDArray[np.int32]
    stream: NDArray[np.int32]
    name: NDArray[np.int32]
    collective: NDArray[np.uint8]
    group: NDArray[np.int32]
    sequence: NDArray[np.int64]
    size_bytes: NDArray[np.float64]
    start_s: NDArray[np.float64]
    end_s: NDArray[np.float64]
    ready_s: NDArray[np.float64]
    exposed_s: NDArray[np.float64]
    names: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()

    def __post_init__(self) -> None:
        """Check that the columns are of one length."""
        lengths = {
            len(getattr(self, field.name))
            for field in fields(self)
            if field.name not in ("names", "groups")
        }
        if len(lengths) > 1:
            raise ValueError("the columns of transfers differ in length")

    def __len__(self) -> int:
        return len(self.start_s)


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredFile:
    """One process of one file, measured.

    path, format, rank, warnings, origin_ns: as in `Recording`
    steps:        in the order in which they ran
    step_rows:    one a step and device, in the order of steps, then devices
    total_rows:   one a device
    transfers:    all of them
    exposed:      by (step, device), when a transfer runs and nothing computes, as a
                  union on the clock of `transfers`; without those that have none
    default_step: the step to look at first, an index; None if none is complete
    passes:       by (step, device), when its backward pass begins and ends, on the
                  clock of `transfers`; without those of which that isn't told, and of
                  several passes with updates between them
    unfitted:     patterns of rules that fit none of its names
    """

    path: str
    format: str
    rank: int | None
    warnings: tuple[str, ...]
    origin_ns: int
    steps: tuple[Step, ...]
    step_rows: tuple[StepRow, ...]
    total_rows: tuple[TotalRow, ...]
    transfers: Transfers
    exposed: Mapping[tuple[int, int], Intervals]
    default_step: int | None
    passes: Mapping[Place, tuple[float, float]] = field(default_factory=dict)
    unfitted: tuple[str, ...] = ()


def measured_file(recording: Recording) -> MeasuredFile:
    """Measure every step, device and transfer of a recording."""
    places = rows_by_place(recording)
    windows = measured_windows(recording, places)
    return MeasuredFile(
        path=recording.path,
        format=recording.format,
        rank=recording.rank,
        warnings=recording.warnings,
        origin_ns=recording.origin_ns,
        steps=recording.steps,
        step_rows=windows.step_rows,
        total_rows=total_rows(recording),
        transfers=_transfers(recording, windows.exposed_s),
        exposed=windows.exposed,
        default_step=default_step(recording),
        passes=_passes(recording, places),
        unfitted=unfitted(recording),
    )


def _passes(
    recording: Recording, places: Mapping[Place, Rows]
) -> dict[Place, tuple[float, float]]:
    spans, backward = recording.spans, recording.backward
    updates = recording.phase == Phase.OPTIMIZER
    found: dict[Place, tuple[float, float]] = {}
    for place, rows in places.items():
        ours = rows[backward[rows]]
        if not len(ours):
            continue
        begun_s = float(spans.start_s[ours].min())
        ended_s = float(spans.end_s[ours].max())
        updated_s = spans.start_s[rows[updates[rows]]]
        # Between two passes parameters are updated: then it is more than one step.
        if not ((begun_s < updated_s) & (updated_s < ended_s)).any():
            found[place] = begun_s, ended_s
    return found


def _transfers(recording: Recording, exposed_s: NDArray[np.float64]) -> Transfers:
    spans = recording.spans
    rows = np.flatnonzero(spans.kind == Kind.COMMUNICATION)
    used, name = np.unique(spans.name[rows], return_inverse=True)
    return Transfers(
        step=recording.step[rows],
        device=recording.device[rows],
        stream=spans.stream[rows],
        name=name.astype(np.int32),
        collective=spans.collective[rows],
        group=recording.group[rows],
        sequence=_sequence(recording, rows),
        size_bytes=spans.size_bytes[rows],
        start_s=spans.start_s[rows],
        end_s=spans.end_s[rows],
        ready_s=spans.ready_s[rows],
        exposed_s=exposed_s[rows],
        names=tuple(spans.names[code] for code in used),
        groups=recording.groups,
    )


def _sequence(recording: Recording, rows: NDArray[np.intp]) -> NDArray[np.int64]:
    if recording.sequence is None:
        return np.full(len(rows), NO_SEQUENCE, dtype=np.int64)
    return recording.sequence[rows].astype(np.int64)
