"""The page's address: always whole, restored exactly, and never trusted."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.app.address import address, read_address
from overlap_widget.app.catalogue import SHIPPED
from overlap_widget.app.changes import change
from overlap_widget.app.controls import BANDWIDTH, OVERHEAD, bucket_control
from overlap_widget.app.settings import (
    DEFAULT,
    Notice,
    plan_of,
    restarted,
    settings_of,
)
from overlap_widget.model.rules import Filling, filled
from overlap_widget.model.scenarios import COURSE, FAST_HARDWARE, SCENARIOS, Scenario


def keys_of(notices):
    return [notice.key for notice in notices]


def test_every_value_is_always_written():
    assert address(DEFAULT) == (
        "v=1&scenario=course&bucket=4&bandwidth=12GB/s&overhead=1000us"
        "&mode=explore&lesson=off&predict=off&projector=off&theme=auto&lang=en"
        "&plan=layers&ranks=2&link=own&overlap=on&slowdown=0"
        "&late=0us&micro_steps=1&sync=last&axis=bandwidth&controls=all&show=all"
    )


def test_an_address_that_leaves_values_out_still_means_what_it_did():
    old = "v=1&scenario=course&bucket=2&bandwidth=3GB/s&overhead=50us&mode=explore"
    settings, notices = read_address(f"{old}&theme=dark&plan=ddp&micro_steps=2")

    asked = {"bucket": 2, "bandwidth": 3e9, "overhead": 5e-5, "theme": "dark"}
    expected = DEFAULT
    for key, value in (asked | {"plan": "ddp", "micro_steps": 2}).items():
        expected, _ = change(expected, key, value)
    assert (settings, notices) == (expected, ())
    assert expected.controls == expected.show == "all"


@given(
    st.integers(1, 12),
    st.floats(BANDWIDTH.low, BANDWIDTH.high),
    st.floats(OVERHEAD.low, OVERHEAD.high),
    st.sampled_from(["explore", "measured"]),
)
def test_an_address_restores_the_settings_to_the_last_bit(bucket, rate, time, mode):
    settings = DEFAULT
    moves = {"bucket": bucket, "bandwidth": rate, "overhead": time, "mode": mode}
    for key, value in moves.items():
        settings, _ = change(settings, key, value)

    assert read_address("?" + address(settings)) == (settings, ())


def test_an_address_is_read_in_the_units_it_names():
    settings, notices = read_address("?bandwidth=100Gb/s&overhead=0.2ms&bucket=3")

    assert (settings.bandwidth_bytes_per_s, settings.overhead_s) == (12.5e9, 0.0002)
    assert (settings.bucket, notices) == (3, ())


def test_bare_numbers_are_gigabytes_a_second_and_microseconds():
    settings, _ = read_address("#bandwidth=25&overhead=300")

    assert (settings.bandwidth_bytes_per_s, settings.overhead_s) == (25e9, 0.0003)


@pytest.mark.parametrize(
    ("query", "bucket"),
    [
        ("bucket=5000", 12),
        ("bucket=0", 1),
        ("bucket=-7", 1),
        ("bucket=" + "9" * 400, 12),
    ],
)
def test_a_value_out_of_range_is_clamped_and_said(query, bucket):
    settings, notices = read_address(query)

    if "9" * 400 in query:  # too large for a float: nothing to clamp
        assert (settings, keys_of(notices)) == (DEFAULT, ["notice.bad_value"])
    else:
        assert (settings.bucket, keys_of(notices)) == (bucket, ["notice.clamped"])


@pytest.mark.parametrize(
    "query",
    [
        "bucket=many",
        "bucket=1_0",
        "bucket=٣",
        "ranks=inf",
        "slowdown=١٢%",
        "micro_steps=1e",
        "bandwidth=nan",
        "bandwidth=1e999",
        "overhead=12 parsecs",
        "scenario=<script>",
        "theme=pink",
        "mode=",
    ],
)
def test_what_cant_be_read_changes_nothing_and_is_said(query):
    settings, notices = read_address(query)

    assert (settings, keys_of(notices)) == (DEFAULT, ["notice.bad_value"])


def test_unknown_keys_are_listed_once_and_shortened():
    _, notices = read_address("zoom=3&" + "x" * 500 + "=1")

    assert keys_of(notices) == ["notice.unknown_key"]
    assert len(notices[0].values["names"]) < 100


def test_keys_without_a_name_are_nothing_to_tell_of():
    assert read_address("&&==&=%") == (DEFAULT, ())


def test_a_link_of_a_newer_version_still_applies_what_is_known():
    settings, notices = read_address("v=3&bucket=2")

    assert (settings.bucket, keys_of(notices)) == (2, ["notice.newer_version"])


@pytest.mark.parametrize("version", ["", "0", "abc", "-3", "1.5", "٢"])
def test_a_version_that_never_was_is_not_called_newer(version):
    _, notices = read_address(f"v={version}&bucket=2")

    assert keys_of(notices) == ["notice.bad_value"]


def test_an_overhead_below_a_picosecond_is_none():
    settings, notices = read_address("overhead=1e-30ms")

    assert (settings.overhead_s, notices) == (0, ())


@pytest.mark.parametrize(
    ("query", "key", "value"),
    [
        ("show=verdict,lanes", "show", "verdict,lanes"),
        ("show=lanes,verdict,lanes", "show", "verdict,lanes"),
        ("show=tables,numbers,map,curve,lanes,verdict", "show", "all"),
        ("controls=none", "controls", "none"),
        ("controls=share,bucket", "controls", "bucket,share"),
        ("controls=bucket%2Cmore", "controls", "bucket,more"),
    ],
)
def test_parts_of_a_page_are_kept_once_and_in_their_order(query, key, value):
    settings, notices = read_address(query)

    assert (getattr(settings, key), notices) == (value, ())
    assert f"&{key}={value}" in address(settings)


@pytest.mark.parametrize(
    "query",
    [
        *("show=", "show=verdict,", "show=verdict,zoom", "show=bucket", "show=All"),
        *("show=all,verdict", "show=none,verdict", "show=verdict, lanes"),
        *("controls=", "controls=,", "controls=verdict", "controls=<b>"),
    ],
)
def test_a_part_that_no_page_has_leaves_all_as_it_was(query):
    settings, (notice,) = read_address(query)

    key, _, asked = query.partition("=")
    assert settings == DEFAULT
    assert notice == Notice("notice.bad_value", {"key": key, "asked": asked})


@pytest.mark.parametrize("text", ["3", " 3 ", "+3", "3.", "3.0", "30e-1", "0.3E1"])
def test_a_number_is_read_however_its_digits_are_written(text):
    assert change(DEFAULT, "bucket", text) == (replace(DEFAULT, bucket=3), ())


def test_no_slowdown_has_no_sign():
    settings, notices = read_address("slowdown=-0%")

    assert (settings, notices) == (DEFAULT, ())
    assert "&slowdown=0&" in address(settings)


def test_half_a_layer_is_rounded_up_and_said():
    settings, notices = read_address("bucket=4.5")

    assert (settings.bucket, keys_of(notices)) == (5, ["notice.rounded"])


def test_an_address_with_hundreds_of_keys_is_one_sentence():
    query = "&".join(f"k{number}={number}" for number in range(300))

    assert read_address(query) == (DEFAULT, (Notice("notice.too_long", {}),))


def test_a_key_that_names_no_setting_is_an_error():
    with pytest.raises(KeyError):
        change(DEFAULT, "colour", 3)


def test_another_scenario_brings_its_link_and_keeps_the_readers_choices():
    moved, _ = change(replace(DEFAULT, bucket=7, theme="dark"), "bandwidth", 3e9)
    settings, _ = change(moved, "scenario", "fast-hardware")

    expected = replace(settings_of(FAST_HARDWARE), bucket=7, theme="dark")
    assert settings == expected


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_the_start_of_every_scenario_is_restored_by_its_address(scenario):
    settings = settings_of(scenario)

    assert read_address(address(settings)) == (settings, ())


def test_reset_moves_what_is_simulated_and_leaves_what_the_page_shows():
    readers = {"theme": "dark", "controls": "bucket", "show": "lanes"}
    moved = replace(DEFAULT, bucket=7, plan="ddp", axis="overhead", **readers)

    assert restarted(moved) == replace(DEFAULT, **readers)


def test_the_stops_of_the_controls_hold_the_courses_values():
    assert COURSE.link.bandwidth_bytes_per_s in BANDWIDTH.stops
    assert COURSE.link.overhead_s in OVERHEAD.stops
    assert bucket_control(COURSE).stops == tuple(range(1, 13))
    assert all(math.isfinite(stop) for stop in BANDWIDTH.stops + OVERHEAD.stops)


def test_a_page_with_more_to_choose_reads_what_others_do_not():
    mine = Scenario("mine", "Mine", COURSE.layers[:3], COURSE.link, "a test")
    offered = SHIPPED.with_scenario(mine).with_rule(
        "given", filled("Given", "As given.", "", Filling(9e6, 1e6))
    )
    start = settings_of(COURSE, offered)
    settings, notices = read_address("scenario=mine&plan=given", start)
    assert (settings.scenario, settings.plan, notices) == (mine, "given", ())
    assert plan_of(settings) == (1, 1, 1)
    assert read_address(address(settings), start) == (settings, ())
    _, refused = read_address(address(settings))
    assert [notice.values["key"] for notice in refused] == ["scenario", "plan"]


def test_what_an_address_leaves_out_is_as_the_page_starts():
    start, _ = read_address("scenario=bert-base&bucket=3&late=2ms&plan=ddp&theme=dark")
    settings, notices = read_address("overhead=50us&theme=light", start)
    expected, _ = change(start, "overhead", 50e-6)
    assert settings == replace(expected, theme="light")
    assert notices == ()
