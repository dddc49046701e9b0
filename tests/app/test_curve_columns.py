"""The curve for passes of a few layers and of many."""

import pytest

from overlap_widget.app.curve_columns import size_ticks
from overlap_widget.app.explore_view import explore_view
from overlap_widget.app.settings import settings_of
from overlap_widget.model.scenarios import SCENARIOS


def curve(name):
    return explore_view(settings_of(SCENARIOS[name]))["figures"]["curve"]


@pytest.mark.parametrize(
    ("most", "ticks"),
    [
        (1, [1]),
        (12, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        (14, [1, 2, 4, 6, 8, 10, 12, 14]),
        (39, [1, 5, 10, 15, 20, 25, 30, 35]),
        (62, [1, 10, 20, 30, 40, 50, 60]),
        (161, [1, 20, 40, 60, 80, 100, 120, 140, 160]),
        (2000, [1, 500, 1000, 1500, 2000]),
    ],
)
def test_the_axis_names_round_sizes_that_stand_side_by_side(most, ticks):
    assert size_ticks(most) == ticks


def test_the_marks_of_the_first_and_the_last_size_have_room():
    few, many = (curve(name)["ranges"]["curve_x"] for name in ("course", "resnet-50"))

    assert few == {"start": 0.5, "end": 12.5}
    assert many == {"start": 1 - 161 / 24, "end": 161 + 161 / 24}


def test_many_sizes_have_smaller_dots_without_outlines():
    large, small = (
        curve(name)["props"]["curve_dots"] for name in ("gpt2-large", "resnet-18")
    )

    assert large == {"size": 8, "line_alpha": 1}
    assert small == {"size": 4, "line_alpha": 0}
