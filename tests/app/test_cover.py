"""While a question is open, nothing that the front gets tells its answer."""

from dataclasses import replace

import pytest

from overlap_widget.app.explorer import Explorer
from overlap_widget.app.lesson import QUESTIONS
from overlap_widget.app.settings import DEFAULT, settings_of, simulation_of
from overlap_widget.model.scenarios import FAST_HARDWARE

PARTS = ("view", "figures", "sweep", "map", "ranks")


def handed_over(explorer):
    shown = explorer.__panel__().parts
    return {part: shown[part] for part in PARTS}


def numbers_in(data):
    """Every number anywhere in plain data."""
    if isinstance(data, dict):
        return [one for part in data.values() for one in numbers_in(part)]
    if isinstance(data, (list, tuple)):
        return [one for part in data for one in numbers_in(part)]
    is_number = isinstance(data, (int, float)) and not isinstance(data, bool)
    return [data] if is_number else []


def is_told(time_s, numbers):
    """Whether a time is among the numbers, in seconds or in milliseconds."""
    return any(
        one == pytest.approx(time_s * factor, rel=1e-9)
        for one in numbers
        for factor in (1, 1e3)
    )


def answers_of(settings):
    """The tail, its backlog and the times after the end of the pass."""
    simulation = simulation_of(settings)
    pass_s = simulation.backward_s
    ends_s = [one.end_s for one in simulation.transfers]
    tail, late_s = simulation.tail, [end for end in ends_s if end > 1e-9 + pass_s]
    return [tail.total_s, *filter(None, [tail.queued_s]), *late_s, simulation.step_s]


# Unequal on purpose: no answer is the size of a layer, a bucket or a stop of a slider.
SEVEN = replace(DEFAULT, bucket=7, overhead_s=1.3e-3)
QUEUED = replace(settings_of(FAST_HARDWARE), bucket=1, overhead_s=0.7e-3)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("settings", [SEVEN, QUEUED], ids=["last bucket", "queue"])
def test_no_time_after_the_pass_is_told_until_it_is_revealed(settings, question):
    explorer = Explorer(settings=replace(settings, predict=question))
    covered = numbers_in(handed_over(explorer))
    answers = answers_of(settings)

    assert [one for one in answers if is_told(one, covered)] == []

    explorer.move({"type": "set", "key": "predict", "value": "off"})
    revealed = numbers_in(handed_over(explorer))
    assert [one for one in answers if not is_told(one, revealed)] == []


def test_a_covered_step_is_drawn_up_to_the_end_of_its_pass():
    figures = handed_over(Explorer(settings=replace(SEVEN, predict="tail")))["figures"]
    lanes = figures["lanes"]["sources"]

    # Seven layers are ready at 35 ms and sent until 59.63; the other five start at 60.
    assert lanes["hidden"]["left"] == [pytest.approx(35)]
    assert lanes["hidden"]["end"] == [pytest.approx(35 + 1.3 + 280 / 12)]
    assert lanes["exposed"]["left"] == lanes["tail_label"]["text"] == []
    assert len(lanes["compute"]["left"]) == 12


def test_a_transfer_that_outlasts_the_pass_doesnt_tell_its_end():
    figures = handed_over(Explorer(settings=replace(QUEUED, predict="tail")))["figures"]
    hidden = figures["lanes"]["sources"]["hidden"]
    waiting = figures["lanes"]["sources"]["waiting"]

    assert hidden["right"][-1] == pytest.approx(30)
    assert hidden["end"][-1] is None
    assert max(waiting["right"]) == pytest.approx(30)
    assert waiting["start"][-1] is None


def test_the_axis_of_a_covered_step_is_the_same_whatever_the_tail():
    axes = {
        bucket: handed_over(
            Explorer(settings=replace(DEFAULT, bucket=bucket, predict="tail"))
        )["figures"]["lanes"]["ranges"]["lanes_x"]["end"]
        for bucket in (1, 7, 12)
    }
    assert set(axes.values()) == {150}  # two passes of 60 ms, made round


def test_the_curve_the_map_and_the_tables_are_empty():
    shown = handed_over(Explorer(settings=replace(SEVEN, predict="best")))

    assert shown["sweep"]["sizes"] is None
    assert shown["map"]["table"] is None
    assert shown["view"]["explore"]["transfers"] is None
    assert shown["view"]["explore"]["regime"] is None
    assert shown["view"]["explore"]["explanation"] == []
    for part, figure in (("sweep", "curve"), ("map", "map")):
        for columns in shown[part]["figures"][figure]["sources"].values():
            assert not any(columns.values())


def test_of_a_recorded_step_only_compute_is_shown_up_to_the_end_of_its_pass():
    explorer = Explorer(query="mode=measured&predict=best")
    shown = handed_over(explorer)
    sources = shown["figures"]["recording"]["sources"]
    pass_ms = shown["figures"]["recording"]["props"]["pass_end"]["location"]

    assert shown["view"]["covered"] == "tail"
    assert set(shown["view"]["measured"]) == {
        *("recordings", "recording", "devices", "device", "step")
    }
    assert shown["ranks"] == {}
    axis = shown["figures"]["recording"]["ranges"]["recording_x"]
    assert axis["end"] == pytest.approx(1.4 * pass_ms - 0.4 * axis["start"])
    assert axis["bounds"] == [axis["start"], axis["end"]]
    assert 0 < max(sources["compute"]["left"]) < pass_ms  # the optimizer waits for it
    assert max(sources["phase_labels"]["x"]) < pass_ms
    for name in ("hidden", "exposed", "tail", "tail_label"):
        assert not any(sources[name].values())


def test_a_recorded_run_that_is_explored_doesnt_tell_its_measured_tail():
    explorer = Explorer(query="mode=measured")
    explorer.move({"type": "try"})
    explorer.move({"type": "set", "key": "predict", "value": "tail"})
    view = explorer.__panel__().parts["view"]

    assert view["controls"]["scenario"]["run"]["tail_s"] is None


def test_moves_keep_the_cover_until_it_is_lifted():
    explorer = Explorer(settings=replace(SEVEN, predict="best"))
    for move in (
        {"type": "set", "key": "bucket", "value": 3},
        {"type": "preset", "value": "costly_starts"},
        {"type": "reset"},
        {"type": "export"},
    ):
        explorer.move(move)
        assert explorer.__panel__().parts["view"]["covered"] == "best", move
        assert explorer.__panel__().parts["sweep"]["sizes"] is None
