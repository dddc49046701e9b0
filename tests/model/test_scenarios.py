"""The named scenarios, and where their numbers are from."""

import pytest

from overlap_widget.model.scenarios import COURSE, FAST_HARDWARE, SCENARIOS


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


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_is_found_by_its_name_and_says_its_source(name):
    assert SCENARIOS[name].name == name
    assert SCENARIOS[name].title
    assert SCENARIOS[name].source.endswith(".")
