"""The curve: tails, floors and where one is; passes of a few layers and of many."""

from dataclasses import replace

import pytest

from overlap_widget.app.curve_columns import size_ticks, sizes_columns
from overlap_widget.app.explore_view import explore_view
from overlap_widget.app.settings import DEFAULT, settings_of
from overlap_widget.app.sweep_view import sweep_of, sweep_view
from overlap_widget.model.effects import Effects
from overlap_widget.model.scenarios import SCENARIOS


def curve(settings):
    """The state of the figure, joined from what moves and what stays."""
    here = explore_view(settings)["figures"]["curve"]
    around = sweep_view(settings)["figures"]["curve"]
    return here | around | {"sources": here["sources"] | around["sources"]}


def curve_of(name):
    return curve(settings_of(SCENARIOS[name]))


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
    few, many = (
        curve_of(name)["ranges"]["curve_x"] for name in ("course", "resnet-50")
    )

    assert few == {"start": 0.5, "end": 12.5}
    assert many == {"start": 1 - 161 / 24, "end": 161 + 161 / 24}


def test_many_sizes_have_smaller_dots_without_outlines():
    large, small = (
        curve_of(name)["props"]["curve_dots"] for name in ("gpt2-large", "resnet-18")
    )

    assert large == {"size": 8, "line_alpha": 1}
    assert small == {"size": 4, "line_alpha": 0}


def test_where_compute_is_slowed_no_line_is_drawn_for_the_best_plan():
    # 100 % with one layer a bucket: 4.33 ms of tail, and the shortest step has 5.
    slowed = replace(DEFAULT, bucket=1, effects=Effects(slowdown=1.0))
    swept = sweep_of(slowed)
    sources = sizes_columns(swept)["sources"]

    assert sources["best_plan"] == {"x": [], "y": []}
    assert min(sources["tails"]["y"]) < swept.best.tail_s * 1e3


def test_the_course_has_its_tails_the_last_buckets_floor_and_the_best_plan():
    # A last bucket of m layers takes 1 + 40 m / 12 ms. Ten layers leave two for it, but
    # the link is busy with those ten: 1 + 400 / 12 ms from 50 ms on.
    sources = curve(DEFAULT)["sources"]

    assert sources["tails"]["x"] == sources["floor"]["x"] == list(range(1, 13))
    assert sources["floor"]["y"][:2] == pytest.approx([1 + 40 / 12, 1 + 80 / 12])
    assert sources["floor"]["y"][9] == pytest.approx(1 + 80 / 12)
    assert sources["tails"]["y"][9] == pytest.approx(34.3333333 - 10 + 1 + 80 / 12)
    assert sources["best_plan"]["y"] == pytest.approx([1 + 40 / 12] * 2)


def test_the_buckets_of_a_framework_are_a_line_across_and_no_ring():
    settings = replace(DEFAULT, plan="ddp")
    tail_ms = explore_view(settings)["numbers"]["tail_s"] * 1e3
    sources = curve(settings)["sources"]

    assert sources["here"] == {"x": [], "y": []}
    assert sources["named_plan"] == {"x": [0.5, 12.5], "y": [tail_ms, tail_ms]}
    assert curve(DEFAULT)["sources"]["named_plan"] == {"x": [], "y": []}


def test_a_plan_that_is_worse_than_all_sizes_is_still_on_the_axis():
    slow = replace(DEFAULT, plan="ddp-first-step", overhead_s=0.0)
    figure = curve(slow)

    tail_ms = figure["sources"]["named_plan"]["y"][0]
    assert tail_ms <= figure["ranges"]["curve_y"]["end"]
    assert tail_ms == max(figure["sources"]["tails"]["y"])


def test_the_sweep_is_the_same_object_whichever_bucket_size_is_set():
    assert sweep_view(replace(DEFAULT, bucket=9, axis="overhead")) is sweep_view(
        DEFAULT
    )
    assert sweep_view(replace(DEFAULT, overhead_s=0.0)) is not sweep_view(DEFAULT)
