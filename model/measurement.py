"""What is measured of recordings: their steps, totals and transfers."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from overlap_widget.model.breakdown import break_down, exposed_s
from overlap_widget.model.measurement_rows import (
    FileRow,
    Measurement,
    StepRow,
    TotalRow,
    TransferRow,
)
from overlap_widget.model.recording import Recording, Window, window
from overlap_widget.model.timeline import Collective, Kind, Timeline


def measure(recordings: Sequence[Recording]) -> Measurement:
    """Measure every step, device and transfer of the recordings."""
    first = default_step(recordings[0]) if recordings else None
    return Measurement(
        files=tuple(FileRow(one.path, one.format, one.warnings) for one in recordings),
        steps=tuple(row for one in recordings for row in step_rows(one)),
        totals=tuple(row for one in recordings for row in total_rows(one)),
        transfers=tuple(row for one in recordings for row in transfer_rows(one)),
        default_step=None if first is None else recordings[0].steps[first].name,
    )


def step_rows(recording: Recording) -> Iterator[StepRow]:
    """One row a step and device, in the order of the steps."""
    for shown in _windows(recording):
        parts = break_down(shown.timeline)
        assert shown.step is not None
        yield StepRow(
            file=recording.path,
            rank=recording.rank,
            device=shown.device,
            step=shown.step.name,
            complete=shown.step.complete,
            backward_found=shown.backward_found,
            compute_s=parts.compute_s,
            communication_s=parts.communication_s,
            hidden_s=parts.hidden_s,
            exposed_s=parts.exposed_s,
            tail_s=parts.tail_s,
            waiting_s=None,
            span_s=parts.span_s,
            idle_s=parts.idle_s,
        )


def total_rows(recording: Recording) -> Iterator[TotalRow]:
    """One row a device, of the whole file."""
    for device in recording.devices:
        parts = break_down(window(recording, device, None).timeline)
        yield TotalRow(
            file=recording.path,
            rank=recording.rank,
            device=device,
            compute_s=parts.compute_s,
            communication_s=parts.communication_s,
            hidden_s=parts.hidden_s,
            exposed_s=parts.exposed_s,
            overlap=parts.overlap,
        )


def transfer_rows(recording: Recording) -> Iterator[TransferRow]:
    """One row a communication span: step by step, then those outside of all steps."""
    for shown in _windows(recording):
        name = shown.step.name if shown.step else None
        yield from _transfers(recording, shown.device, name, shown.timeline)
    outside = recording.step < 0
    for device in recording.devices:
        rows = outside & (recording.device == device)
        if rows.any():
            yield from _transfers(recording, device, None, recording.spans.select(rows))


def default_step(recording: Recording) -> int | None:
    """The step to look at first, an index into `steps`; None if none is complete.

    With communication if any has; not the first one, which often warms up; of those
    left the one of median length, the shorter of two.
    """
    spans = recording.spans
    moving = recording.step[spans.kind == Kind.COMMUNICATION]
    choice = [at for at, step in enumerate(recording.steps) if step.complete]
    choice = [at for at in choice if np.any(moving == at)] or choice
    choice = [at for at in choice if at > 0] or choice
    lengths_s = {at: _length_s(recording, at) for at in choice}
    ordered = sorted(choice, key=lambda at: (lengths_s[at], at))
    return ordered[(len(ordered) - 1) // 2] if ordered else None


def _length_s(recording: Recording, step: int) -> float:
    rows = recording.step == step
    if not rows.any():
        return 0.0
    spans = recording.spans
    return float(spans.end_s[rows].max() - spans.start_s[rows].min())


def _windows(recording: Recording) -> Iterator[Window]:
    for step in range(len(recording.steps)):
        for device in recording.devices:
            yield window(recording, device, step)


def _transfers(
    recording: Recording, device: int, step: str | None, timeline: Timeline
) -> Iterator[TransferRow]:
    exposed = exposed_s(timeline)
    for row in np.flatnonzero(timeline.kind == Kind.COMMUNICATION):
        collective = Collective(timeline.collective[row])
        size_bytes = float(timeline.size_bytes[row])
        yield TransferRow(
            file=recording.path,
            rank=recording.rank,
            device=device,
            step=step,
            name=timeline.names[timeline.name[row]],
            collective=_COLLECTIVES.get(collective),
            bytes=None if math.isnan(size_bytes) else size_bytes,
            start_s=float(timeline.start_s[row]),
            end_s=float(timeline.end_s[row]),
            exposed_s=float(exposed[row]),
        )


_COLLECTIVES: dict[Collective, str] = {
    collective: collective.name.lower()
    for collective in Collective
    if collective not in (Collective.NONE, Collective.UNKNOWN)
}
