"""The twin's view states equal Python's: every number, text, key and row of them.

Both are asked for the same addresses, on a page that offers more than ships: steps
without compute, without bytes, of one layer, and with names that are no plain text.
"""

import itertools
import json
import math
from dataclasses import replace
from random import Random
from urllib.parse import urlencode

import numpy as np
import pytest

from overlap_widget.app.address import read_address
from overlap_widget.app.catalogue import SHIPPED
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.lane_columns import round_up
from overlap_widget.app.map_axes import AXES, row_of, row_ticks, sizes_shown
from overlap_widget.app.measured import all_opened, example
from overlap_widget.app.quantities import time_text
from overlap_widget.app.settings import settings_of
from overlap_widget.app.twin_data import twin_data
from overlap_widget.app.what_if import run_of
from overlap_widget.model.layer import Layer
from overlap_widget.model.link import Link
from overlap_widget.model.plans import Filling
from overlap_widget.model.rules import filled
from overlap_widget.model.scenarios import COURSE, Scenario

STATES_OF_A_SCENARIO = 30
MS, MB = 1e-3, 1e6
VIEWS = (
    "(queries) => queries.map((one) => toText(twin.createSession(offered, one).view()))"
)


@pytest.fixture(scope="module")
def page(twin):
    """The twin beside the data of a page that offers the catalogue below."""
    given = twin_data(CATALOGUE) | {"start": "", "measured": None}
    twin.evaluate(
        "(text) => { globalThis.offered = JSON.parse(text); }", json.dumps(given)
    )
    return twin


def scenario(name, *rows):
    """Layers of milliseconds and megabytes on an unremarkable link."""
    layers = tuple(
        Layer(f"{name} {number}", time * MS, size * MB)
        for number, (time, size) in enumerate(rows)
    )
    return Scenario(name, name, layers, Link(130e-6, 7e9), source="")


def odd_scenarios():
    random = Random(3)
    powers = [
        (10 ** random.uniform(-4, 3), 10 ** random.uniform(-6, 4)) for _ in range(30)
    ]
    return [
        scenario("one", (3, 50)),
        scenario("no pass", (0, 5), (0, 7), (0, 0)),
        scenario("no bytes", (1, 0), (2, 0), (4, 0)),
        scenario("nothing at all", (0, 0), (0, 0)),
        scenario("zeros between", (0, 9), (3, 0), (0, 0), (2, 30), (0, 1), (1, 0)),
        scenario("<i>ünïcode 🚲</i>", (2.5, 11), (0.125, 1 / 3), (7.1, 12.25)),
        scenario("all powers", *powers),
        scenario("seventeen", *[(1.1, 3)] * 17),
    ]


def runs():
    """A recorded step with what was measured of it, and one whose ranks come late."""
    run = run_of(all_opened([example()]))
    return run, replace(run, name="late", ghost=replace(run.ghost, late_s=0.00123))


def catalogue():
    found = SHIPPED
    for one in (*odd_scenarios(), *runs()):
        found = found.with_scenario(one)
    most = filled("most", "", "", Filling(30e6, 30e6, is_most=True))
    return found.with_rule("given", most)


CATALOGUE = catalogue()


def drawn_query(random, scenario):
    """The address of one state: each key is left out or drawn, round or not."""
    count = len(scenario.layers)
    digits = random.randint(1, 13)
    rate, time = 10 ** random.uniform(-1, 3), 10 ** random.uniform(0, 4)
    drawn = {
        "bucket": random.choice([1, 2, count, random.randint(1, count)]),
        "bandwidth": random.choice(
            [f"{rate:.{digits}g}GB/s", "0.1", "1000", "100Gb/s"]
        ),
        "overhead": random.choice(["0", "1ns", "10ms", f"{time:.{digits}g}us"]),
        "link": random.choice(CATALOGUE.link_options),
        "plan": random.choice(["layers", "measured", *CATALOGUE.rules]),
        "ranks": random.choice([2, 3, 8, 1000]),
        "overlap": random.choice(["on", "off"]),
        "slowdown": random.choice(["0.19", "1", "18.9%", "0.05"]),
        "late": random.choice(["30us", "5ms", f"{10 ** random.uniform(0, 5):.4g}us"]),
        "micro_steps": random.choice([1, 2, 3, 16 if count < 40 else 4]),
        "sync": random.choice(["last", "every"]),
        "axis": random.choice(["bandwidth", "overhead"]),
    }
    often = {"bucket": 0.8, "bandwidth": 0.6, "overhead": 0.6, "axis": 0.8}
    kept = [key for key in drawn if random.random() < often.get(key, 0.3)]
    return urlencode({"scenario": scenario.name} | {key: drawn[key] for key in kept})


@pytest.mark.parametrize("name", CATALOGUE.scenarios)
def test_a_view_state_is_the_same_in_both_languages(name, page, differences):
    random = Random(name)
    queries = [
        urlencode({"scenario": name}),
        *(
            drawn_query(random, CATALOGUE.scenarios[name])
            for _ in range(STATES_OF_A_SCENARIO)
        ),
    ]
    found = page.evaluate(VIEWS, queries)
    for query, text in zip(queries, found, strict=True):
        settings, notices = read_address(query, settings_of(COURSE, CATALOGUE))
        explorer = Explorer(settings=settings, notices=notices)
        assert differences(explorer, text) == [], query


# --- Parts that few states reach ---------------------------------------------------


@pytest.mark.parametrize("name", AXES)
def test_a_name_on_the_map_lies_at_the_same_place_between_any_two_edges(name, page):
    logs = np.log10(AXES[name].edges).tolist()
    middles = [
        start + (end - start) / 2 for start, end in itertools.combinations(logs, 2)
    ]
    found = page.evaluate(
        "(logs) => logs.map((log) => Number(twin.digitsText(10 ** log, 6)))", middles
    )

    assert found == [float(f"{10**log:.6g}") for log in middles]


def test_the_rows_of_the_map_are_the_same_for_any_number_of_layers(page):
    counts = range(1, 1001)
    found = page.evaluate(
        """(counts) => counts.map((count) => {
          const sizes = twin.sizesShown(count);
          const rows = sizes.map((_, at) => twin.rowOf(sizes, 1 + (at * count) / 40));
          return [sizes, [...twin.rowTicks(sizes)], rows];
        })""",
        list(counts),
    )
    for count, (sizes, ticks, rows) in zip(counts, found, strict=True):
        shown = sizes_shown(count)
        assert sizes == list(shown)
        assert ticks == [[place, text] for place, text in row_ticks(shown).items()]
        asked = [1 + at * count / 40 for at in range(len(shown))]
        assert rows == [row_of(shown, bucket) for bucket in asked]


def near_powers_of_ten():
    tens = [float(f"1e{power}") for power in range(-12, 13)]
    beside = [math.nextafter(ten, towards) for ten in tens for towards in (0, 1e99)]
    random = Random(5)
    ties = [random.randrange(1, 2**12) / 2 ** random.randrange(20) for _ in range(3000)]
    return [*tens, *beside, *ties, *(10 ** random.uniform(-10, 6) for _ in range(3000))]


def test_axes_end_and_times_are_written_the_same_also_halfway_between_two(page):
    values = near_powers_of_ten()
    found = page.evaluate(
        "(values) => values.map((one) => [twin.roundUp(one), twin.timeText(one)])",
        values,
    )

    assert found == [[round_up(one), time_text(one)] for one in values]
