"""A kernel belongs to the step that launched it, wherever its time lies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.traces import load
from overlap_widget.model.traces.gpu_events import StepMark
from overlap_widget.model.traces.phases import launched_inside
from overlap_widget.model.traces.sentences import BY_CLOCK, NO_MARKS
from overlap_widget.model.traces.steps import launch_of, step_of

SMALL = st.integers(0, 12)


def steps_of(recording):
    """Names of the spans by the name of their step."""
    names = [*(step.name for step in recording.steps), None]
    spans = recording.spans
    by_step = {}
    for name, step in zip(spans.name, recording.step, strict=True):
        by_step.setdefault(names[step], []).append(spans.names[name].partition("_")[0])
    return by_step


def test_work_belongs_to_the_step_that_launched_it(kineto):
    # us          100           400           700
    # CPU         [   step 5   ][   step 6   ]
    # GPU                  [gemm of 5]  [ gemm  grad ]..[ adamw of 6, later still ]
    recording = kineto("step-behind-the-clock")
    assert steps_of(recording) == {
        "5": ["gemm"],
        "6": ["gemm", "gemm", "side", "ncclDevKernel", "adamw"],
    }
    assert recording.warnings == ()


def test_a_mark_inside_another_of_its_step_hides_nothing():
    # ns        10    20 25   40    50     60   70
    # marks     [         3         ]      [ 4  ]
    #                 [3 ]       [   3  ]
    bounds = [("3", 10, 50), ("3", 20, 25), ("3", 45, 55), ("4", 60, 70)]
    marks = [StepMark(*one) for one in bounds]
    times_ns = np.array([9, 22, 30, 52, 57, 60, 71])
    work = {"start_ns": times_ns, "device": np.zeros(7, int)}
    launches = {"start_ns": np.empty(0, np.int64)}
    step, by_clock = step_of(work, np.full(7, -1), launches, marks)
    assert step.tolist() == [-1, 0, 0, 0, -1, 1, -1]
    assert by_clock


def test_backward_kernels_are_those_launched_inside_its_ranges_on_their_thread(kineto):
    # the launch of side_copy lies in the range of the other thread, in time only
    recording = kineto("step-behind-the-clock")
    named = [recording.spans.names[name] for name in recording.spans.name]
    assert [named[row] for row in np.flatnonzero(recording.backward)] == ["gemm_grad"]


def test_communication_and_copies_are_never_backward_kernels(kineto):
    recording = kineto("launched-steps")
    named = [recording.spans.names[name] for name in recording.spans.name]
    backward = [named[row] for row in np.flatnonzero(recording.backward)]
    assert backward == ["dgrad_a", "dgrad_b"]


def test_without_launches_the_marks_on_the_gpu_decide_stream_by_stream(kineto):
    # us         200      285 290 295 305 310    320          380
    # stream 7   [    8      ][           9          ]
    # stream 20  [         8          ]         [      9      ]
    recording = kineto("gpu-step-rows")
    assert steps_of(recording) == {
        "8": ["gemm", "gemm", "ncclDevKernel"],
        "9": ["gemm", "Memset (Device)", "gemm", "ncclDevKernel"],
    }
    assert BY_CLOCK not in recording.warnings


def test_without_either_the_clock_of_the_cpu_decides_and_that_is_said(kineto):
    recording = kineto("by-the-clock")
    assert steps_of(recording) == {
        "3": ["gemm", "ncclDevKernel", "gemm"],
        "4": ["gemm", "gemm", "ncclDevKernel"],
        None: ["gemm"],
    }
    assert BY_CLOCK in recording.warnings


def test_without_marks_the_whole_capture_is_one_step_and_that_is_said(kineto):
    recording = kineto("no-steps")
    assert [(step.name, step.complete) for step in recording.steps] == [
        ("whole file", True)
    ]
    assert set(recording.step) == {0}
    assert NO_MARKS in recording.warnings


@pytest.mark.parametrize(
    ("name", "complete"),
    [
        ("first-step-one-bucket", [True, True, False]),  # 3600, 3600, 1600 bytes
        ("cut-without-sizes", [True, True, False]),  # 2, 2, 1 transfers
        ("cut-compute", [False, True, True, False]),  # 3, 4, 4, 0 kernels
        ("less-in-the-middle", [True, True, True]),  # only the ends can be cut
        ("step-behind-the-clock", [False, True]),  # no transfer in the first
        ("launched-steps", [True]),
    ],
)
def test_a_first_or_last_step_that_does_less_than_the_others_is_cut(
    kineto, name, complete
):
    assert [step.complete for step in kineto(name).steps] == complete


def table(**columns):
    return {name: np.array(column, dtype=np.int64) for name, column in columns.items()}


@given(
    st.lists(st.tuples(SMALL, SMALL), max_size=9),
    st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=9),
)
def test_a_launch_is_the_last_one_of_its_number_before_the_work(launches, work):
    rows = launch_of(
        table(correlation=[c for c, _ in work], start_ns=[t for _, t in work]),
        table(correlation=[c for c, _ in launches], start_ns=[t for _, t in launches]),
    )
    for (number, start), row in zip(work, rows, strict=True):
        same = [time for other, time in launches if other == number and number]
        before = [time for time in same if time <= start]
        expected = max(before) if before else min(same, default=None)
        found = launches[row] if row >= 0 else (None, None)
        assert found == ((number, expected) if same else (None, None))


@given(
    st.lists(st.tuples(st.integers(0, 2), SMALL, SMALL), max_size=8),
    st.lists(st.tuples(st.integers(0, 2), SMALL), min_size=1, max_size=8),
)
def test_inside_means_inside_any_range_of_the_thread_nested_or_not(ranges, launches):
    inside = launched_inside(
        np.arange(-1, len(launches)),
        table(
            thread=[thread for thread, _ in launches],
            start_ns=[time for _, time in launches],
        ),
        table(
            thread=[thread for thread, _, _ in ranges],
            start_ns=[start for _, start, _ in ranges],
            end_ns=[start + length for _, start, length in ranges],
        ),
    )
    expected = [False] + [
        any(
            thread == other and start <= time <= start + length
            for other, start, length in ranges
        )
        for thread, time in launches
    ]
    assert inside.tolist() == expected


def test_a_step_that_only_the_gpu_marks_is_a_step(path_of, tmp_path):
    lines = path_of("gpu-step-rows").read_text().splitlines()
    path = tmp_path / "trace.json"
    path.write_text("\n".join(line for line in lines if '"ts":10,' not in line))
    assert [step.name for step in load(str(path)).steps] == ["9", "8"]
