"""A part of the step in a session: its bounds, its numbers, and what ends it."""

from dataclasses import replace

import numpy as np
import pytest

from overlap_widget.app.against import compare_with
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.measured import (
    Measured,
    choose_device,
    choose_recording,
    choose_step,
    example,
    opened,
)
from overlap_widget.app.measured_view import measured_view
from overlap_widget.app.said import text
from overlap_widget.app.step_part import choose_part, whole_step
from overlap_widget.app.step_rows import step_rows
from overlap_widget.app.step_view import shown_window
from overlap_widget.app.stream_columns import stream_columns
from overlap_widget.model.breakdown import break_down
from overlap_widget.model.recording import window
from overlap_widget.model.step_remarks import remarks

EXAMPLE = opened(Measured(), example())
SPAN_S = measured_view(EXAMPLE)["numbers"]["span_s"]


def numbers(measured):
    return measured_view(measured)["numbers"]


def test_the_numbers_are_those_of_the_part_and_parts_add_up():
    cut_s = 0.0301
    parts = [
        numbers(choose_part(EXAMPLE, *edges))
        for edges in ((0, cut_s), (cut_s, 2 * SPAN_S))
    ]
    whole = numbers(EXAMPLE)

    assert [part["span_s"] for part in parts] == [cut_s, SPAN_S - cut_s]
    for key in ("compute_s", "exposed_s", "hidden_s", "idle_s", "backward_s"):
        assert sum(part[key] for part in parts) == pytest.approx(whole[key])
    assert parts[0]["transfers"] < whole["transfers"]
    assert parts[0]["tail_s"] == 0


def test_tables_and_sentences_are_of_the_part_and_steps_of_the_whole():
    view = measured_view(choose_part(EXAMPLE, 0, 0.01))

    assert view["part"] == {"start_s": 0, "end_s": 0.01}
    assert view["sentence"] == "measured.none"
    assert view["transfers"]["transfers_total"] == 0
    assert sum(view["kernels"]["count"]) == view["numbers"]["kernels"]
    assert view["steps"] == measured_view(EXAMPLE)["steps"]


@pytest.mark.parametrize(
    "edges", [(3, 2), (0, 0), (float("nan"), 1), (-2, -1), (9, 10), (0, float("inf"))]
)
def test_what_is_no_part_of_the_step_changes_nothing(edges):
    assert choose_part(EXAMPLE, *edges) == EXAMPLE


def test_a_part_that_covers_the_step_is_all_of_it():
    part = choose_part(EXAMPLE, 0.01, 0.02)

    assert part.part_s == (0.01, 0.02)
    assert choose_part(part, -1, 99).part_s is None
    assert whole_step(part) == EXAMPLE


def test_another_step_device_recording_or_comparison_is_of_whole_steps():
    part = choose_part(EXAMPLE, 0.01, 0.02)
    for choose in (choose_step, choose_device, choose_recording, compare_with):
        assert choose(part, 0).part_s is None
    assert choose_part(compare_with(EXAMPLE, 0), 0.01, 0.02).against is None


def test_the_picture_shows_all_of_the_step_and_what_the_part_leaves_out():
    part = choose_part(EXAMPLE, 0.01, 0.02)
    whole, shown = (
        stream_columns(one, shown_window(one))["sources"] for one in (EXAMPLE, part)
    )

    assert whole["left_out"]["left"] == []
    assert shown["left_out"]["right"][0] == pytest.approx(10)
    assert shown["left_out"]["left"][1] == pytest.approx(20)
    assert shown["compute"] == whole["compute"]


def test_phases_are_named_with_their_lengths_above_the_highest_lane():
    sources = stream_columns(EXAMPLE, shown_window(EXAMPLE))["sources"]
    top = max(sources["compute"]["top"])

    assert sources["phases"]["phase"][:2] == ["forward", "backward"]
    assert text(sources["phase_labels"]["text"][1]).startswith("backward 30.")
    assert min(sources["phases"]["bottom"]) > top
    assert sources["phases"]["length"][1] == pytest.approx(
        numbers(EXAMPLE)["backward_s"] * 1e3
    )


def test_steps_beside_each_other_are_as_if_each_were_cut_alone():
    recording = example()
    rows = step_rows(recording, 0)
    spans_s = [row["span_s"] for row in rows]
    for at, row in enumerate(rows):
        alone = break_down(window(recording, 0, at).timeline)
        for key in ("span_s", "exposed_s", "tail_s"):
            assert row[key] == pytest.approx(getattr(alone, key), abs=1e-12)
        assert row["name"] == recording.steps[at].name
    assert [row["remark"] for row in rows] == remarks(recording.steps, spans_s)
    assert step_rows(recording, 0) is step_rows(recording, 0)  # worked out once


def test_each_device_has_its_own_steps():
    recording = example()
    device = (recording.spans.stream == recording.spans.stream.max()).astype(np.int32)
    recording = replace(recording, device=device * 3)
    for number in (0, 3):
        alone = [window(recording, number, at) for at in range(len(recording.steps))]
        spans_s = [break_down(one.timeline).span_s for one in alone]
        found_s = [row["span_s"] for row in step_rows(recording, number)]
        assert found_s == pytest.approx(spans_s, abs=1e-12)


def test_the_step_that_a_recording_opens_at_is_marked():
    rows = step_rows(example(), 0)

    assert [at for at, row in enumerate(rows) if row["default"]] == [EXAMPLE.step]


def test_a_part_is_a_move_of_a_session():
    explorer = Explorer(query="mode=measured")
    explorer.move({"type": "part", "start_s": "0.01", "end_s": 0.02})
    part = explorer.__panel__().parts["view"]["measured"]["part"]
    explorer.move({"type": "whole_step"})

    assert part == {"start_s": 0.01, "end_s": 0.02}
    assert explorer.__panel__().parts["view"]["measured"]["part"] is None
