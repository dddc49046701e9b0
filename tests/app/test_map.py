"""The map: cells, borders, names, the ring and the table, against point by point."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.app.figures import LEVELS
from overlap_widget.app.map_axes import AXES, row_of, row_ticks, sizes_shown
from overlap_widget.app.map_columns import level_of, map_here
from overlap_widget.app.map_view import map_view
from overlap_widget.app.said import cell
from overlap_widget.app.settings import DEFAULT, Settings, settings_of
from overlap_widget.model import Layer, Link, simulate, whole_layers
from overlap_widget.model.effects import Effects
from overlap_widget.model.regime import Regime, regime
from overlap_widget.model.scenarios import SCENARIOS, Scenario
from overlap_widget.model.units import GB, MS

MAPS = {
    "course": DEFAULT,
    "course over overhead": replace(DEFAULT, axis="overhead"),
    "bert-base, slowed and late": replace(
        settings_of(SCENARIOS["bert-base"]), effects=Effects(slowdown=0.2, late_s=2e-3)
    ),
    "resnet-18": settings_of(SCENARIOS["resnet-18"]),
}


def sources(settings):
    return map_view(settings)["figures"]["map"]["sources"]


def rows_of(columns):
    """The rows of a source as tuples in the order of its columns."""
    return list(zip(*columns.values(), strict=True))


def step_at(settings, bucket, value):
    """The simulated step of one point of the map: the slow twin."""
    rate, overhead_s = settings.bandwidth_bytes_per_s, settings.overhead_s
    link = (
        Link(overhead_s, value) if settings.axis == "bandwidth" else Link(value, rate)
    )
    layers = settings.scenario.layers
    return simulate(layers, whole_layers(len(layers), bucket), link, settings.effects)


def level_by_hand(step):
    """How many of the levels' upper ends the tail is past."""
    tail_s, pass_s = step.tail.total_s, step.backward_s
    return sum(tail_s > end * pass_s * (1 + 1e-9) for end in LEVELS)


def points(settings):
    """Row number, value on the axis, place of the point, and its step."""
    axis = AXES[settings.axis]
    sizes = sizes_shown(len(settings.scenario.layers))
    for (row, bucket), value in itertools.product(enumerate(sizes, 1), axis.values):
        yield row, value / axis.per_unit, step_at(settings, bucket, value)


@pytest.mark.parametrize("name", MAPS)
def test_cells_cover_each_point_at_its_level_and_once(name):
    cells = rows_of(sources(MAPS[name])["cells"])
    for row, x, step in points(MAPS[name]):
        covering = [
            level
            for left, right, bottom, top, level in cells
            if left < x < right and bottom < row < top
        ]
        level = level_by_hand(step)
        assert covering == ([level] if level else [])


@pytest.mark.parametrize("name", MAPS)
def test_borders_lie_between_neighbours_of_different_regimes_and_nowhere_else(name):
    settings = MAPS[name]
    regimes = {(row, x): regime(step) for row, x, step in points(settings)}
    borders = rows_of(sources(settings)["borders"])
    xs = sorted({x for _, x in regimes})
    for row, (left, right) in itertools.product(
        {row for row, _ in regimes}, itertools.pairwise(xs)
    ):
        between = any(
            left < x0 < right and x0 == x1 and y0 < row < y1
            for x0, y0, x1, y1 in borders
        )
        assert between == (regimes[row, left] != regimes[row, right])
    for row, x in regimes.keys() - {(max(regimes)[0], x) for x in xs}:
        above = any(y0 == y1 == row + 0.5 and x0 < x < x1 for x0, y0, x1, y1 in borders)
        assert above == (regimes[row, x] != regimes[row + 1, x])


@pytest.mark.parametrize("name", MAPS)
def test_the_name_of_a_regime_stands_inside_of_it_with_the_room_it_says(name):
    settings = MAPS[name]
    regimes = {(row, x): regime(step) for row, x, step in points(settings)}
    labels = sources(settings)["regimes"]
    named = {f"short.{one.value}": one for one in Regime}
    assert len(labels["text"]) >= 2
    for x, y, text, room, _ in rows_of(labels):
        rows = {int(np.floor(y)), int(np.ceil(y))}
        inside = [
            one
            for (row, at), one in regimes.items()
            if row in rows and abs(np.log10(at / x)) < 0.99 * room / 2
        ]
        assert set(inside) == {named[text["key"]]}


def test_a_regime_of_one_thin_row_has_no_name_and_one_of_a_high_row_has():
    # All layers in one bucket are the top row: one of 24 or one of 12.
    named = [
        cell("short.one_transfer") in sources(MAPS[name])["regimes"]["text"]
        for name in ("resnet-18", "course")
    ]

    assert named == [False, True]


def test_levels_end_at_their_shares_and_nothing_is_past_the_last():
    # Of a pass of 100: 1 is still under 1 %, the next float not.
    tails = np.array([0.0, 1.0, 1.0001, 2.0, 50.0, 100.0, 100.1, 1e9])
    assert level_of(tails, np.full(8, 100.0)).tolist() == [0, 0, 1, 1, 5, 6, 7, 7]


def test_without_a_pass_any_tail_is_in_the_last_level():
    assert level_of(np.array([0.0, 1e-9]), np.zeros(2)).tolist() == [0, 7]


# --- Where one is ------------------------------------------------------------------


def test_the_ring_lies_on_the_bucket_size_and_the_link_that_are_set():
    assert map_here(DEFAULT) == {"x": [12], "y": [4]}
    assert map_here(replace(DEFAULT, axis="overhead")) == {"x": [1], "y": [4]}


def test_without_overhead_the_ring_lies_at_the_edge_of_the_axis():
    here = map_here(replace(DEFAULT, axis="overhead", overhead_s=0.0))

    assert here == {"x": [pytest.approx(0.001)], "y": [4]}
    assert all(value > 0 for value in AXES["overhead"].values)


def test_a_rule_of_a_framework_has_no_place_on_the_map():
    assert map_here(replace(DEFAULT, plan="ddp")) == {"x": [], "y": []}
    assert map_here(replace(DEFAULT, table="t4-efa-2")) == {"x": [], "y": []}


def test_a_size_without_a_row_lies_between_those_that_have_one():
    # Sizes 16 and 19 are rows 16 and 17; 17 is a third of the way.
    assert sizes_shown(62)[15:17] == (16, 19)
    assert row_of(sizes_shown(62), 17) == pytest.approx(16 + 1 / 3)


# --- Rows --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("layers", "rows", "named"),
    [
        (1, 1, "1"),
        (12, 12, "1 2 3 4 5 6 7 8 9 10 11 12"),
        (14, 14, "1 2 4 6 8 10 12 14"),
        (39, 21, "1 5 10 20 39"),
        (62, 24, "1 5 10 20 50"),
        (161, 29, "1 5 10 20 50 100 161"),
    ],
)
def test_many_sizes_share_few_rows_that_begin_at_1_and_end_at_all(layers, rows, named):
    sizes = sizes_shown(layers)

    assert (len(sizes), sizes[0], sizes[-1]) == (rows, 1, layers)
    assert list(sizes) == sorted(set(sizes))
    assert " ".join(row_ticks(sizes).values()) == named


@given(st.integers(1, 3000))
def test_names_of_sizes_stand_apart_and_where_their_sizes_are(layers):
    ticks = row_ticks(sizes_shown(layers))
    places = list(ticks)

    assert {row_of(sizes_shown(layers), int(text)) for text in ticks.values()} == set(
        places
    )
    gaps = np.diff(places)
    assert (gaps >= (1 if layers <= 16 else 3)).all()


# --- The whole ---------------------------------------------------------------------

LAYERS = st.lists(
    st.builds(
        Layer,
        st.just("layer"),
        st.sampled_from([0.0, 1e-6, 5e-3, 2.0]),
        st.sampled_from([0.0, 1.0, 4e7, 3e9]),
    ),
    min_size=1,
    max_size=20,
)


@given(LAYERS, st.sampled_from(list(AXES)), st.sampled_from([0.0, 0.3]))
def test_any_pass_has_a_map_of_finite_marks_in_columns_of_one_length(
    layers, axis, slowdown
):
    scenario = Scenario("any", "Any", tuple(layers), Link(0, 1), "none")
    settings = Settings(
        scenario, 1, 2 * GB, 1 * MS, axis=axis, effects=Effects(slowdown=slowdown)
    )
    view = map_view(settings)

    json.dumps(view, allow_nan=False)
    for columns in view["figures"]["map"]["sources"].values():
        assert len({len(column) for column in columns.values()}) == 1


@pytest.mark.parametrize("name", MAPS)
def test_the_table_of_the_map_is_what_simulating_its_points_gives(name):
    settings = MAPS[name]
    table = map_view(settings)["table"]
    assert len(table["values"]) == 13
    for row, column in np.ndindex(len(table["bucket"]), len(table["values"])):
        step = step_at(settings, table["bucket"][row], table["values"][column])
        assert table["tail_s"][row][column] == step.tail.total_s
        assert table["regime"][row][column] == regime(step).value


def test_the_table_has_a_column_for_each_round_value():
    over_bandwidth, over_overhead = (
        map_view(replace(DEFAULT, axis=axis))["table"]["values"] for axis in AXES
    )
    decades = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]

    assert over_bandwidth == pytest.approx([0.1 * GB * one for one in decades])
    assert over_overhead == pytest.approx([1e-3 * MS * one for one in decades])


def test_the_map_is_the_same_object_wherever_on_it_one_is():
    here = map_view(DEFAULT)

    assert map_view(replace(DEFAULT, bucket=7, bandwidth_bytes_per_s=1e9)) is here
    assert map_view(replace(DEFAULT, overhead_s=0.0)) is not here
