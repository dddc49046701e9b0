"""What tests of measured runs share: recordings made of simulated steps."""

import numpy as np
import pytest

from overlap_widget.model import Kind, Phase, Recording, Step, timeline_of
from overlap_widget.model.timeline import Timeline

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
