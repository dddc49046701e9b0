"""The vector picture: where bars lie, what it says, and that it is a sound file."""

import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.app.controls import BANDWIDTH, OVERHEAD
from overlap_widget.app.lane_columns import lane_columns
from overlap_widget.app.lane_marks import marks_of
from overlap_widget.app.picture import lanes_svg, picture_svg
from overlap_widget.app.settings import DEFAULT, settings_of, simulation_of
from overlap_widget.app.words import words
from overlap_widget.model.effects import OFF, Effects
from overlap_widget.model.layer import Layer
from overlap_widget.model.link import Link
from overlap_widget.model.rules import RULES
from overlap_widget.model.scenarios import SCENARIOS, Scenario
from overlap_widget.model.simulated import timeline_of

SVG = "{http://www.w3.org/2000/svg}"
MARKUP = '<img src=x onerror="alert(1)">&amp;\N{RIGHT-TO-LEFT OVERRIDE}'
TAGS = {
    *("svg", "title", "desc", "defs", "pattern", "g"),
    *("rect", "line", "path", "text", "tspan"),
}
CONTROL = "\0\x1b[31m\ud800\ufffe"
EFFECTS = st.builds(
    Effects,
    overlap=st.booleans(),
    slowdown=st.sampled_from([0.0, 0.2, 1.0]),
    late_s=st.sampled_from([0.0, 1e-5, 0.1]),
    micro_steps=st.integers(1, 3),
    every_micro_step=st.booleans(),
)
SETTINGS = st.builds(
    lambda scenario, bucket, rate, overhead_s, plan, effects: replace(
        DEFAULT,
        scenario=scenario,
        bucket=min(bucket, len(scenario.layers)),
        bandwidth_bytes_per_s=rate,
        overhead_s=overhead_s,
        plan=plan,
        effects=effects,
    ),
    st.sampled_from(list(SCENARIOS.values())),
    st.integers(1, 161),
    st.sampled_from(BANDWIDTH.stops),
    st.sampled_from(OVERHEAD.stops),
    st.just("layers") | st.sampled_from(list(RULES)),
    st.just(OFF) | EFFECTS,
)


def read(svg):
    """The elements of a picture, whichever name space they are in."""
    tree = ET.fromstring(svg)
    for element in tree.iter():
        element.tag = element.tag.removeprefix(SVG)
    return tree


def scenario(*layers, name="mine", overhead_s=1e-3):
    """Layers of (name, milliseconds, bytes) on a link of 100 kB a millisecond."""
    made = tuple(Layer(each, ms / 1000, size) for each, ms, size in layers)
    return Scenario(name, name, made, Link(overhead_s, 1e8), "a test", 4)


def settings(*layers, bucket=1, **given):
    """How a page starts with such layers; the overhead is 1 ms unless it is given."""
    return replace(settings_of(scenario(*layers, **given)), bucket=bucket)


# ms        0         5     8   10 11      15   17    20, where the axis ends
# compute   [    c    ][    b    ][a]
# link                [c 1+2]   [  b 1+4   ][a 1+1]
# waiting                          [   a   ]
UNEQUAL = settings(("c", 5, 2e5), ("b", 5, 4e5), ("a", 1, 1e5))


def bars(svg, fill):
    """Left, top, width and height of the bars of a role, as they are written."""
    tree = read(svg)
    return [
        tuple(bar.get(key) for key in ("x", "y", "width", "height"))
        for parent in tree.iter("g")
        if fill in (parent.get("class") or "") or fill in (parent.get("fill") or "")
        for bar in parent.findall("rect")
    ]


def texts(svg):
    """All texts, each without its line breaks and no-break spaces."""
    return [spoken(text) for text in read(svg).iter("text")]


def spoken(text):
    lines = [line.text for line in text.iter("tspan") if line.get("x")]
    whole = " ".join(lines) or "".join(text.itertext())
    return whole.replace("\N{NO-BREAK SPACE}", " ").strip()


def test_a_bar_of_5_ms_on_an_axis_of_80_ms_takes_a_sixteenth_of_the_width():
    drawn = bars(lanes_svg(DEFAULT), "overlap-fill-compute")

    assert len(drawn) == 12
    assert [bar[0] for bar in drawn[:3]] == ["0%", "6.25%", "12.5%"]
    assert {bar[2] for bar in drawn} == {"6.25%"}


def test_unequal_layers_lie_where_they_were_worked_out_by_hand():
    svg = lanes_svg(UNEQUAL)

    # 177 px high for 0 to 10, 8 px below the top: compute from 8.9 down to 7.2
    assert bars(svg, "overlap-fill-compute") == [
        ("0%", "27.47", "25%", "30.09"),
        ("25%", "27.47", "25%", "30.09"),
        ("50%", "27.47", "5%", "30.09"),
    ]
    # the link from 5.1 down to 3.4; b is hidden for 1 ms and exposed for 4
    assert bars(svg, "overlap-fill-hidden") == [
        ("25%", "94.73", "15%", "30.09"),
        ("50%", "94.73", "5%", "30.09"),
    ]
    assert bars(svg, "-exposed)") == [
        ("55%", "94.73", "20%", "30.09"),
        ("75%", "94.73", "10%", "30.09"),
    ]
    # a waits from 11 to 15 ms, from 1.9 down by 72 % of 0.45
    assert bars(svg, "overlap-fill-axis") == [("55%", "151.37", "20%", "5.73")]


def test_the_pass_ends_on_a_dashed_line_from_top_to_axis():
    [dashed] = [one for one in read(lanes_svg(UNEQUAL)).iter("g") if dashes(one)]
    [line] = dashed

    assert line.attrib == {"x1": "55%", "y1": "8", "x2": "55%", "y2": "185"}


def dashes(element):
    return element.get("stroke-dasharray")


def test_the_bracket_spans_the_tail_and_its_length_stands_over_it():
    svg = lanes_svg(UNEQUAL)
    lines = {
        (line.get("x1"), line.get("x2"))
        for group in read(svg).iter("g")
        if group.get("stroke-width") == "2" and group.get("stroke") == "#9c3000"
        for line in group.findall("line")
    }

    assert lines == {("55%", "85%"), ("55%", "55%"), ("85%", "85%")}
    assert "6 ms" in texts(svg)


def test_the_length_of_a_tail_never_lies_across_the_end_of_the_pass():
    tails = [
        (text.get("x"), text.get("text-anchor"))
        for text in read(lanes_svg(DEFAULT)).iter("text")
        if spoken(text) == "14.3 ms"
    ]

    assert tails == [("75%", None), ("75%", "end")]  # beside it, on either side


@pytest.mark.parametrize(
    ("effects", "hatched"),
    [
        (OFF, {"exposed"}),
        (Effects(late_s=2e-3), {"exposed", "late"}),
        (Effects(slowdown=0.2), {"exposed", "slowed"}),
        (Effects(slowdown=0.2, overlap=False), {"exposed"}),
    ],
)
def test_what_is_hatched_has_its_pattern_and_nothing_else_has(effects, hatched):
    tree = read(lanes_svg(replace(UNEQUAL, effects=effects)))
    patterns = [pattern.get("id") for pattern in tree.iter("pattern")]
    used = {group.get("fill") for group in tree.iter("g")}

    assert {name.rpartition("-")[2] for name in patterns} == hatched
    assert {f"url(#{name})" for name in patterns} <= used


def test_each_pass_but_the_last_ends_at_a_short_line():
    twice = Effects(micro_steps=3, every_micro_step=True)
    tree = read(lanes_svg(replace(UNEQUAL, effects=twice)))
    [ends] = [
        group
        for group in tree.iter("g")
        if group.get("stroke") == "#1a1f24" and not dashes(group)
    ]

    # 11 and 22 ms of an axis of 40 ms
    assert [line.get("x1") for line in ends] == ["27.5%", "55%"]


def test_captions_axis_and_ticks_are_in_the_picture():
    drawn = texts(lanes_svg(UNEQUAL))

    lanes = [words(f"lane.{key}") for key in ("compute", "communication", "waiting")]
    assert set(lanes) <= set(drawn)
    assert words("axis.time") in drawn
    assert [one for one in drawn if one.isdigit()][-5:] == ["0", "5", "10", "15", "20"]


def test_a_picture_has_a_name_and_a_description_without_what_only_the_page_has():
    tree = read(lanes_svg(UNEQUAL))
    ids = {element.get("id"): element.text for element in tree if element.get("id")}
    title, description = (ids[one] for one in tree.get("aria-labelledby").split())

    assert tree.get("role") == "img"
    assert title == words("region.lanes")
    assert description == (
        "Time chart of one step. The compute lane runs the backward pass through "
        "3 layers for 11 ms. The communication lane sends 3 transfers, 10 ms in all. "
        "4 ms of that is hidden behind the pass and 6 ms is left after it."
    )
    assert "sliders" in words("summary.lanes").rpartition(". ")[2]


def test_two_pictures_of_a_page_share_no_id():
    ids = [
        element.get("id")
        for svg in (lanes_svg(DEFAULT), lanes_svg(UNEQUAL))
        for element in read(svg).iter()
        if element.get("id")
    ]

    assert len(ids) == len(set(ids)) == 6


def test_the_same_settings_make_the_same_picture():
    assert picture_svg(UNEQUAL) == picture_svg(UNEQUAL)
    assert lanes_svg(DEFAULT) == lanes_svg(DEFAULT)


@given(SETTINGS)
def test_every_bar_of_the_columns_is_in_the_picture_once(chosen):
    simulation = simulation_of(chosen)
    columns = lane_columns(timeline_of(simulation), marks_of(simulation))
    drawn = Counter(
        (float(bar.get("x")[:-1]), float(bar.get("y")))
        for bar in read(lanes_svg(chosen)).iter("rect")
        if "class" not in bar.attrib and "x" in bar.attrib
    )

    end = columns["ranges"]["lanes_x"]["end"]
    expected = Counter(
        (round(100 * left / end, 4), round(8 + 17.7 * (10 - top), 2))
        for rows in columns["sources"].values()
        if "left" in rows
        for left, top in zip(rows["left"], rows["top"], strict=True)
    )
    assert drawn.total() == expected.total()
    assert near(sorted(drawn.elements()), sorted(expected.elements()))


def near(places, others):
    """Places in percent and pixels that differ by their last decimal at most."""
    return all(
        place == pytest.approx(other, abs=0.011)
        for place, other in zip(places, others, strict=True)
    )


@given(SETTINGS)
def test_every_picture_is_sound_xml_whose_numbers_are_numbers(chosen):
    for svg in (lanes_svg(chosen), picture_svg(chosen)):
        tree = read(svg)
        assert not re.search(r"nan|inf", " ".join(values(tree)), re.I)
        assert {element.tag for element in tree.iter()} <= TAGS


def values(tree):
    places = ("x", "y", "x1", "x2", "y1", "y2", "width", "height", "transform")
    return [
        element.get(key)
        for element in tree.iter()
        for key in places
        if key in element.attrib
    ]


@pytest.mark.parametrize("name", [MARKUP, CONTROL, "a\nb\tc", "漢字" * 40])
def test_names_are_text_whatever_they_hold(name):
    # one bucket, so that the sentence names the last layer; each layer has room
    hostile = settings((name, 50, 1e5), (name[::-1], 50, 1e5), name=name, bucket=2)
    for svg in (lanes_svg(hostile), picture_svg(hostile)):
        tree = read(svg)
        keys = {key for element in tree.iter() for key in element.attrib}

        assert {element.tag for element in tree.iter()} <= TAGS
        assert not {"onerror", "src", "href", "style"} & keys


def test_characters_that_xml_cannot_hold_are_replaced_and_the_rest_is_kept():
    svg = picture_svg(settings(("a", 5, 1e5), name="<b>\0\ud800\N{BELL}</b> & more"))

    assert texts(svg)[-1].startswith("<b>��\N{BELL}</b> & more · Bucket")
    svg.encode()  # no half of a character is left


def test_a_file_says_verdict_why_legend_and_settings():
    said = texts(picture_svg(UNEQUAL))

    assert said[0] == "The step waits 6 ms for communication."
    assert said[1].startswith("The link is still busy")
    assert said[2:6] == [
        words(f"legend.{role}") for role in ("compute", "hidden", "exposed", "waiting")
    ]
    assert said[-1] == (
        "mine · Bucket size: 1 layer · Bandwidth: 100 MB/s"
        " · Per-transfer overhead: 1 ms"
    )


def test_a_file_shows_in_its_legend_only_what_is_in_it():
    one_bucket = replace(UNEQUAL, bucket=3)

    assert words("legend.hidden") not in texts(picture_svg(one_bucket))
    assert words("legend.exposed") in texts(picture_svg(one_bucket))


def test_a_file_names_every_option_that_is_on():
    effects = Effects(slowdown=0.2, late_s=2e-3, micro_steps=2, every_micro_step=True)
    named = replace(DEFAULT, plan="ddp", table="h100-nvlink-8", effects=effects)
    without = replace(DEFAULT, effects=Effects(overlap=False, slowdown=0.2))

    assert texts(picture_svg(named))[-1] == (
        "Course example: twelve equal layers · Buckets: PyTorch DDP"
        f" · Link: {named.catalogue.links['h100-nvlink-8'].title}: table"
        " · Slowdown of compute: 20 % · Late rank: 2 ms"
        " · Gradient accumulation: 2 micro-steps"
        " · Communicate after: every micro-step"
    )
    assert texts(picture_svg(without))[-1].endswith("Overlap: off: all after the pass")


def test_a_tail_of_nothing_is_said_and_has_no_hatch():
    # the last bucket holds no bytes, and no overhead is paid for it
    nothing = settings(("b", 5, 1e5), ("a", 5, 0), overhead_s=0)
    svg = picture_svg(nothing)

    assert texts(svg)[0] == words("verdict.none")
    assert "0 ms" in texts(svg)
    assert "<pattern" not in svg


def test_a_file_stands_alone():
    svg = picture_svg(DEFAULT)
    tree = ET.fromstring(svg)

    assert tree.tag == f"{SVG}svg"
    assert tree.get("viewBox") == f"0 0 {tree.get('width')} {tree.get('height')}"
    assert "%" not in "".join(values(tree))
    assert set(re.findall(r"\w+://[^\"\s]*", svg)) == {"http://www.w3.org/2000/svg"}
    assert re.findall(r"url\((.)", svg) == ["#"] * svg.count("url(")


def test_all_of_a_file_is_inside_of_it():
    slowed = Effects(slowdown=0.5, late_s=9e-2, micro_steps=3, every_micro_step=True)
    for each in SCENARIOS.values():
        tree = read(picture_svg(replace(settings_of(each), effects=slowed)))
        ground = tree.find("rect")
        assert ground.get("width") == tree.get("width")
        assert ground.get("height") == tree.get("height")
        *_, last = tree.iter("g")
        foot = float(last.get("transform").split()[1].rstrip(")"))
        lines = len(list(last.iter("tspan")))
        assert foot + 17 * lines + 24 == pytest.approx(float(tree.get("height")))
