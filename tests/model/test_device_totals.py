"""A whole file is added up stretch by stretch, as if it were in one piece."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import Kind, Recording, Step, Timeline, break_down, window
from overlap_widget.model import device_totals as module
from overlap_widget.model.device_totals import device_totals

SPANS = st.lists(
    st.tuples(
        st.integers(0, 30),
        st.integers(0, 12),
        st.sampled_from(list(Kind)),
        st.integers(0, 1),
    ),
    min_size=1,
    max_size=14,
)


def recording(rows):
    """Of rows (start, length, kind, device), in seconds."""
    start, length, kind, device = (
        np.array(one) for one in zip(*sorted(rows), strict=True)
    )
    count = len(rows)
    spans = Timeline(
        start_s=start.astype(float),
        end_s=(start + length).astype(float),
        ready_s=start.astype(float),
        kind=kind.astype(np.uint8),
        collective=np.zeros(count, dtype=np.uint8),
        size_bytes=np.zeros(count),
        stream=np.zeros(count, dtype=np.int32),
        name=np.zeros(count, dtype=np.int32),
        names=("kernel",),
        backward_end_s=None,
    )
    return Recording(
        path="run.json",
        format="by hand",
        rank=0,
        spans=spans,
        device=device.astype(np.int32),
        step=np.zeros(count, dtype=np.int32),
        phase=np.zeros(count, dtype=np.uint8),
        group=np.full(count, -1, dtype=np.int32),
        loaded_kind=spans.kind,
        groups=(),
        steps=(Step("0", complete=True),),
        warnings=(),
    )


@pytest.mark.parametrize("stretch", [1, 2, 100])
def test_a_transfer_across_stretches_counts_once(monkeypatch, stretch):
    # seconds      0    2    3    5    6    9   10   12
    # transfer     [              0               ]
    # compute           [ 0  ]    [ 0  ]
    # compute                                [   0   ]
    monkeypatch.setattr(module, "STRETCH_ROWS", stretch)
    rows = [
        (0, 10, Kind.COMMUNICATION, 0),
        (2, 1, Kind.COMPUTE, 0),
        (5, 1, Kind.COMPUTE, 0),
        (9, 3, Kind.COMPUTE, 0),
        (1, 40, Kind.COMPUTE, 1),
    ]
    totals = device_totals(recording(rows), 0)
    assert (totals.compute_s, totals.communication_s) == (5, 10)
    assert (totals.hidden_s, totals.exposed_s) == (3, 7)
    assert totals.overlap == pytest.approx(0.3)
    assert device_totals(recording(rows), 1).overlap is None


@given(rows=SPANS, stretch=st.integers(1, 5))
def test_stretches_come_to_what_the_whole_does(rows, stretch):
    whole = recording(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "STRETCH_ROWS", stretch)
        for device in whole.devices:
            totals = device_totals(whole, device)
            parts = break_down(window(whole, device, None).timeline)
            assert totals.compute_s == parts.compute_s
            assert totals.communication_s == parts.communication_s
            assert totals.exposed_s == parts.exposed_s
            assert totals.hidden_s == parts.hidden_s
            assert totals.overlap == parts.overlap
