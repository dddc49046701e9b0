"""The phases of a step as bands: what breaks one, what doesn't, none over another."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.app.measured import example
from overlap_widget.model.phase_bands import phase_bands
from overlap_widget.model.recording import Phase, Step
from overlap_widget.model.timeline import Kind

U, F, B, O = Phase  # noqa: E741  one letter a phase


def recorded(*spans, kind=Kind.COMPUTE, step=0):
    """A recording of one step: spans of (start, end, phase), in seconds."""
    start_s, end_s, phase = (np.array(one) for one in zip(*spans, strict=True))
    count = len(spans)
    spans = replace(
        example().spans.select(np.arange(count)),
        start_s=start_s.astype(float),
        end_s=end_s.astype(float),
        ready_s=start_s.astype(float),
        kind=np.full(count, kind, dtype=np.uint8),
        backward_end_s=None,
    )
    return replace(
        example(),
        spans=spans,
        device=np.zeros(count, dtype=np.int32),
        step=np.full(count, step, dtype=np.int32),
        phase=phase.astype(np.uint8),
        group=np.full(count, -1, dtype=np.int32),
        loaded_kind=spans.kind.copy(),
        steps=(Step("0", True),),
    )


def bands(*spans, **given):
    found = phase_bands(recorded(*spans, **given), 0, 0)
    return [(one.phase, one.start_s, one.end_s) for one in found]


def test_each_phase_goes_from_its_first_kernel_to_its_last_on_the_clock_of_the_step():
    # s      10   12 13    16  17      23   25
    #        [ F ][F]      [ B  ][  B ]     [O ] 27
    spans = [(10, 12, F), (12, 13, F), (16, 20, B), (17, 23, B), (25, 27, O)]

    assert bands(*spans) == [(F, 0, 3), (B, 6, 13), (O, 15, 17)]


def test_long_work_of_no_known_phase_breaks_a_band_and_short_work_does_not():
    long = [(0, 100, B), (100, 150, U), (150, 300, B)]
    short = [(0, 100, B), (100, 101, U), (101, 300, B)]

    assert bands(*long) == [(B, 0, 100), (B, 150, 300)]
    assert bands(*short) == [(B, 0, 300)]


def test_short_work_of_another_phase_joins_what_is_around_it_but_not_at_an_end():
    spans = [(0, 100, B), (100, 101, F), (101, 300, B), (300, 301, O)]

    assert bands(*spans) == [(B, 0, 300), (O, 300, 301)]


def test_a_phase_begins_where_the_one_before_it_ends():
    # s      0          10
    # stream [    B      ]
    # other       [   O    ] 5 to 14
    assert bands((0, 10, B), (5, 14, O)) == [(B, 0, 10), (O, 10, 14)]


def test_nothing_is_drawn_where_nothing_tells():
    assert bands((0, 5, U), (5, 9, U)) == []
    assert bands((0, 5, B), kind=Kind.COMMUNICATION) == []
    assert bands((0, 5, B), step=-1) == []


SPANS = st.lists(
    st.tuples(st.integers(0, 99), st.integers(0, 40), st.sampled_from(Phase)),
    min_size=1,
    max_size=15,
)


@given(SPANS)
def test_bands_follow_each_other_inside_of_the_step(spans):
    spans = [(start, start + length, phase) for start, length, phase in spans]
    found = bands(*spans)
    low = min(start for start, *_ in spans)

    for _, start_s, end_s in found:
        assert 0 <= start_s < end_s <= max(end for _, end, _ in spans) - low
    for before, after in pairwise(found):
        assert before[2] <= after[1]
    assert {phase for phase, *_ in found} <= {phase for *_, phase in spans} - {U}
