"""The view state of Explore: what the front draws of any setting."""

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.app.controls import BANDWIDTH, OVERHEAD
from overlap_widget.app.explore_view import explore_view
from overlap_widget.app.lane_columns import round_up, time_axis_ms
from overlap_widget.app.settings import DEFAULT, LAYERS
from overlap_widget.app.sweep_view import sweep_view
from overlap_widget.app.words import strings
from overlap_widget.model.effects import OFF, Effects
from overlap_widget.model.rules import RULES
from overlap_widget.model.scenarios import SCENARIOS

EFFECTS = st.just(OFF) | st.builds(
    Effects,
    overlap=st.booleans(),
    slowdown=st.sampled_from([0.0, 0.2, 1.0]),
    late_s=st.sampled_from([0.0, 1e-5, 0.1]),
    micro_steps=st.integers(1, 3),
    every_micro_step=st.booleans(),
)
SETTINGS = st.builds(
    lambda scenario, bucket, rate, overhead_s, others: replace(
        DEFAULT,
        scenario=scenario,
        bucket=min(bucket, len(scenario.layers)),
        bandwidth_bytes_per_s=rate,
        overhead_s=overhead_s,
        **others,
    ),
    st.sampled_from(list(SCENARIOS.values())),
    st.integers(1, 161),
    st.sampled_from(BANDWIDTH.stops),
    st.sampled_from(OVERHEAD.stops),
    st.fixed_dictionaries(
        {
            "plan": st.just(LAYERS) | st.sampled_from(list(RULES)),
            "table": st.sampled_from(["", "", "h100-nvlink-8"]),
            "effects": EFFECTS,
        }
    ),
)


def lanes(settings):
    return explore_view(settings)["figures"]["lanes"]


@given(SETTINGS)
def test_any_setting_draws_columns_of_one_length_and_no_nan(settings):
    view = explore_view(settings)

    json.dumps(view, allow_nan=False)
    for figure in view["figures"].values():
        for columns in figure["sources"].values():
            assert len({len(column) for column in columns.values()}) == 1


@given(SETTINGS)
def test_the_exposed_bars_end_with_the_tail_and_fill_it_unless_a_rank_is_late(settings):
    view = explore_view(settings)
    bars = view["figures"]["lanes"]["sources"]["exposed"]
    pass_end_ms = view["figures"]["lanes"]["props"]["pass_end"]["location"]
    tail_ms = view["numbers"]["tail_s"] * 1e3
    drawn_ms = sum(bars["right"]) - sum(bars["left"])

    end_ms = max(bars["right"], default=pass_end_ms)
    assert end_ms == pytest.approx(pass_end_ms + tail_ms, rel=1e-9)
    if settings.effects.late_s == 0:
        assert drawn_ms == pytest.approx(tail_ms, rel=1e-9, abs=1e-9)
        assert min(bars["left"], default=pass_end_ms) == pass_end_ms
    else:
        assert drawn_ms <= tail_ms * (1 + 1e-9)


@given(SETTINGS)
def test_every_setting_is_explained_in_one_or_two_sentences(settings):
    view = explore_view(settings)

    assert 1 <= len(view["explanation"]) <= 2
    for said in view["explanation"] + view["remarks"]:
        assert said["key"] in strings()


@given(SETTINGS)
def test_everything_that_is_drawn_lies_on_the_time_axis(settings):
    figure = lanes(settings)
    axis = figure["ranges"]["lanes_x"]

    assert max(figure["sources"]["bracket"]["x1"]) <= axis["end"]


@given(SETTINGS)
def test_no_tail_is_below_its_floor_or_above_the_axis_and_the_ring_is_on_the_curve(
    settings,
):
    here = explore_view(settings)["figures"]["curve"]
    around = sweep_view(settings)["figures"]["curve"]["sources"]
    tails, floor = around["tails"]["y"], around["floor"]["y"]

    assert all(map(float.__ge__, tails, floor))
    assert max(tails) <= here["ranges"]["curve_y"]["end"]
    if around["best_plan"]["y"]:
        assert min(tails) >= around["best_plan"]["y"][0] * (1 - 1e-12)
    if settings.plan == "layers":
        (size,), (tail_ms,) = here["sources"]["here"]["x"], here["sources"]["here"]["y"]
        assert (size, tail_ms) == (settings.bucket, tails[settings.bucket - 1])


def test_the_course_with_four_layers_to_a_bucket_is_drawn_as_worked_by_hand():
    # ms           0    20        34.3  40        54.3  60         74.3
    # compute      [12..9][8..5        ][4..1          ]|
    # link              [  bucket 1  ]  [  bucket 2  ]  [  bucket 3  ]
    sources = lanes(DEFAULT)["sources"]

    assert sources["compute"]["right"][3] == pytest.approx(20)
    assert sources["hidden"]["left"] == pytest.approx([20, 40])
    assert sources["hidden"]["right"] == pytest.approx([34.3333333, 54.3333333])
    assert sources["exposed"]["right"] == pytest.approx([74.3333333])
    assert sources["waiting"]["left"] == []
    assert sources["compute_labels"]["text"][:2] == ["12", "11"]
    assert sources["tail_label"]["text"][0].strip() == "14.3 ms"


def test_with_five_layers_it_is_said_that_the_last_bucket_holds_two():
    remarks = explore_view(replace(DEFAULT, bucket=5))["remarks"]

    (said,) = [one for one in remarks if one["key"] == "remark.smaller_last"]
    assert (said["values"]["first"], said["values"]["last_layers"]) == (5, 2)
    assert said["values"]["last_size_bytes"] == 80e6


def test_waiting_transfers_are_drawn_from_ready_to_start_without_crossing():
    fast = replace(DEFAULT, scenario=SCENARIOS["fast-hardware"], bucket=1)
    waiting = lanes(fast)["sources"]["waiting"]
    bars = list(zip(*(waiting[key] for key in ("left", "right", "top")), strict=True))

    assert len(bars) == 11
    for left, right, top in bars:
        others = [bar for bar in bars if bar[2] == top and bar[0] != left]
        assert all(end <= left or start >= right for start, end, _ in others)


def test_the_time_axis_stays_while_the_tail_fits_and_grows_in_round_steps():
    assert time_axis_ms(60, 64.3) == time_axis_ms(60, 79) == 80
    assert time_axis_ms(60, 101) == 150


@given(st.floats(1e-9, 1e9))
def test_round_numbers_are_not_below_what_they_round(value):
    assert value <= round_up(value) <= 2.5 * value


@pytest.mark.parametrize("power", range(-9, 10))
def test_next_to_a_power_of_ten_the_round_number_is_that_power(power):
    ten = float(f"1e{power}")

    assert round_up(ten) == pytest.approx(ten, rel=1e-15)
    assert round_up(math.nextafter(ten, 0)) == pytest.approx(ten, rel=1e-15)
    assert round_up(math.nextafter(ten, 1e99)) == pytest.approx(1.5 * ten, rel=1e-15)
