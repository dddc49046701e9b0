"""A part of a step: spans that cross its edges are cut there."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.breakdown import break_down
from overlap_widget.model.part import part
from overlap_widget.model.recording import Window
from overlap_widget.model.timeline import Kind, Timeline


def step(*spans, backward_end_s=None):
    """Spans of (start, end, kind), each ready a second before it starts."""
    start_s, end_s, kind = (np.array(one) for one in zip(*spans, strict=True))
    count = len(spans)
    timeline = Timeline(
        start_s=start_s.astype(float),
        end_s=end_s.astype(float),
        ready_s=start_s.astype(float) - 1,
        kind=kind.astype(np.uint8),
        collective=np.zeros(count, dtype=np.uint8),
        size_bytes=np.full(count, 8.0),
        stream=np.zeros(count, dtype=np.int32),
        name=np.zeros(count, dtype=np.int32),
        names=("k",),
        backward_end_s=backward_end_s,
    )
    return Window(None, 0, None, timeline, True)


# s               0    2         5    7    9
# compute         [ ---------- ]           .
# communication        [ ------------ ]  [ ]   8 to 9
# part                      4 < --- > 6.5
STEP = step(
    (0, 5, Kind.COMPUTE),
    (2, 7, Kind.COMMUNICATION),
    (8, 9, Kind.COMMUNICATION),
    backward_end_s=5,
)


def test_spans_are_cut_at_the_edges_of_a_part_and_keep_its_clock_and_their_sizes():
    timeline = part(STEP, 4, 6.5).timeline

    assert timeline.start_s.tolist() == [4, 4]
    assert timeline.end_s.tolist() == [5, 6.5]
    assert timeline.ready_s.tolist() == [4, 4]
    assert timeline.size_bytes.tolist() == [8, 8]
    assert timeline.backward_end_s == 5


def test_the_numbers_of_a_part_are_those_of_what_lies_in_it():
    numbers = break_down(part(STEP, 4, 8.25).timeline)

    assert numbers.compute_s == 1
    assert numbers.communication_s == 3.25
    assert numbers.hidden_s == 1
    assert numbers.tail_s == 2.25


def test_a_span_that_only_touches_a_part_is_none_of_it():
    assert len(part(STEP, 7, 8).timeline) == 0


SPANS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(0, 9), st.sampled_from(Kind)),
    min_size=1,
    max_size=8,
)


@given(SPANS, st.integers(0, 12), st.integers(1, 12))
def test_parts_add_up_to_the_step(spans, first, second):
    whole = step(*((start, start + length, kind) for start, length, kind in spans))
    edges = [-1, first, first + second, 99]
    parts = [break_down(part(whole, *pair).timeline) for pair in pairwise(edges)]
    total = break_down(whole.timeline)

    for key in ("compute_s", "communication_s", "hidden_s", "exposed_s"):
        added = sum(getattr(one, key) for one in parts)
        assert added == pytest.approx(getattr(total, key))
