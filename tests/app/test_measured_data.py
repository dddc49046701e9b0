"""Measured mode worked out ahead: every step of every device, and what is left out."""

import json
from dataclasses import replace

import numpy as np
import pytest

from overlap_widget.app.measured import example
from overlap_widget.app.measured_data import (
    MOST_STEPS,
    SHARED,
    left_out,
    measured_data,
)
from overlap_widget.app.said import text
from overlap_widget.model.recording import Step

EXAMPLE = example()


def long_recording(count, default):
    """As many steps as asked; only one of them is complete, which makes it default."""
    spans = EXAMPLE.spans
    step = np.arange(len(spans)) % count
    steps = tuple(Step(f"step {at}", at == default) for at in range(count))
    return replace(EXAMPLE, path="long.json", step=step.astype(np.int32), steps=steps)


def names_of(data):
    return names_in(data["recordings"][0])


def names_in(recording):
    return [one["name"] for one in recording["steps"][0]]


def test_without_a_recording_the_page_holds_the_example():
    data = measured_data(())

    assert [one["name"] for one in data["recordings"]] == ["example-trace.json.gz"]
    assert data["recordings"][0]["default_step"] == 2
    assert sorted(data["recordings"][0]["windows"]) == ["0/0", "0/1", "0/2", "0/3"]


def test_the_same_recording_is_held_once_and_namesakes_by_their_paths():
    other = replace(EXAMPLE, path="b/one.gz")
    data = measured_data([replace(EXAMPLE, path="a/one.gz"), other, other])

    assert [one["name"] for one in data["recordings"]] == ["a/one.gz", "b/one.gz"]


@pytest.mark.parametrize(
    ("default", "first"), [(0, 0), (11, 0), (20, 8), (38, 16), (39, 16)]
)
def test_of_many_steps_those_around_the_default_one_are_held(default, first):
    data = measured_data([long_recording(40, default)])
    recording = data["recordings"][0]

    assert names_of(data) == [f"step {at}" for at in range(first, first + MOST_STEPS)]
    assert recording["default_step"] == default - first
    begun = [at for at, one in enumerate(recording["steps"][0]) if one["default"]]
    assert begun == [default - first]
    assert set(recording["windows"]) == {f"0/{at}" for at in range(MOST_STEPS)}


def test_a_page_of_what_is_shown_begins_there_and_holds_the_steps_around():
    ranks = [replace(long_recording(40, 2), rank=rank) for rank in (0, 1)]
    data = measured_data([EXAMPLE, *ranks], (2, 0, 31))
    shown, other = data["recordings"][2], data["recordings"][1]

    assert data["begin"] == (2, 0, 15)
    assert shown["steps"][0][15]["name"] == "step 31"
    assert [one["name"] for one in other["steps"][0]] == names_in(shown)
    assert not any(one["default"] for one in shown["steps"][0])  # it isn't kept
    assert 0 <= shown["default_step"] < MOST_STEPS
    assert data["recordings"][0]["default_step"] == 2


def test_a_page_begins_at_the_default_step_of_the_first_recording_unless_told():
    assert measured_data([long_recording(40, 20), EXAMPLE])["begin"] == (0, 0, 12)


def test_steps_that_are_left_out_are_said_on_the_page_and_to_the_command():
    (said,) = left_out([long_recording(MOST_STEPS, 3), long_recording(40, 20)])
    warnings = measured_data([long_recording(40, 20)])["recordings"][0]["warnings"]

    assert said == f"long.json: {text(warnings[0])}"
    assert "24 of the 40 steps" in said
    assert said.endswith(".")
    assert not said.endswith("..")


def test_as_many_steps_as_a_page_holds_are_all_held():
    recording = long_recording(MOST_STEPS, 3)

    assert len(names_of(measured_data([recording]))) == MOST_STEPS
    assert left_out([recording]) == []


def test_what_steps_share_stands_once_and_all_of_it_is_plain_data():
    data = measured_data(())
    text = json.dumps(data, allow_nan=False)

    for window in data["recordings"][0]["windows"].values():
        assert not set(SHARED) & window["view"].keys()
        assert set(window["figure"]) == {"ranges", "props", "sources"}
    for name in EXAMPLE.spans.names:
        assert text.count(json.dumps(name)) == 1


def test_long_names_are_whole_in_the_tables_and_cut_elsewhere():
    # 100 kernel names are listed, by time: the last of 150 is none of them.
    count = 150
    names = tuple(f"{at} {'x' * 500}" for at in range(count))
    rows = np.zeros(len(EXAMPLE.spans), dtype=bool)
    rows[:count] = True
    spans = replace(
        EXAMPLE.spans.select(rows),
        names=names,
        name=np.arange(count, dtype=np.int32),
        kind=np.zeros(count, dtype=np.uint8),
        end_s=EXAMPLE.spans.start_s[:count] + 1e-3 * np.arange(count, 0, -1),
    )
    recording = replace(
        EXAMPLE,
        spans=spans,
        device=EXAMPLE.device[:count],
        step=np.zeros(count, dtype=np.int32),
        phase=EXAMPLE.phase[:count],
        group=EXAMPLE.group[:count],
        loaded_kind=np.zeros(count, dtype=np.uint8),
        steps=(Step("0", True),),
    )
    held = measured_data([recording])["recordings"][0]["names"]

    assert held[0] == names[0]
    assert held[-1] == f"{names[-1][:140]}…"
