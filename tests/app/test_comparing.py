"""Comparing two steps in a session: which ones, what differs, one time axis."""

from dataclasses import replace

import pytest

from overlap_widget.app.against import (
    compare_with,
    compare_with_device,
    compare_with_step,
    compared,
    swapped,
)
from overlap_widget.app.comparison_view import both_figures
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.measured import all_opened, choose_recording, example
from overlap_widget.app.measured_view import measured_view
from overlap_widget.app.recorded_figures import recorded_figures
from overlap_widget.model.recording import Step

EXAMPLE = example()  # steps 10 to 13, of which it looks at 12
OTHER = replace(
    EXAMPLE,
    path="other.json",
    rank=None,
    steps=tuple(Step(name, complete=True) for name in ("a", "12", "b", "c")),
)
BOTH = all_opened([EXAMPLE, OTHER])


def shown(measured):
    return measured.recording, measured.device, measured.step


def test_nothing_is_compared_at_first():
    view = measured_view(BOTH)

    assert view["against"] is None
    assert list(recorded_figures(BOTH)) == ["recording"]
    with pytest.raises(ValueError, match="nothing to compare with"):
        compared(BOTH)


def test_another_recording_is_compared_at_the_step_of_the_same_name():
    assert compare_with(BOTH, 1).against == (1, 0, 1)
    assert compare_with(choose_recording(BOTH, 1), 0).against == (0, 0, 2)
    assert compare_with(BOTH, 99).against == (1, 0, 1)


def test_the_same_recording_is_compared_with_the_step_before_or_else_after():
    assert compare_with(BOTH, 0).against == (0, 0, 1)
    assert compare_with(replace(BOTH, step=0), 0).against == (0, 0, 1)


def test_step_and_device_stay_within_what_the_recording_has():
    measured = compare_with(BOTH, 1)

    assert compare_with_step(measured, 99).against == (1, 0, 3)
    assert compare_with_device(measured, 99).against == (1, 0, 1)
    assert compare_with_step(BOTH, 1) == compare_with_device(BOTH, 1) == BOTH


def test_swapped_twice_is_as_before_and_stopped_is_nothing():
    measured = compare_with(BOTH, 1)
    other_way = swapped(measured)

    assert (shown(other_way), other_way.against) == ((1, 0, 1), (0, 0, 2))
    assert swapped(other_way) == measured
    assert swapped(BOTH) == BOTH
    assert compare_with(measured, -1) == BOTH


def test_a_part_of_a_step_is_compared_with_nothing():
    part = replace(BOTH, part_s=(0.001, 0.002))

    assert compare_with(part, 1).part_s is None
    assert compare_with(part, -1).part_s == (0.001, 0.002)


def test_what_is_compared_anew_is_in_view_from_end_to_end():
    zoomed = replace(BOTH, window_s=(0.001, 0.002), against=(1, 0, 1))
    acts = (compare_with, compare_with_device, compare_with_step)
    for measured in [act(zoomed, 0) for act in acts] + [compare_with(zoomed, -1)]:
        assert measured.window_s is None


def test_numbers_of_both_stand_beside_each_other_the_shown_step_as_the_one_after():
    measured = replace(BOTH, step=1, against=(0, 0, 3))
    view = measured_view(measured)
    before = measured_view(compared(measured))
    rows = {
        name: (before, after)
        for name, before, after in zip(*view["against"]["rows"].values(), strict=True)
    }

    assert (view["against"]["recording"], view["against"]["step"]) == (0, 3)
    for name in ("span_s", "exposed_s", "transfers", "size_bytes"):
        assert rows[name] == (before["numbers"][name], view["numbers"][name])
    assert rows["waiting_s"] == (None, None)
    assert view["against"]["said"][0]["values"]["after_s"] == view["numbers"]["span_s"]


def test_steps_are_judged_by_how_much_those_of_their_runs_differ():
    doubts = [
        one["key"] for one in measured_view(compare_with(BOTH, 0))["against"]["said"]
    ]

    assert "compare.doubt.waiting_unknown" in doubts
    cut = tuple(replace(step, complete=False) for step in EXAMPLE.steps)
    measured = all_opened([replace(EXAMPLE, steps=cut)])
    said = measured_view(compare_with(measured, 0))["against"]["said"]
    assert "compare.doubt.incomplete" in [one["key"] for one in said]


def test_both_are_drawn_on_the_time_axis_of_the_longer_one():
    measured = replace(BOTH, step=1, against=(0, 0, 0))
    figures = recorded_figures(measured)
    alone = [recorded_figures(replace(BOTH, step=step))["recording"] for step in (1, 0)]
    ends = [one["ranges"]["recording_x"]["end"] for one in alone]

    assert list(figures) == ["recording", "against"]
    assert ends[1] > ends[0]
    for figure, own in zip(figures.values(), alone, strict=True):
        assert figure["ranges"]["recording_x"]["end"] == ends[1]
        assert figure["frame"] == "0/0/1 0/0/0"
        assert figure["sources"] == own["sources"]
    swapped_figures = both_figures(alone[1], alone[0])
    assert swapped_figures["recording"]["ranges"]["recording_x"]["end"] == ends[1]


def test_the_part_in_view_is_drawn_finer_in_both():
    measured = replace(BOTH, against=(1, 0, 0), window_s=(0.004, 0.005))
    figures = recorded_figures(measured)
    whole = recorded_figures(replace(measured, window_s=None))

    for name in ("recording", "against"):
        assert figures[name]["sources"] != whole[name]["sources"]


def test_a_session_takes_the_moves_of_comparing():
    explorer = Explorer([EXAMPLE, OTHER])
    front = explorer.__panel__()
    moves = [
        {"type": "against", "value": 1},
        {"type": "against_step", "value": 3},
        {"type": "against_device", "value": 0},
        {"type": "swap"},
    ]
    for seq, move in enumerate(moves):
        explorer.move({**move, "seq": seq})

    assert explorer.measured.against == (0, 0, 2)
    assert shown(explorer.measured) == (1, 0, 3)
    assert sorted(front.parts["figures"]) == ["against", "recording"]
    explorer.move({"type": "against", "value": "-1", "seq": 9})
    assert front.parts["view"]["measured"]["against"] is None
    explorer.move({"type": "against", "value": "one", "seq": 10})
    assert front.parts["view"]["notices"][0]["key"] == "notice.bad_move"
