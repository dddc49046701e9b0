"""The rows of all steps and devices of a recording, and what is exposed in each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.breakdown import idle_s
from overlap_widget.model.device_totals import device_totals
from overlap_widget.model.grouped import Stretches
from overlap_widget.model.intervals import Intervals
from overlap_widget.model.measurement_rows import StepRow, TotalRow
from overlap_widget.model.place_numbers import PlaceNumbers, place_numbers
from overlap_widget.model.recording import OUTSIDE, Recording
from overlap_widget.model.step_remarks import Remark, remarks
from overlap_widget.model.windows import Place, Rows

BLOCK_ROWS = 2**16
"""Worked on at once: enough to be quick, few enough to stay small."""


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredWindows:
    """What the windows of a recording come to.

    step_rows: one a step and device, in the order of steps, then devices
    exposed:   by place, when a transfer runs and nothing computes; without empty ones
    exposed_s: float64[n], how long nothing of its place computes during each span that
               is a transfer; 0 for others
    """

    step_rows: tuple[StepRow, ...]
    exposed: Mapping[Place, Intervals]
    exposed_s: NDArray[np.float64]


def measured_windows(
    recording: Recording, places: Mapping[Place, Rows]
) -> MeasuredWindows:
    """Measure each place of `rows_by_place`."""
    step_rows: list[StepRow] = []
    exposed: dict[Place, Intervals] = {}
    exposed_s = np.zeros(len(recording.spans))
    for block in _blocks(places):
        rows = np.concatenate([places[place] for place in block])
        place = np.repeat(np.arange(len(block)), [len(places[one]) for one in block])
        numbers = place_numbers(recording, rows, place, len(block))
        step_rows += _step_rows(recording, block, numbers)
        exposed.update(_exposed(block, numbers.exposed))
        exposed_s[rows[numbers.transfers]] = numbers.transfer_exposed_s
    return MeasuredWindows(_remarked(recording, step_rows), exposed, exposed_s)


def total_rows(recording: Recording) -> tuple[TotalRow, ...]:
    """One row a device, of the whole file."""
    return tuple(_total_row(recording, device) for device in recording.devices)


def _blocks(places: Mapping[Place, Rows]) -> Iterator[list[Place]]:
    """Places together that have some ten thousand rows, to be quick and stay small."""
    block: list[Place] = []
    count = 0
    for place, rows in places.items():
        block.append(place)
        count += len(rows)
        if count >= BLOCK_ROWS:
            yield block
            block, count = [], 0
    if block:
        yield block


def _step_rows(
    recording: Recording, block: list[Place], numbers: PlaceNumbers
) -> Iterator[StepRow]:
    keys = ("compute_s", "communication_s", "hidden_s", "exposed_s", "tail_s")
    columns = [getattr(numbers, key).tolist() for key in (*keys, "span_s", "start_s")]
    found = numbers.backward_found.tolist()
    for at, (step, device) in enumerate(block):
        if step == OUTSIDE:
            continue
        values = dict(
            zip((*keys, "span_s", "start_s"), (one[at] for one in columns), strict=True)
        )
        yield StepRow(
            file=recording.path,
            rank=recording.rank,
            device=device,
            step=recording.steps[step].name,
            complete=recording.steps[step].complete,
            backward_found=found[at],
            waiting_s=None,
            idle_s=idle_s(values["span_s"], values["compute_s"], values["exposed_s"]),
            **values,
        )


def _remarked(recording: Recording, rows: Sequence[StepRow]) -> tuple[StepRow, ...]:
    """With a remark on steps that stand out among those of their device."""
    found = list(rows)
    devices = len(recording.devices)
    for at in range(devices):
        ours = rows[at::devices]
        noted = remarks(recording.steps, [row.span_s for row in ours])
        found[at::devices] = [
            row if one is Remark.NONE else replace(row, remark=one.value)
            for row, one in zip(ours, noted, strict=True)
        ]
    return tuple(found)


def _exposed(block: list[Place], bare: Stretches) -> Iterator[tuple[Place, Intervals]]:
    rows = np.column_stack([bare.start_s, bare.end_s])
    found = np.unique(bare.place, return_index=True, return_counts=True)
    for at, begin, count in zip(*map(np.ndarray.tolist, found), strict=True):
        yield block[at], rows[begin : begin + count]


def _total_row(recording: Recording, device: int) -> TotalRow:
    totals = device_totals(recording, device)
    return TotalRow(
        file=recording.path,
        rank=recording.rank,
        device=device,
        compute_s=totals.compute_s,
        communication_s=totals.communication_s,
        hidden_s=totals.hidden_s,
        exposed_s=totals.exposed_s,
        overlap=totals.overlap,
    )
