"""The named scenarios, and where their numbers are from."""

import pytest

from overlap_widget.model import simulate, whole_layers
from overlap_widget.model.scenarios import (
    COURSE,
    FAST_HARDWARE,
    SCENARIOS,
    TRAFFIC_ABOVE_WORK,
)

LONGEST_TITLE = 48  # characters that fit a select box


def test_the_teaching_scenarios_come_first_and_the_real_models_follow():
    assert list(SCENARIOS) == [
        *("course", "fast-hardware", "traffic-above-work"),
        *("gpt2-small", "bert-base", "gpt2-large", "resnet-50", "resnet-18"),
    ]


def test_the_course_is_twelve_equal_layers_from_the_last_to_the_first():
    assert [layer.name for layer in COURSE.layers[:2]] == ["layer 12", "layer 11"]
    assert COURSE.layers[-1].name == "layer 1"
    assert {(layer.backward_s, layer.gradient_bytes) for layer in COURSE.layers} == {
        (5e-3, 40e6)
    }
    assert (COURSE.link.overhead_s, COURSE.link.bandwidth_bytes_per_s) == (1e-3, 12e9)
    assert len(COURSE.layers) == 12


def test_fast_hardware_computes_the_course_in_half_the_time():
    for fast, course in zip(FAST_HARDWARE.layers, COURSE.layers, strict=True):
        assert fast.backward_s == course.backward_s / 2
        assert fast.gradient_bytes == course.gradient_bytes
    assert FAST_HARDWARE.link == COURSE.link


def test_traffic_above_work_sends_the_course_for_twice_its_pass():
    # 480 MB at 4 GB/s and 1 ms, over 60 ms
    whole = simulate(TRAFFIC_ABOVE_WORK.layers, (12,), TRAFFIC_ABOVE_WORK.link)

    assert TRAFFIC_ABOVE_WORK.layers == COURSE.layers
    assert whole.traffic_to_work == pytest.approx(121 / 60)


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_a_scenario_has_a_short_title_and_says_where_its_numbers_are_from(scenario):
    assert SCENARIOS[scenario.name] is scenario
    assert 0 < len(scenario.title) <= LONGEST_TITLE
    assert scenario.source.endswith(".")
    assert scenario.times.endswith(".")
    assert scenario.times.startswith(("Chosen", "Computed", "Measured", "Estimated"))


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_a_scenario_names_each_layer_once_and_can_be_simulated(scenario):
    names = [layer.name for layer in scenario.layers]
    plan = whole_layers(len(names), 4)

    assert len(set(names)) == len(names)
    assert simulate(scenario.layers, plan, scenario.link).tail.total_s > 0
