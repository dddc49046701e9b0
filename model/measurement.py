"""What is measured of recordings: their steps, totals and transfers."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from overlap_widget.model.common_step import common_step
from overlap_widget.model.default_step import default_step
from overlap_widget.model.link_fit import Refused, fitted_link
from overlap_widget.model.measured_file import MeasuredFile, measured_file
from overlap_widget.model.measurement_rows import (
    FileRow,
    LinkRow,
    Measurement,
    StepRow,
    TransferRow,
)
from overlap_widget.model.ranks import Ranks
from overlap_widget.model.ranks_compared import compare_ranks
from overlap_widget.model.recording import OUTSIDE, Recording
from overlap_widget.model.timeline import Collective

__all__ = ["default_step", "measure", "measure_files", "transfer_rows"]


def measure(recordings: Sequence[Recording]) -> Measurement:
    """Measure every step, device and transfer of the recordings, the ranks of a run."""
    files = [measured_file(one) for one in recordings]
    return measure_files(files, compare_ranks(files))


def measure_files(
    files: Sequence[MeasuredFile], ranks: Ranks | None = None
) -> Measurement:
    """The measurement of files that were measured, perhaps elsewhere.

    With the comparison of their `ranks`, steps tell how long they wait for each other,
    files what is doubtful about that, and waiting is no part of the link.
    """
    return Measurement(
        files=tuple(_file_rows(files, ranks)),
        steps=tuple(_step_rows(files, ranks)),
        totals=tuple(row for one in files for row in one.total_rows),
        transfers=tuple(row for one in files for row in transfer_rows(one)),
        default_step=common_step(files),
        link=_link(files, ranks),
    )


def _file_rows(files: Sequence[MeasuredFile], ranks: Ranks | None) -> Iterator[FileRow]:
    for at, file in enumerate(files):
        compared = ranks.sentences[at] if ranks else ()
        yield FileRow(file.path, file.format, (*file.warnings, *compared))


def _step_rows(files: Sequence[MeasuredFile], ranks: Ranks | None) -> Iterator[StepRow]:
    """Those of all files, with the waiting that the comparison tells of."""
    for at, file in enumerate(files):
        for place, row in enumerate(file.step_rows):
            step = place // len(file.total_rows)
            parts = ranks.parts.get((at, step, row.device)) if ranks else None
            yield replace(row, waiting_s=parts.waiting_s) if parts else row


def _link(files: Sequence[MeasuredFile], ranks: Ranks | None) -> LinkRow | None:
    found = fitted_link(files, ranks.waiting_s if ranks else None)
    if isinstance(found, Refused):
        return None
    link = found.link
    return LinkRow(link.bandwidth_bytes_per_s, link.overhead_s, found.relative_error)


def transfer_rows(file: MeasuredFile) -> Iterator[TransferRow]:
    """One row a communication span: step by step, then those outside of all steps.

    Times of those are since the first span of the file.
    """
    moved = file.transfers
    origins_s = _origins_s(file)
    last = len(file.steps)
    places = sorted(
        range(len(moved)),
        key=lambda at: (moved.step[at] % (last + 1), moved.device[at], at),
    )
    for at in places:
        size_bytes, step = float(moved.size_bytes[at]), int(moved.step[at])
        name = None if step == OUTSIDE else file.steps[step].name
        device = int(moved.device[at])
        origin_s = 0.0 if name is None else origins_s[step, device]
        yield TransferRow(
            file=file.path,
            rank=file.rank,
            device=device,
            step=name,
            name=moved.names[moved.name[at]],
            collective=_COLLECTIVES.get(Collective(moved.collective[at])),
            bytes=None if math.isnan(size_bytes) else size_bytes,
            start_s=float(moved.start_s[at]) - origin_s,
            end_s=float(moved.end_s[at]) - origin_s,
            exposed_s=float(moved.exposed_s[at]),
        )


def _origins_s(file: MeasuredFile) -> dict[tuple[int, int], float]:
    """When each step began on each device; two steps may share a name."""
    devices = len(file.total_rows)
    return {
        (at // devices, row.device): row.start_s
        for at, row in enumerate(file.step_rows)
    }


_COLLECTIVES: dict[Collective, str] = {
    collective: collective.name.lower()
    for collective in Collective
    if collective not in (Collective.NONE, Collective.UNKNOWN)
}
