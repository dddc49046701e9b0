"""Two steps beside each other: differences by hand, and laws that always hold.

before  compute  ===========-----        before: 16 = 11 compute + 5 exposed
        transfer        ========                  8 communication, 3 hidden
after   compute  =========--.=           after:  13 = 10 compute + 2 exposed + 1 idle
        transfer   =========                      9 communication, 7 hidden
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.model.breakdown import break_down
from overlap_widget.model.comparison import (
    Cause,
    Change,
    Doubt,
    Length,
    StepNumbers,
    compare,
    numbers_of_rows,
    spread_s,
)
from overlap_widget.model.measurement import measure
from overlap_widget.model.recording import window
from overlap_widget.model.timeline import Kind
from overlap_widget.model.traces import load

BEFORE = StepNumbers(
    span_s=16.0,
    compute_s=11.0,
    communication_s=8.0,
    hidden_s=3.0,
    exposed_s=5.0,
    tail_s=5.0,
    idle_s=0.0,
    waiting_s=None,
    transfers=1,
    size_bytes=800.0,
    backward_found=True,
    complete=True,
)
AFTER = replace(
    BEFORE,
    span_s=13.0,
    compute_s=10.0,
    communication_s=9.0,
    hidden_s=7.0,
    exposed_s=2.0,
    tail_s=2.0,
    idle_s=1.0,
    transfers=3,
)
DATA = Path(__file__).parents[1] / "data" / "kineto"


def test_what_rounding_makes_of_a_sum_is_no_change():
    after = replace(BEFORE, exposed_s=BEFORE.exposed_s - 4e-10, idle_s=2e-9)
    changes = {row.name: row.change for row in compare(BEFORE, after).rows}
    assert str(changes["exposed_s"]) == "0.0"
    assert changes["idle_s"] == pytest.approx(2e-9)


def test_every_number_has_its_change():
    rows = {row.name: row.change for row in compare(BEFORE, AFTER).rows}
    assert rows == {
        "span_s": -3.0,
        "compute_s": -1.0,
        "communication_s": 1.0,
        "hidden_s": 4.0,
        "exposed_s": -3.0,
        "tail_s": -3.0,
        "waiting_s": None,
        "idle_s": 1.0,
        "transfers": 2,
        "size_bytes": 0.0,
    }


def test_what_makes_a_step_shorter_comes_first_and_what_goes_against_it_apart():
    found = compare(BEFORE, AFTER)
    assert (found.length, found.change_s) == (Length.SHORTER, -3.0)
    assert found.reasons == (Change(Cause.EXPOSED, -3.0), Change(Cause.COMPUTE, -1.0))
    assert found.against == (Change(Cause.IDLE, 1.0),)


def test_the_other_way_round_everything_has_the_other_sign():
    found = compare(AFTER, BEFORE)
    assert (found.length, found.change_s) == (Length.LONGER, 3.0)
    assert found.reasons == (Change(Cause.EXPOSED, 3.0), Change(Cause.COMPUTE, 1.0))
    assert found.against == (Change(Cause.IDLE, -1.0),)


def test_of_steps_as_long_what_makes_up_for_each_other_stands_together():
    after = replace(AFTER, span_s=15.9, compute_s=12.9)
    found = compare(BEFORE, after)
    assert found.length is Length.SAME
    assert [change.cause for change in found.reasons] == [
        Cause.EXPOSED,
        Cause.COMPUTE,
        Cause.IDLE,
    ]
    assert found.against == ()


def test_a_step_with_itself_differs_in_nothing():
    found = compare(BEFORE, BEFORE)
    assert (found.length, found.reasons, found.against) == (Length.SAME, (), ())


@pytest.mark.parametrize(
    ("changed", "doubt"),
    [
        ({"complete": False}, Doubt.INCOMPLETE),
        ({"backward_found": False}, Doubt.TAIL_GUESSED),
        ({"size_bytes": None}, Doubt.SIZES_UNKNOWN),
        ({"spread_s": 3.0}, Doubt.SPREAD),
    ],
)
def test_what_cannot_be_compared_is_a_doubt(changed, doubt):
    before, after = (replace(one, waiting_s=0.5) for one in (BEFORE, AFTER))
    assert compare(before, after).doubts == ()
    assert compare(before, replace(after, **changed)).doubts == (doubt,)
    assert compare(replace(before, **changed), after).doubts == (doubt,)


def test_one_rank_on_either_side_leaves_waiting_unknown():
    found = compare(BEFORE, replace(AFTER, waiting_s=1.0))
    assert found.doubts == (Doubt.WAITING_UNKNOWN,)


def numbers_of_window(shown):
    """The slow twin: a step cut from its recording, as numbers to compare."""
    parts = break_down(shown.timeline)
    sizes = shown.timeline.size_bytes[shown.timeline.kind == Kind.COMMUNICATION]
    return StepNumbers(
        span_s=parts.span_s,
        compute_s=parts.compute_s,
        communication_s=parts.communication_s,
        hidden_s=parts.hidden_s,
        exposed_s=parts.exposed_s,
        tail_s=parts.tail_s,
        idle_s=parts.idle_s,
        waiting_s=None,
        transfers=len(sizes),
        size_bytes=None if np.isnan(sizes).any() else float(sizes.sum()),
        backward_found=shown.backward_found,
        complete=shown.step.complete,
        spread_s=None,
    )


def test_without_communication_neither_tail_nor_sizes_nor_waiting_are_in_doubt():
    quiet = replace(
        BEFORE,
        communication_s=0.0,
        hidden_s=0.0,
        exposed_s=0.0,
        tail_s=0.0,
        transfers=0,
        backward_found=False,
    )
    assert compare(quiet, quiet).doubts == ()


@pytest.mark.parametrize("name", ["first-step-one-bucket", "step-behind-the-clock"])
def test_a_step_is_the_same_numbers_from_its_recording_and_from_its_row(name):
    recording = load(str(DATA / f"{name}.json"))
    measured = measure([recording])
    for at, row in enumerate(measured.steps):
        moved = [one for one in measured.transfers if one.step == row.step]
        shown = window(recording, row.device, at)
        assert numbers_of_rows(row, moved) == numbers_of_window(shown)


def test_an_unknown_size_leaves_the_bytes_unknown():
    recording = load(str(DATA / "step-behind-the-clock.json"))
    measured = measure([recording])
    row = measured.steps[1]
    moved = [one for one in measured.transfers if one.step == row.step]
    assert None in [one.bytes for one in moved]
    assert numbers_of_rows(row, moved).size_bytes is None


@pytest.mark.parametrize(
    ("lengths_s", "apart_s"),
    [([], None), ([4.0], None), ([9.0, 4.0], 5.0), ([9.0, 4.0, 4.5, 4.2], 0.5)],
)
def test_the_spread_of_a_run_leaves_its_first_step_aside(lengths_s, apart_s):
    assert spread_s(lengths_s) == apart_s


seconds = st.floats(0, 1e3, allow_nan=False)


@st.composite
def steps(draw):
    """Any step: its length is its compute, exposed and idle time."""
    compute_s, exposed_s, idle_s = draw(seconds), draw(seconds), draw(seconds)
    hidden_s = draw(st.floats(0, 1)) * compute_s
    return replace(
        BEFORE,
        span_s=compute_s + exposed_s + idle_s,
        compute_s=compute_s,
        communication_s=exposed_s + hidden_s,
        hidden_s=hidden_s,
        exposed_s=exposed_s,
        idle_s=idle_s,
    )


@given(steps(), steps())
def test_reasons_and_what_is_against_them_add_up_to_the_change(before, after):
    found = compare(before, after)
    told_s = sum(one.change_s for one in (*found.reasons, *found.against))
    untold_s = 2 * 0.01 * max(before.span_s, after.span_s) + 1e-9
    assert told_s == pytest.approx(found.change_s, abs=untold_s)


@given(steps(), steps())
def test_a_comparison_turned_round_only_changes_signs(before, after):
    there, back = compare(before, after), compare(after, before)
    assert there.change_s == -back.change_s
    assert there.doubts == back.doubts
    turned = {Length.SHORTER: Length.LONGER, Length.LONGER: Length.SHORTER}
    assert there.length is turned.get(back.length, Length.SAME)
