"""What tests of measured runs share: recordings made of simulated steps."""

import numpy as np
import pytest

from overlap_widget.model import Kind, Phase, Recording, Step, timeline_of
from overlap_widget.model.measured_file import measured_file
from overlap_widget.model.timeline import Collective, Timeline

COLUMNS = ("start_s", "end_s", "ready_s", "kind", "collective", "size_bytes")


def _recorded(*simulations, gap_s=3.0, tells_ready=True, **changes):
    """Simulated steps one after the other, as a profiler would have recorded them.

    All compute is of the backward pass. Transfers begin where a simulation has them,
    so a recording without launches doesn't tell when they were ready.
    """
    timelines = [timeline_of(one) for one in simulations]
    begins = np.cumsum([0, *(one.step_s + gap_s for one in simulations)])
    spans = [
        one.since(-begin) for one, begin in zip(timelines, begins[:-1], strict=True)
    ]
    columns = {
        name: np.concatenate([getattr(one, name) for one in spans]) for name in COLUMNS
    }
    if not tells_ready:
        columns["ready_s"] = columns["start_s"]
    count = len(columns["kind"])
    step = np.repeat(np.arange(len(spans)), [len(one) for one in spans])
    zeros = np.zeros(count, dtype=np.int32)
    timeline = Timeline(
        **columns, stream=zeros, name=zeros, names=("work",), backward_end_s=None
    )
    given = {
        "path": "run.json",
        "format": "by hand",
        "rank": 0,
        "spans": timeline,
        "device": zeros,
        "step": step.astype(np.int32),
        "phase": np.full(count, Phase.BACKWARD, dtype=np.uint8),
        "group": zeros - 1,
        "loaded_kind": timeline.kind,
        "groups": (),
        "steps": tuple(Step(str(at), complete=True) for at in range(len(spans))),
        "warnings": (),
    }
    assert set(np.unique(timeline.kind)) <= {Kind.COMPUTE, Kind.COMMUNICATION}
    return Recording(**given | changes)


@pytest.fixture(scope="session")
def recorded():
    """The function that records simulated steps."""
    return _recorded


def _rank_file(rank, rows, groups=(), steps=("7",), ahead_s=0, path=None):
    """A rank, measured, of rows of eight values, of which the last four may be missing.

    They are step, collective, start, end, bytes, group, device and number in the group;
    seconds on the clock that all ranks have in common, from which that of the file is
    `ahead_s`. Collective.NONE computes.
    """
    table = [(*row, *(np.nan, -1, 0, -1)[len(row) - 4 :]) for row in rows]
    table.sort(key=lambda row: row[2])
    step, moves, start, end, size, group, device, sequence = map(
        np.array, zip(*table, strict=True)
    )
    kind = np.where(moves == Collective.NONE, Kind.COMPUTE, Kind.COMMUNICATION)
    first, zeros = start.min(), np.zeros(len(table), dtype=np.int32)
    spans = Timeline(
        start_s=(start - first).astype(float),
        end_s=(end - first).astype(float),
        ready_s=(start - first).astype(float),
        kind=kind.astype(np.uint8),
        collective=moves.astype(np.uint8),
        size_bytes=size.astype(float),
        stream=zeros,
        name=zeros,
        names=("work",),
        backward_end_s=None,
    )
    return measured_file(
        Recording(
            path=path or f"rank{rank}.json",
            format="by hand",
            rank=rank,
            spans=spans,
            device=device.astype(np.int32),
            step=step.astype(np.int32),
            phase=zeros.astype(np.uint8),
            group=group.astype(np.int32),
            loaded_kind=spans.kind,
            groups=tuple(groups),
            steps=tuple(Step(name, complete=True) for name in steps),
            warnings=(),
            origin_ns=round((first + ahead_s) * 1_000_000_000),
            sequence=sequence.astype(np.int32),
        )
    )


@pytest.fixture(scope="session")
def rank_file():
    """The function that measures a rank of transfers by hand."""
    return _rank_file
