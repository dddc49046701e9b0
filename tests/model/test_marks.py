"""Marks: what is drawn of many spans stands for all of them and covers them all."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.intervals import union
from overlap_widget.model.marks import marks, visible_parts
from overlap_widget.model.timeline import Timeline

SPANS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 9)), min_size=1, max_size=40
)


def timeline_of_spans(spans):
    start_s = np.array([start for start, _ in spans], dtype=float)
    end_s = start_s + [length for _, length in spans]
    count = len(spans)
    return Timeline(
        start_s=start_s,
        end_s=end_s,
        ready_s=start_s,
        kind=np.zeros(count, dtype=np.uint8),
        collective=np.zeros(count, dtype=np.uint8),
        size_bytes=np.zeros(count),
        stream=np.zeros(count, dtype=np.int32),
        name=np.zeros(count, dtype=np.int32),
        names=("kernel",),
        backward_end_s=None,
    )


def all_marks(spans, pixel_s, window_s=(-1.0, 100.0)):
    timeline = timeline_of_spans(spans)
    return marks(timeline, np.ones(len(spans), dtype=bool), window_s, pixel_s)


def test_narrow_neighbours_become_one_mark_and_wide_spans_stay_alone():
    # pixel 2     0 1 2 3 4 5 6 7 8 9 10 11 12 13
    # spans       [] []          [       ]  []
    drawn = all_marks([(0, 1), (2, 1), (7, 4), (12, 1)], pixel_s=2)

    assert drawn.start_s.tolist() == [0, 7, 12]
    assert drawn.end_s.tolist() == [3, 11, 13]
    assert drawn.spans.tolist() == [2, 1, 1]


def test_a_mark_is_named_by_its_longest_span():
    drawn = all_marks([(0, 1), (2, 3), (6, 2)], pixel_s=4)

    assert drawn.row.tolist() == [1]


def test_a_window_shows_what_touches_it_and_nothing_else():
    drawn = all_marks([(0, 2), (5, 1), (20, 3)], pixel_s=0, window_s=(1.0, 6.0))

    assert drawn.row.tolist() == [0, 1]


@given(SPANS, st.integers(0, 12))
def test_every_span_lies_in_exactly_one_mark(spans, pixel_s):
    drawn = all_marks(spans, pixel_s)

    assert drawn.spans.sum() == len(spans)
    for start, length in spans:
        inside = (drawn.start_s <= start) & (start + length <= drawn.end_s)
        assert inside.any()


@given(SPANS, st.integers(1, 12))
def test_marks_are_few_however_many_spans_there_are(spans, pixel_s):
    drawn = all_marks(spans, pixel_s)
    width_s = drawn.end_s.max() - drawn.start_s.min()
    wide = drawn.end_s - drawn.start_s >= pixel_s

    # Between two narrow marks lies a pixel; wide ones are counted by themselves.
    assert (~wide).sum() <= width_s / pixel_s + wide.sum() + 1


def parts(*rows):
    return np.array(rows, dtype=float).reshape(-1, 2)


def test_slivers_of_a_hidden_span_are_left_out_and_never_painted_as_one():
    # 50 parts of 1, 10 apart, of a span of 500: 10 % of it, at 20 a pixel.
    slivers = parts(*((at, at + 1) for at in range(0, 500, 10)))

    assert len(visible_parts(slivers, np.full(50, 500.0), pixel_s=20)) == 0


def test_a_run_that_is_mostly_covered_is_one_mark_with_its_own_sum():
    # [0..8] and [9..30] of a span of 40 at 5 a pixel; [100..101] is most of its span.
    drawn = visible_parts(
        parts((0, 8), (9, 30), (100, 101)), np.array([40.0, 40, 1.5]), pixel_s=5
    )

    assert drawn.tolist() == [[0, 30, 29], [100, 101, 1]]


@given(SPANS, st.integers(1, 12))
def test_marks_of_parts_tell_of_at_most_twice_what_there_is(spans, pixel_s):
    starts = np.array([start for start, _ in spans], dtype=float)
    covered = union(starts, starts + [length for _, length in spans])
    drawn = visible_parts(covered, np.full(len(covered), 9.0), pixel_s)
    width_s = (drawn[:, 1] - drawn[:, 0]).sum()

    assert width_s <= 2 * drawn[:, 2].sum()
    assert drawn[:, 2].sum() <= (covered[:, 1] - covered[:, 0]).sum() + 1e-9
