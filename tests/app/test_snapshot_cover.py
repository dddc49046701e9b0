"""A page or a picture that asks first: in its markup nothing tells the answer."""

import re
from dataclasses import replace

import pytest

from overlap_widget.app.address import read_address
from overlap_widget.app.embedded import embedded_page
from overlap_widget.app.measured import Measured, example, opened
from overlap_widget.app.picture import picture_svg, streams_svg
from overlap_widget.app.quantities import time_text
from overlap_widget.app.settings import DEFAULT, settings_of, simulation_of
from overlap_widget.app.snapshot import snapshot
from overlap_widget.model.effects import Effects
from overlap_widget.model.scenarios import FAST_HARDWARE
from overlap_widget.model.units import MS

# Unequal on purpose: no answer is a layer, a bucket or a stop of a slider.
SEVEN = replace(DEFAULT, bucket=7, overhead_s=1.3e-3)
QUEUED = replace(settings_of(FAST_HARDWARE), bucket=1, overhead_s=0.7e-3)


def told(text, time_s):
    """Whether a text has a time: as the page writes it, or in milliseconds."""
    shown = re.escape(time_text(time_s)).replace(r"\ ", "[ \N{NO-BREAK SPACE}]")
    return re.search(rf"(?<![\d.]){shown}|(?<![\d.]){time_s / MS:.2f}", text)


def answers(settings):
    """The tail and what makes it: all of them, so that a place may be rounded."""
    simulation = simulation_of(settings)
    hidden = (simulation.hidden_s, simulation.communication_s, simulation.step_s)
    return [simulation.tail.total_s, *hidden]


@pytest.mark.parametrize("settings", [SEVEN, QUEUED], ids=["last bucket", "queue"])
@pytest.mark.parametrize("draw", [lambda s: snapshot(s, []), picture_svg])
def test_the_answer_is_in_no_markup_until_it_isnt_asked_any_more(settings, draw):
    covered = draw(replace(settings, predict="tail"))
    open_one = draw(settings)

    assert [time_s for time_s in answers(settings) if told(covered, time_s)] == []
    assert told(open_one, answers(settings)[0])
    assert "How long is the exposed tail after the" in covered
    assert "How long is" not in open_one


def test_lanes_end_with_the_pass_and_are_as_wide_as_the_page_draws_them():
    covered = snapshot(replace(SEVEN, predict="tail"), [])
    bars = re.findall(r'<rect x="([\d.]+)%" y="[\d.]+" width="([\d.]+)%"', covered)
    ends = [float(left) + float(width) for left, width in bars]

    assert max(ends) == pytest.approx(100 * 60 / 150)  # of an axis of two passes
    assert "?" in re.findall(r"<dd>(.*?)</dd>", covered)
    assert "60\N{NO-BREAK SPACE}ms" in re.findall(r"<dd>(.*?)</dd>", covered)


def test_of_a_recorded_step_neither_communication_nor_a_number_is_drawn():
    settings = replace(DEFAULT, mode="measured", predict="best")
    covered = snapshot(settings, [example()])

    assert told(snapshot(replace(settings, predict="off"), [example()]), 5.53e-3)
    assert not told(covered, 5.53e-3)
    assert not told(covered, 7.05e-3)
    assert "overlap-numbers" not in covered
    measured = opened(Measured(), example())
    assert "exposed" not in streams_svg(measured, covered=True)


@pytest.mark.parametrize("step", ["floor", "balance", "lever"])
def test_a_step_of_the_lesson_starts_with_its_question(step):
    settings, _ = read_address(f"lesson={step}", DEFAULT)
    covered = snapshot(settings, [])
    asked = {
        "floor": "How long is the exposed tail after the 60\N{NO-BREAK SPACE}ms pass?",
        "balance": "Which bucket size leaves the shortest tail?",
        "lever": "With 6 transfers, what would shorten the tail most?",
    }
    assert asked[step] in covered
    assert not told(covered, simulation_of(settings).tail.total_s)


def test_where_transfers_slow_compute_the_shortest_step_is_asked_for():
    slowed = replace(DEFAULT, effects=Effects(slowdown=0.2), predict="best")
    assert "Which bucket size makes the shortest step?" in snapshot(slowed, [])


def test_after_several_passes_the_tail_of_the_last_one_is_asked_for():
    spread = replace(DEFAULT, effects=Effects(micro_steps=4), predict="tail")
    assert "exposed tail after the last backward pass?" in snapshot(spread, [])


def test_the_whole_page_starts_covered_and_its_verdict_isnt_in_it():
    page = embedded_page(replace(SEVEN, predict="tail"))
    before_scripts = page[: page.index('<script type="application/json"')]

    assert "Result hidden until you reveal it." in before_scripts
    assert not told(before_scripts, answers(SEVEN)[0])
