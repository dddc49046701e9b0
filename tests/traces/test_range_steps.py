"""Which of the ranges that people name are steps, and which tell a phase."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.recording import Phase
from overlap_widget.model.traces.range_phases import (
    _minus,
    _union,
    phase_named,
    phases_among,
)
from overlap_widget.model.traces.range_steps import NamedRange, steps_among

EVERY_NS = np.arange(0, 1000)
"""Work is launched in every nanosecond, unless a test says otherwise."""


def in_turn(*texts, length=100, thread=1):
    """Ranges that follow one another, each as long."""
    return [
        NamedRange(text, at * length, (at + 1) * length - 1, thread)
        for at, text in enumerate(texts)
    ]


def names(ranges, launched_ns=EVERY_NS):
    return [mark.name for mark in steps_among(ranges, launched_ns).marks]


@pytest.mark.parametrize(
    "pattern",
    [
        "step {}",
        "step_{}",
        "Step: {}",
        "train_step {}",
        "iteration {}",
        "iteration{}",
        "iter_{}",
        "Iter {}/900",
        "ProfilerStep#{}",
        "batch 00{}",
        "[train] batch idx={}",
        "epoch 2 step {}",
        "Training step no. {}",
        "step {}, op_id = 77",
        "train_batch_{}: forward+backward",
    ],
)
def test_names_with_a_running_number_are_steps(pattern):
    ranges = in_turn(*(pattern.format(number) for number in (3, 4, 5)))
    assert names(ranges) == ["3", "4", "5"]


@pytest.mark.parametrize(
    "pattern",
    [
        "optimizer step {}",
        "load batch {}",
        "aten::batch_norm, op_id = {}",
        "NativeBatchNormBackward0, seq = {}",
        "batch_size {}",
        "layer {}",
        "forward step {}",
        "epoch {}",
        "AllToAll4D, seq = {}, op_id = 4",
    ],
)
def test_parts_of_steps_and_other_numbered_names_are_none(pattern):
    assert names(in_turn(*(pattern.format(number) for number in (3, 4)))) == []


def test_a_single_numbered_step_is_enough_and_a_single_nameless_one_is_not():
    assert names(in_turn("step 3")) == ["3"]
    assert names(in_turn("train_step")) == []


def test_steps_without_numbers_are_counted_and_said():
    found = steps_among(in_turn("train_step", "train_step", "eval"), EVERY_NS)
    assert [mark.name for mark in found.marks] == ["1", "2"]
    assert found.counted == "train_step"


def test_a_step_of_the_optimizer_is_no_step_of_the_training():
    # ns       0        100   140       240   280
    # forward  [ forward ][step][ forward ][step]
    ranges = [
        NamedRange("step", 100, 140, 1),
        NamedRange("step", 240, 280, 1),
        NamedRange("forward", 0, 100, 1),
    ]
    assert names(ranges) == []


def test_of_nested_rows_the_outer_one_holds():
    # iteration 0 holds micro batches 0 and 1, iteration 1 holds 2 and 3
    outer = in_turn("iteration 0", "iteration 1", length=200)
    inner = in_turn(*(f"microbatch {number}" for number in range(4)), length=100)
    assert names([*inner, *outer]) == ["0", "1"]


def test_the_row_that_holds_more_of_the_work_wins():
    # all work is launched in the second half of each step
    launched_ns = np.r_[50:100, 150:200]
    data = [NamedRange(f"batch {at}", at * 100, at * 100 + 49, 1) for at in range(2)]
    train = [
        NamedRange(f"step {at + 7}", at * 100 + 50, at * 100 + 99, 1) for at in range(2)
    ]
    assert names([*data, *train], launched_ns) == ["7", "8"]


def test_pieces_of_a_step_are_one_step_and_numbers_may_come_again():
    ranges = in_turn("step 1 forward", "step 1 backward", "step 2", "step 1", "step 2")
    assert names(ranges) == ["1", "1", "2", "1 (2)", "2 (2)"]


def test_ranges_that_overlap_are_no_row_of_steps():
    ranges = [
        NamedRange(f"request batch {at}", at * 10, at * 10 + 500, 1) for at in range(9)
    ]
    assert names(ranges) == []


def test_of_two_threads_one_tells_the_steps():
    assert names(
        [*in_turn("step 1", "step 2", thread=1), *in_turn("step 1", "step 2", thread=2)]
    ) == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("autograd::engine::evaluate_function: AddmmBackward0", Phase.BACKWARD),
        ("## backward ##", Phase.BACKWARD),
        ("MLPBwd", Phase.BACKWARD),
        ("## forward ##", Phase.FORWARD),
        ("fwd", Phase.FORWARD),
        ("forward-backward", Phase.UNKNOWN),
        ("Optimizer.step#AdamW.step", Phase.OPTIMIZER),
        ("opt.step", Phase.OPTIMIZER),
        ("optim step", Phase.OPTIMIZER),
        ("DeepSpeedEngine.step", Phase.OPTIMIZER),
        ("DeepSpeedEngine.backward", Phase.BACKWARD),
        ("optimizer.zero_grad", Phase.UNKNOWN),
        ("adopt step", Phase.UNKNOWN),
        ("step 3", Phase.UNKNOWN),
    ],
)
def test_phases_by_name(text, phase):
    assert phase_named(text) is phase


def rows_of(columns):
    return sorted(
        (int(thread), int(start), int(end), Phase(phase).name)
        for thread, start, end, phase in zip(*columns.values(), strict=True)
    )


def test_a_thread_without_backward_ranges_takes_those_of_the_caller():
    # thread 1 calls the backward pass, thread 2 runs it, thread 3 has its own
    ranges = [
        NamedRange("backward", 10, 20, 1),
        NamedRange("forward", 0, 10, 1),
        NamedRange("LinearBackward", 40, 50, 3),
    ]
    assert rows_of(phases_among(ranges, [1, 2, 3], {})) == [
        (1, 0, 10, "FORWARD"),
        (1, 10, 20, "BACKWARD"),
        (2, 10, 20, "BACKWARD"),
        (2, 40, 50, "BACKWARD"),
        (3, 40, 50, "BACKWARD"),
    ]


def test_an_optimizer_step_that_calls_the_model_is_what_that_leaves():
    # ns         0    5        20          40   45
    # optimizer  [         around all            ]
    # model           [forward ][ backward ]
    ranges = [
        NamedRange("optimizer_step", 0, 45, 1),
        NamedRange("forward", 5, 20, 1),
        NamedRange("backward", 20, 40, 1),
    ]
    found = [
        row for row in rows_of(phases_among(ranges, [1], {})) if row[3] == "OPTIMIZER"
    ]
    assert found == [(1, 0, 5, "OPTIMIZER"), (1, 40, 45, "OPTIMIZER")]


def test_backward_functions_join_the_ranges_that_people_name():
    told = {1: np.array([[30, 35], [18, 25]])}
    found = phases_among([NamedRange("backward", 10, 20, 1)], [1], told)
    assert rows_of(found) == [(1, 10, 25, "BACKWARD"), (1, 30, 35, "BACKWARD")]


BOUNDS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(0, 9)).map(
        lambda one: (one[0], sum(one))
    ),
    min_size=1,
)


def instants(bounds):
    """The spans of one that bounds cover."""
    return {at for start, end in bounds for at in range(int(start), int(end))}


@given(BOUNDS, BOUNDS)
def test_unions_and_differences_cover_what_sets_do(first, second):
    a, b = _union(np.array(first)), _union(np.array(second))
    assert instants(a) == instants(first)
    assert instants(_minus(a, b)) == instants(first) - instants(second)
    assert (a[1:, 0] > a[:-1, 1]).all()
