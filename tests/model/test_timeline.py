"""What a timeline accepts, and what its readers may rely on."""

import numpy as np
import pytest

from overlap_widget.model import Collective, Kind, Timeline


def timeline(*rows, backward_end_s=None):
    """From rows of (start, end, kind); each is ready when it starts."""
    start_s, end_s, kind = (np.array(column) for column in zip(*rows, strict=True))
    count = len(rows)
    return Timeline(
        start_s=start_s.astype(float),
        end_s=end_s.astype(float),
        ready_s=start_s.astype(float),
        kind=kind.astype(np.uint8),
        collective=np.full(count, Collective.NONE, dtype=np.uint8),
        size_bytes=np.zeros(count),
        stream=np.zeros(count, dtype=np.int32),
        name=np.zeros(count, dtype=np.int32),
        names=("kernel",),
        backward_end_s=backward_end_s,
    )


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ((2, 1, 0), "row 1 of the timeline ends before it starts"),
        ((2, np.inf, 0), "row 1 of the timeline is not finite"),
        ((np.nan, 3, 0), "row 1 of the timeline is not finite"),
    ],
)
def test_a_row_that_is_no_time_is_named(row, fault):
    with pytest.raises(ValueError, match=fault):
        timeline((0, 1, 0), row)


def test_the_end_of_the_pass_must_be_finite():
    with pytest.raises(ValueError, match="end of the backward pass is not finite"):
        timeline((0, 1, 0), backward_end_s=float("nan"))


def test_a_span_can_not_start_before_it_is_ready():
    good = timeline((3, 4, 0))
    with pytest.raises(ValueError, match="row 0 of the timeline starts before it is"):
        Timeline(**columns_of(good) | {"ready_s": np.array([3.5])})


def test_a_span_that_waited_still_can_not_end_before_it_starts():
    good = timeline((3, 4, 0))
    moments = {"ready_s": np.array([1.0]), "end_s": np.array([2.0])}
    with pytest.raises(ValueError, match="row 0 of the timeline ends before it starts"):
        Timeline(**columns_of(good) | moments)


def test_columns_of_unequal_length_are_refused():
    good = timeline((3, 4, 0))
    with pytest.raises(ValueError, match="differ in length"):
        Timeline(**columns_of(good) | {"stream": np.zeros(2, dtype=np.int32)})


def test_columns_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        timeline((0, 1, 0)).start_s[0] = 5


def test_busy_time_of_a_kind_leaves_the_others_out():
    spans = timeline((5, 7, Kind.COMPUTE), (0, 9, Kind.OTHER), (1, 5, Kind.COMPUTE))
    assert spans.busy(Kind.COMPUTE).tolist() == [[1, 7]]
    assert spans.busy(Kind.COMMUNICATION).shape == (0, 2)


def test_another_clock_moves_every_moment_and_no_length():
    spans = timeline((5, 7, 0), (8, 11, 1), backward_end_s=7.0).since(5)
    assert spans.start_s.tolist() == spans.ready_s.tolist() == [0, 3]
    assert spans.end_s.tolist() == [2, 6]
    assert spans.backward_end_s == 2


def test_a_selection_keeps_its_clock_and_its_names():
    spans = timeline((5, 7, 0), (8, 11, 1), backward_end_s=7.0)
    chosen = spans.select(spans.kind == Kind.COMMUNICATION)
    assert (len(chosen), chosen.start_s.tolist()) == (1, [8])
    assert (chosen.names, chosen.backward_end_s) == (("kernel",), 7)


def columns_of(spans):
    return {name: getattr(spans, name) for name in type(spans).__slots__}
