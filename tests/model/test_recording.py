"""Cutting a recording into windows: one step on one device, or all of a device."""

from dataclasses import replace

import numpy as np
import pytest

from overlap_widget.model import (
    Collective,
    Kind,
    Phase,
    Recording,
    Step,
    Timeline,
    break_down,
    window,
)

COMPUTE, COMMUNICATION = Kind.COMPUTE, Kind.COMMUNICATION


def recording(rows, steps=("one", "two")):
    """From rows of (start, end, kind, device, step, backward)."""
    start_s, end_s, kind, device, step, backward = zip(*rows, strict=True)
    count = len(rows)
    spans = Timeline(
        start_s=np.array(start_s, dtype=float),
        end_s=np.array(end_s, dtype=float),
        ready_s=np.array(start_s, dtype=float),
        kind=np.array(kind, dtype=np.uint8),
        collective=np.full(count, Collective.NONE, dtype=np.uint8),
        size_bytes=np.full(count, np.nan),
        stream=np.zeros(count, dtype=np.int32),
        name=np.zeros(count, dtype=np.int32),
        names=("kernel",),
        backward_end_s=None,
    )
    return Recording(
        path="run.json",
        format="hand-written",
        rank=0,
        spans=spans,
        device=np.array(device, dtype=np.int32),
        step=np.array(step, dtype=np.int32),
        phase=np.where(backward, Phase.BACKWARD, 0).astype(np.uint8),
        group=np.full(count, -1, dtype=np.int32),
        loaded_kind=spans.kind,
        groups=(),
        steps=tuple(Step(name, complete=True) for name in steps),
        warnings=(),
    )


# seconds   0  1  2  3  4  5  6  7  8  9 10 11 12 13
# step      one (from 2)      | two
# device 0        [ backward ]   [ backward ][opt]
# device 0           [ comm  ]      [   comm    ]
# device 1  [ compute         ]
TWO_STEPS = [
    (2, 5, COMPUTE, 0, 0, True),
    (3, 6, COMMUNICATION, 0, 0, False),
    (7, 10, COMPUTE, 0, 1, True),
    (8, 12, COMMUNICATION, 0, 1, False),
    (10, 11, COMPUTE, 0, 1, False),
    (0, 6, COMPUTE, 1, 0, False),
]


def test_a_step_starts_its_own_clock():
    second = window(recording(TWO_STEPS), device=0, step=1)
    assert second.step.name == "two"
    assert second.timeline.start_s.tolist() == [0, 1, 3]
    assert second.timeline.end_s.tolist() == [3, 5, 4]


def test_the_tail_counts_from_the_last_backward_kernel_of_the_step():
    first, second = (window(recording(TWO_STEPS), 0, step) for step in (0, 1))
    assert first.backward_found
    assert first.timeline.backward_end_s == 3
    assert break_down(first.timeline).tail_s == 1
    assert second.timeline.backward_end_s == 3
    assert break_down(second.timeline).tail_s == 2


def test_without_a_step_the_window_is_all_of_the_device():
    whole = window(recording(TWO_STEPS), device=0, step=None)
    assert whole.step is None
    assert len(whole.timeline) == 5
    assert whole.timeline.start_s.min() == 0
    assert break_down(whole.timeline).communication_s == 7


def test_devices_do_not_mix():
    other = window(recording(TWO_STEPS), device=1, step=0)
    assert break_down(other.timeline).communication_s == 0
    assert recording(TWO_STEPS).devices == (0, 1)


def test_without_marks_the_pass_ends_with_the_compute_that_transfers_run_beside():
    # seconds   0  1  2  3  4  5  6  7  8
    # compute   [ unmarked  ]           [ optimizer ]
    # comm            [               ]
    rows = [
        (0, 4, COMPUTE, 0, 0, False),
        (2, 7.5, COMMUNICATION, 0, 0, False),
        (8, 9, COMPUTE, 0, 0, False),
    ]
    guess = window(recording(rows), device=0, step=0)
    assert not guess.backward_found
    assert guess.timeline.backward_end_s == 4
    assert break_down(guess.timeline).tail_s == 3.5


def test_without_transfers_the_pass_ends_with_the_last_compute():
    guess = window(recording([(1, 4, COMPUTE, 0, 0, False)]), device=0, step=0)
    assert guess.timeline.backward_end_s == 3
    assert break_down(guess.timeline).tail_s == 0


def test_a_window_without_spans_is_empty_and_not_an_error():
    empty = window(recording(TWO_STEPS), device=1, step=1)
    assert len(empty.timeline) == 0
    assert empty.timeline.backward_end_s is None
    assert break_down(empty.timeline).span_s == 0


def test_columns_of_unequal_length_are_refused():
    good = recording(TWO_STEPS)
    with pytest.raises(ValueError, match="differ in length"):
        replace(good, device=np.zeros(3, dtype=np.int32))


def test_a_recording_can_not_be_changed_afterwards():
    with pytest.raises(ValueError, match="read-only"):
        recording(TWO_STEPS).step[0] = 1
