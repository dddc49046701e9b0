"""What docs/model.md works out by hand: its pictures, laws and regimes, once more."""

import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest

from overlap_widget.app.address import read_address
from overlap_widget.app.settings import simulation_of
from overlap_widget.app.words import words
from overlap_widget.model import (
    OFF,
    Effects,
    Layer,
    Link,
    best_bucket,
    simulate,
    tails,
    whole_layers,
)
from overlap_widget.model.regime import Outcome, decisions, regime
from overlap_widget.model.scenarios import COURSE
from overlap_widget.model.units import MB, MS

MODEL = Path(__file__).parents[2] / "docs" / "model.md"

BY_HAND = (Layer("d", 3, 2), Layer("c", 1, 6), Layer("b", 4, 4), Layer("a", 2, 10))
SLOWED = (Layer("c", 2, 4), Layer("b", 5, 2), Layer("a", 1, 6))
HAND_LINK = Link(overhead_s=1, bandwidth_bytes_per_s=2)


def rows_of(first_cell):
    """The rows of the table whose head begins with this cell."""
    found = MODEL.read_text().split(f"\n| {first_cell} |")[1].split("\n\n")[0]
    lines = found.splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def digits(value):
    return f"{value:.3g}"


# --- By hand -----------------------------------------------------------------------


def test_the_pass_worked_by_hand_is_what_the_model_gives():
    rows = rows_of("layer")
    layers = [Layer(name, float(s), float(size)) for name, s, size, *_ in rows]
    assert tuple(layers) == BY_HAND
    simulation = simulate(layers, (1,) * len(layers), HAND_LINK)
    moments = [[float(cell) for cell in row[3:]] for row in rows]
    assert moments == [
        [one.ready_s, one.start_s, one.end_s] for one in simulation.transfers
    ]
    assert simulation.tail.total_s == 8


def pictures():
    """Each picture of seconds: its lanes by name, as text from second 0 on."""
    blocks = re.findall(r"```\n(seconds .*?)```", MODEL.read_text(), re.S)
    lanes = [block.splitlines()[1:] for block in blocks]
    return [{line[:15].strip(): line[15:] for line in picture} for picture in lanes]


def drawn(pattern, lane):
    """From and to of what is drawn so, in seconds; three characters are one."""
    return [(one.start() / 3, one.end() / 3) for one in re.finditer(pattern, lane)]


@pytest.mark.parametrize(
    ("place", "layers", "effects"),
    [
        (0, BY_HAND, OFF),
        (1, SLOWED, Effects(slowdown=0.5)),
        (2, BY_HAND, Effects(late_s=2.5)),
    ],
)
def test_a_picture_shows_its_bars_where_the_model_has_them(place, layers, effects):
    lanes = pictures()[place]
    step = simulate(layers, (1,) * len(layers), HAND_LINK, effects)
    layer_bars = [*itertools.pairwise(step.done_s)]
    transfer_bars = [(one.start_s, one.end_s) for one in step.transfers]
    for lane, expected in (
        (lanes["compute"], layer_bars),
        (lanes["communication"], transfer_bars),
    ):
        bars = drawn(r"\[[^\]]*\]", lane)
        assert len(bars) == len(expected)
        assert np.allclose(bars, expected, atol=0.2)  # half a character
    waits = drawn("-+", lanes.get("late", ""))
    assert [start for start, _ in waits] == ([3, 8] if effects.late_s else [])


def test_the_recurrence_worked_by_hand_finds_the_best_plan():
    free_s = [0.0]
    for count, (done, ready, ends, least) in enumerate(rows_of("done"), start=1):
        assert done == ", ".join(layer.name for layer in BY_HAND[:count])
        ready_s = sum(layer.backward_s for layer in BY_HAND[:count])
        found = []
        for held in range(1, count + 1):
            sent = sum(layer.gradient_bytes for layer in BY_HAND[count - held : count])
            start_s = max(free_s[count - held], ready_s)
            found.append(start_s + HAND_LINK.transfer_s(sent))
        free_s.append(min(found))
        assert float(ready) == ready_s
        assert [float(end) for end in ends.split(", ")] == found
        assert float(least) == free_s[-1]
    ends_s = [
        simulate(BY_HAND, plan, HAND_LINK).step_s for plan in [(1, 1, 1, 1), (2, 2)]
    ]
    assert ends_s == [free_s[-1]] * 2


# --- The laws and the regimes ------------------------------------------------------


def test_the_table_of_tails_is_what_the_model_gives():
    rows = rows_of("layers a bucket")
    assert len(rows) == 12
    for row in rows:
        size, transfers, last, *times = map(float, row)
        simulation = simulate(COURSE.layers, whole_layers(12, int(size)), COURSE.link)
        tail = simulation.tail
        assert len(simulation.transfers) == transfers
        assert len(simulation.transfers[-1].layers) == last
        parts_s = (tail.queued_s, tail.overhead_s, tail.wire_s, tail.total_s)
        assert times == [round(part_s / MS, 3) for part_s in parts_s]


def test_the_table_of_best_sizes_is_what_the_model_gives():
    pass_s, total_bytes = 60 * MS, 480 * MB
    bandwidth = COURSE.link.bandwidth_bytes_per_s
    for row in rows_of("overhead (ms)"):
        overhead_s = float(row[0]) * MS
        keeps_up = overhead_s / (pass_s / total_bytes - 1 / bandwidth)
        shortest = total_bytes * math.sqrt(overhead_s / pass_s)
        by_size = tails(COURSE.layers, Link(overhead_s, bandwidth))
        best = best_bucket(by_size)
        smaller = min(keeps_up, shortest) / (40 * MB)
        assert row[1:] == [
            digits(keeps_up / MB),
            digits(shortest / MB),
            digits(smaller),
            str(best),
            f"{round(by_size[best - 1].total_s / MS, 3):g}",
        ]
        assert best in (max(1, math.floor(smaller)), math.ceil(smaller))


def test_each_regime_is_named_as_on_the_screen_in_the_order_of_the_decision():
    outcome = Outcome(
        effects=OFF,
        transfers=1,
        traffic_exceeds_work=False,
        hideable_s=1.0,
        tail_s=1.0,
        queued_s=0.0,
        queued_for_bytes_s=lambda: 0.0,
    )
    named = [row[0] for row in rows_of("named")]
    assert named == [words(f"short.{one.value}") for one, _ in decisions(outcome)]


@pytest.mark.parametrize("row", rows_of("named"), ids=lambda row: row[0])
def test_the_address_beside_a_regime_leads_to_it(row):
    settings, notices = read_address(row[2].strip("`"))
    assert not notices
    assert words(f"short.{regime(simulation_of(settings)).value}") == row[0]
