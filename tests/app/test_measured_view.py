"""The view state of a measured step: numbers, tables, and what can't be told."""

import json
from dataclasses import replace

import pytest

from overlap_widget.app.measured import (
    Measured,
    choose_recording,
    choose_step,
    example,
    look_at,
    opened,
)
from overlap_widget.app.measured_view import measured_view
from overlap_widget.app.said import text

EXAMPLE = opened(Measured(), example())


def test_nothing_is_shown_without_a_recording():
    assert measured_view(Measured()) is None


def test_the_parts_of_communication_add_up():
    numbers = measured_view(EXAMPLE)["numbers"]
    parts_s = numbers["hidden_s"] + numbers["exposed_s"]

    assert parts_s == pytest.approx(numbers["communication_s"])
    assert numbers["overlap"] == pytest.approx(
        numbers["hidden_s"] / numbers["communication_s"]
    )


def test_the_tables_hold_every_transfer_and_the_busiest_kernels_first():
    view = measured_view(EXAMPLE)

    assert len(view["transfers"]["name"]) == view["numbers"]["transfers"]
    assert view["kernels"]["time_s"] == sorted(view["kernels"]["time_s"], reverse=True)
    assert sum(view["kernels"]["count"]) == view["numbers"]["kernels"]
    json.dumps(view, allow_nan=False)


def test_one_rank_says_that_it_cant_tell_waiting_from_moving():
    assert "waiting for a slower rank" in text(measured_view(EXAMPLE)["warnings"][-1])


def test_files_of_the_same_name_are_told_apart_by_their_folders():
    alone = measured_view(EXAMPLE)["recordings"][0]["name"]
    recording = example()
    twins = Measured()
    for path in ("/runs/a/trace.json", "/runs/b/trace.json"):
        twins = opened(twins, replace(recording, path=path))
    names = [one["name"] for one in measured_view(twins)["recordings"]]

    assert alone == "example-trace.json.gz"
    assert names == ["/runs/a/trace.json", "/runs/b/trace.json"]


def test_processes_of_one_file_are_told_apart_by_their_ranks_not_by_folders():
    ranks = [
        replace(example(), path="/runs/a/report.sqlite", rank=rank) for rank in (0, 1)
    ]
    shown = measured_view(opened(Measured(), *ranks))["recordings"]

    assert [one["name"] for one in shown] == ["report.sqlite"] * 2
    assert [one["rank"] for one in shown] == [0, 1]


def test_choices_outside_of_a_recording_are_the_nearest_inside():
    steps = len(example().steps)

    assert choose_step(EXAMPLE, 99).step == steps - 1
    assert choose_recording(EXAMPLE, -5).recording == 0


def test_a_window_without_length_or_end_changes_nothing():
    for start_s, end_s in ((2, 2), (3, 1), (float("nan"), 1), (0, float("inf"))):
        assert look_at(EXAMPLE, start_s, end_s) == EXAMPLE


def test_processes_of_one_file_without_ranks_are_numbered():
    recording = replace(example(), rank=None)
    later = replace(recording, spans=recording.spans.since(-1))
    names = [
        one["name"]
        for one in measured_view(opened(Measured(), recording, later))["recordings"]
    ]

    assert names == ["example-trace.json.gz", "example-trace.json.gz (2)"]
