"""Plans, links, rings and options as an address and a hand set them."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.app.address import address, read_address, state
from overlap_widget.app.changes import change
from overlap_widget.app.fields import CHOICES, NUMBERS, PARTS
from overlap_widget.app.settings import (
    DEFAULT,
    cost_of,
    plan_of,
    restarted,
    settings_of,
    simulation_of,
)
from overlap_widget.model import best_plan
from overlap_widget.model.effects import Effects
from overlap_widget.model.links import LINKS
from overlap_widget.model.scenarios import COURSE, SCENARIOS

NVLINK = LINKS["h100-nvlink-8"]


def moved(settings, **values):
    """The settings after some moves, none of which needs a word."""
    for key, value in values.items():
        settings, notices = change(settings, key, value)
        assert notices == ()
    return settings


def keys_of(notices):
    return [notice.key for notice in notices]


@pytest.mark.parametrize(
    ("query", "key", "value"),
    [
        ("plan=ddp", "plan", "ddp"),
        ("link=h100-nvlink-8-table", "link", "h100-nvlink-8-table"),
        ("ranks=8", "ranks", 8),
        ("port=100Gb/s", "port", 12.5e9),
        ("port=50", "port", 50e9),
        ("overlap=off", "overlap", "off"),
        ("slowdown=18.9%", "slowdown", 0.189),
        ("slowdown=0.19", "slowdown", 0.19),
        ("late=2ms", "late", 0.002),
        ("late=300", "late", 0.0003),
        ("micro_steps=4", "micro_steps", 4),
        ("sync=every", "sync", "every"),
        ("axis=overhead", "axis", "overhead"),
    ],
)
def test_each_option_is_read_from_an_address_in_its_own_unit(query, key, value):
    settings, notices = read_address(query)

    shown = state(settings)[key]
    assert shown == value or math.isclose(shown, value, rel_tol=1e-12)
    assert notices == ()


@st.composite
def moves(draw):
    """A few settings moved by hand, each to a value that its control can have."""
    settings = settings_of(draw(st.sampled_from(list(SCENARIOS.values()))))
    keys = [*NUMBERS, *CHOICES, *PARTS]
    for key in draw(st.lists(st.sampled_from(keys), max_size=9)):
        if key in CHOICES:
            value = draw(st.sampled_from(CHOICES[key].options(DEFAULT)))
        elif key in PARTS:
            names = st.sampled_from(PARTS[key].names)
            value = ",".join(draw(st.lists(names, min_size=1)))
        else:
            control = NUMBERS[key].control(settings)
            value = draw(st.floats(control.low, control.high))
        settings, _ = change(settings, key, value)
    return settings


@given(moves())
def test_an_address_restores_all_settings_to_the_last_bit(settings):
    assert read_address(address(settings)) == (settings, ())


@pytest.mark.parametrize("name", CHOICES["link"].options(DEFAULT))
def test_the_address_of_every_link_restores_it(name):
    settings = moved(DEFAULT, link=name)

    assert state(settings)["link"] == name
    assert read_address(address(settings)) == (settings, ())


def test_an_address_names_the_link_whose_table_is_the_cost():
    table, line = "h100-nvlink-8-table", "h100-nvlink-8"

    assert f"&link={table}&" in address(moved(DEFAULT, link=table))
    assert "&link=own&" in address(moved(DEFAULT, link=line))


@pytest.mark.parametrize(
    ("query", "key", "value", "notice"),
    [
        ("slowdown=150%", "slowdown", 1.0, "notice.clamped"),
        ("slowdown=-3%", "slowdown", 0.0, "notice.clamped"),
        ("late=1s", "late", 0.1, "notice.clamped"),
        ("ranks=1", "ranks", 2, "notice.clamped"),
        ("ranks=9000", "ranks", 1024, "notice.clamped"),
        ("ranks=7.5", "ranks", 8, "notice.rounded"),
        ("micro_steps=2.4", "micro_steps", 2, "notice.rounded"),
        ("micro_steps=99", "micro_steps", 16, "notice.clamped"),
    ],
)
def test_an_option_out_of_range_is_clamped_or_rounded_and_said(
    query, key, value, notice
):
    settings, notices = read_address(query)

    assert (state(settings)[key], keys_of(notices)) == (value, [notice])


@pytest.mark.parametrize(
    "query",
    [
        "plan=horovod",
        "plan=",
        "link=a100-zaratan-8-table",  # nobody has that table
        "link=carrier-pigeon",
        "overlap=maybe",
        "sync=first",
        "axis=ranks",
        "slowdown=half",
        "slowdown=1_0%",
        "late=soon",
        "ranks=many",
        "port=12ms",
        "micro_steps=nan",
    ],
)
def test_an_option_that_cant_be_read_changes_nothing_and_is_said(query):
    settings, notices = read_address(query)

    assert (settings, keys_of(notices)) == (DEFAULT, ["notice.bad_value"])


# --- The ring ----------------------------------------------------------------------


def test_more_ranks_keep_the_rate_of_the_port_and_lower_the_bandwidth():
    # A ring of 2 moves its bytes once through each port, one of 8 moves them
    # 2 * 7 / 8 = 1.75 times.
    two = moved(DEFAULT, bandwidth=10e9)
    eight = moved(two, ranks=8)

    assert state(two)["port"] == 10e9
    assert state(eight)["port"] == pytest.approx(10e9, rel=1e-11)
    assert eight.bandwidth_bytes_per_s == pytest.approx(10e9 / 1.75, rel=1e-11)


def test_the_port_sets_the_bandwidth_of_the_ring():
    settings = moved(DEFAULT, ranks=4, port=30e9)

    assert settings.bandwidth_bytes_per_s == pytest.approx(20e9)


@pytest.mark.parametrize(
    ("settings", "key", "value", "used"),
    [
        (moved(DEFAULT, ranks=8), "port", 0.1e9, 0.1e9),
        (DEFAULT, "port", 2000e9, 1000e9),
        (moved(DEFAULT, bandwidth=0.1e9), "ranks", 8, 0.1e9),
    ],
)
def test_a_ring_that_asks_for_a_bandwidth_out_of_range_is_told_so(
    settings, key, value, used
):
    changed, notices = change(settings, key, value)

    assert changed.bandwidth_bytes_per_s == used
    assert keys_of(notices) == ["notice.bandwidth_bounds"]
    assert notices[0].values == {"key": "bandwidth", "used": used}


# --- Links and plans ---------------------------------------------------------------


def test_a_named_link_sets_the_line_and_its_table_takes_its_place():
    line, table = (
        moved(DEFAULT, link=f"h100-nvlink-8{kind}") for kind in ("", "-table")
    )

    assert cost_of(line) == NVLINK.line
    assert cost_of(table) == NVLINK.table
    assert simulation_of(line).tail != simulation_of(table).tail


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("bandwidth", 7e9),
        ("overhead", 3e-4),
        ("ranks", 4),
        ("port", 30e9),
        ("link", "own"),
        ("scenario", "bert-base"),
    ],
)
def test_whatever_else_sets_the_link_leaves_a_table(key, value):
    table = moved(DEFAULT, link="h100-nvlink-8-table")

    assert moved(table, **{key: value}).table == ""
    assert moved(table, bucket=2, late=1e-3, plan="ddp").table == "h100-nvlink-8"


def test_the_link_is_named_for_the_line_that_the_sliders_happen_to_draw():
    line = NVLINK.line
    settings = moved(
        DEFAULT, bandwidth=line.bandwidth_bytes_per_s, overhead=line.overhead_s
    )

    assert state(settings)["link"] == "h100-nvlink-8"


def test_a_bucket_size_leaves_the_rule_of_a_framework():
    assert plan_of(moved(DEFAULT, plan="ddp-first-step")) == (12,)
    assert plan_of(moved(DEFAULT, plan="ddp", bucket=5)) == (5, 5, 2)


def test_the_best_plan_is_that_of_the_link_and_the_options():
    settings = moved(DEFAULT, plan="best", overhead=4e-3, overlap="off")

    assert plan_of(settings) == (12,)
    assert plan_of(moved(settings, overlap="on")) == best_plan(
        COURSE.layers, cost_of(settings)
    )


def test_reset_switches_all_options_off_and_keeps_mode_and_theme():
    settings = moved(
        DEFAULT,
        theme="dark",
        plan="best",
        link="h100-nvlink-8-table",
        ranks=8,
        overlap="off",
        slowdown=0.2,
        late=1e-3,
        micro_steps=3,
        sync="every",
        axis="overhead",
    )

    assert settings.effects == Effects(
        overlap=False,
        slowdown=0.2,
        late_s=1e-3,
        micro_steps=3,
        every_micro_step=True,
    )
    assert restarted(settings) == replace(DEFAULT, theme="dark")
