"""Every kernel name with what it counts as, how often it ran and for how long."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from overlap_widget.model.recording import Recording
from overlap_widget.model.timeline import Kind


@dataclass(frozen=True, slots=True)
class KernelRow:
    """The kernels of one name that count as one class.

    time_s: their lengths added up, so two at once count twice
    """

    name: str
    kind: Kind
    count: int
    time_s: float


def kernel_rows(recording: Recording) -> tuple[KernelRow, ...]:
    """All of a recording, in the order of `ordered`."""
    spans = recording.spans
    pair = spans.name.astype(np.int64) * len(Kind) + spans.kind
    pairs, row, count = np.unique(pair, return_inverse=True, return_counts=True)
    time_s = np.bincount(row, spans.end_s - spans.start_s, minlength=len(pairs))
    return ordered(
        KernelRow(
            name=spans.names[code // len(Kind)],
            kind=Kind(code % len(Kind)),
            count=int(count[at]),
            time_s=float(time_s[at]),
        )
        for at, code in enumerate(pairs.tolist())
    )


def merged(tables: Iterable[Iterable[KernelRow]]) -> tuple[KernelRow, ...]:
    """The tables of several recordings as one."""
    sums: dict[tuple[str, Kind], tuple[int, float]] = {}
    for table in tables:
        for row in table:
            count, time_s = sums.get((row.name, row.kind), (0, 0.0))
            sums[row.name, row.kind] = count + row.count, time_s + row.time_s
    return ordered(
        KernelRow(name, kind, count, time_s)
        for (name, kind), (count, time_s) in sums.items()
    )


_FIRST = (Kind.COMMUNICATION, Kind.COMPUTE, Kind.OTHER)


def ordered(rows: Iterable[KernelRow]) -> tuple[KernelRow, ...]:
    """Communication first, then compute; of each what takes the most time first."""
    return tuple(
        sorted(rows, key=lambda row: (_FIRST.index(row.kind), -row.time_s, row.name))
    )
