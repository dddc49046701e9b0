"""How time divides: by union of intervals, never by sums."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model import Collective, Kind, Timeline, break_down
from overlap_widget.model.breakdown import exposed, exposed_s

ROWS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 4), st.sampled_from(list(Kind))),
    max_size=10,
)


def timeline(rows, backward_end_s=None):
    """From rows of (start, duration, kind)."""
    count = len(rows)
    start_s = np.array([start for start, _, _ in rows], dtype=float)
    return Timeline(
        start_s=start_s,
        end_s=start_s + np.array([duration for _, duration, _ in rows], dtype=float),
        ready_s=start_s.copy(),
        kind=np.array([kind for _, _, kind in rows], dtype=np.uint8),
        collective=np.full(count, Collective.NONE, dtype=np.uint8),
        size_bytes=np.full(count, np.nan),
        stream=np.zeros(count, dtype=np.int32),
        name=np.zeros(count, dtype=np.int32),
        names=("kernel",),
        backward_end_s=backward_end_s,
    )


def seconds(rows, kind):
    """The slow twin: every whole second in which a span of this kind runs."""
    return {
        second
        for start, duration, of_kind in rows
        if of_kind == kind
        for second in range(start, start + duration)
    }


def test_two_streams_of_each_kind_worked_by_hand():
    # seconds        0  1  2  3  4  5  6  7  8  9 10 11 12
    # compute        [        ]        [  ]
    # compute              [     ]           |  end of the pass at 7
    # communication        [        ]     [           ]
    # communication                                   [  ]
    # other                                                (copies count nowhere)
    rows = [
        (0, 3, Kind.COMPUTE),
        (6, 1, Kind.COMPUTE),
        (2, 2, Kind.COMPUTE),
        (2, 3, Kind.COMMUNICATION),
        (7, 4, Kind.COMMUNICATION),
        (11, 1, Kind.COMMUNICATION),
        (4, 9, Kind.OTHER),
    ]
    breakdown = break_down(timeline(rows, backward_end_s=7.0))
    assert breakdown.span_s == 13
    assert breakdown.compute_s == 5  # 0 to 4 and 6 to 7: seconds 2 to 3 count once
    assert breakdown.communication_s == 8
    assert breakdown.hidden_s == 2
    assert breakdown.exposed_s == 6
    assert breakdown.tail_s == 5
    assert breakdown.overlap == 2 / 8


def test_the_tail_is_all_communication_after_the_pass_hidden_or_not():
    rows = [
        (0, 4, Kind.COMPUTE),
        (3, 5, Kind.COMMUNICATION),
        (6, 1, Kind.COMPUTE),  # an optimizer kernel
    ]
    breakdown = break_down(timeline(rows, backward_end_s=4.0))
    assert (breakdown.tail_s, breakdown.exposed_s) == (4, 3)


def test_communication_that_ends_before_the_pass_leaves_no_tail():
    rows = [(0, 9, Kind.COMPUTE), (1, 3, Kind.COMMUNICATION)]
    breakdown = break_down(timeline(rows, backward_end_s=9.0))
    assert (breakdown.tail_s, breakdown.exposed_s, breakdown.overlap) == (0, 0, 1)


def test_without_communication_there_is_no_overlap_to_speak_of():
    breakdown = break_down(timeline([(0, 2, Kind.COMPUTE)], backward_end_s=2.0))
    assert breakdown.communication_s == breakdown.exposed_s == breakdown.tail_s == 0
    assert breakdown.overlap is None


def test_without_compute_all_communication_is_exposed_tail():
    breakdown = break_down(timeline([(2, 3, Kind.COMMUNICATION)]))
    assert breakdown.exposed_s == breakdown.tail_s == 3
    assert breakdown.overlap == 0


def test_an_empty_timeline_has_no_time_at_all():
    breakdown = break_down(timeline([]))
    assert (breakdown.span_s, breakdown.compute_s, breakdown.communication_s) == (
        0,
    ) * 3
    assert breakdown.overlap is None


@given(ROWS)
def test_time_divides_as_whole_seconds_do(rows):
    compute = seconds(rows, Kind.COMPUTE)
    communication = seconds(rows, Kind.COMMUNICATION)
    breakdown = break_down(timeline(rows))
    assert breakdown.compute_s == len(compute)
    assert breakdown.communication_s == len(communication)
    assert breakdown.hidden_s == len(compute & communication)
    assert breakdown.exposed_s == len(communication - compute)


@given(ROWS, st.integers(0, 14))
def test_the_tail_is_the_communication_of_the_seconds_after_the_pass(rows, end_s):
    breakdown = break_down(timeline(rows, backward_end_s=float(end_s)))
    communication = seconds(rows, Kind.COMMUNICATION)
    assert breakdown.tail_s == len([s for s in communication if s >= end_s])


@given(ROWS)
def test_each_span_is_exposed_by_the_seconds_in_which_nothing_computes(rows):
    compute = seconds(rows, Kind.COMPUTE)
    alone = [
        len(set(range(start, start + duration)) - compute)
        for start, duration, _ in rows
    ]
    assert exposed_s(timeline(rows)).tolist() == alone


SPANS = st.lists(
    st.tuples(st.floats(0, 1e6), st.floats(0, 10), st.sampled_from(list(Kind))),
    max_size=12,
)


@given(SPANS)
def test_hidden_and_exposed_are_all_communication_and_never_below_zero(rows):
    spans = timeline(rows)
    breakdown = break_down(spans)
    assert 0 <= breakdown.hidden_s <= breakdown.communication_s
    assert breakdown.hidden_s + breakdown.exposed_s == pytest.approx(
        breakdown.communication_s, rel=1e-12
    )
    assert (exposed_s(spans) >= 0).all()
    lone_s = exposed(spans)
    assert float((lone_s[:, 1] - lone_s[:, 0]).sum()) == pytest.approx(
        breakdown.exposed_s, rel=1e-9, abs=1e-9
    )


def test_a_full_step_is_not_idle_for_its_rounding():
    # kernels from 0.1 to 0.7 in fifths: their lengths add up to a little less
    kinds = [(at, 1, Kind(at % 2)) for at in range(5)]
    edges_s = 0.1 + np.arange(6) * (0.6 / 5)
    whole = replace(
        timeline(kinds),
        start_s=edges_s[:-1],
        end_s=edges_s[1:],
        ready_s=edges_s[:-1],
    )
    parts = break_down(whole)
    assert 0 < parts.span_s - parts.compute_s - parts.exposed_s < 1e-13
    assert parts.idle_s == 0
