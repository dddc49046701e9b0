"""The parts of a picture: places, texts that fit, ticks, lines of text, colours."""

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overlap_widget.app import picture_drawing, picture_frame, picture_texts
from overlap_widget.app.bundles import stylesheet, text
from overlap_widget.app.figures import LANES_ROOM, lanes, recording
from overlap_widget.app.lane_columns import LANES_TOP
from overlap_widget.app.picture_axis import draw_axis, tick_step, tick_text
from overlap_widget.app.picture_css import picture_css
from overlap_widget.app.picture_frame import STEPS_PX, Frame, number
from overlap_widget.app.picture_style import (
    LIGHT,
    Bars,
    lane_styles,
    stream_styles,
)
from overlap_widget.app.picture_tags import escaped
from overlap_widget.app.picture_wrap import wrapped

FLUID = Frame(0, 80, 0, 10, top_px=8, height_px=177)
FIXED = Frame(20, 30, 0, 10, top_px=0, height_px=100, left_px=100, width_px=400)


def test_places_are_percent_of_a_fluid_frame_and_pixels_of_a_fixed_one():
    assert FLUID.x_text(5) == "6.25%"
    assert FLUID.width_text(20) == "25%"
    assert FIXED.x_text(22.5) == "200"
    assert FIXED.width_text(2.5) == "100"


def test_the_y_axis_runs_upwards():
    assert FLUID.y(10) == 8
    assert FLUID.y(0) == 185
    assert FIXED.y(7.5) == 25


def test_a_bar_without_length_is_still_drawn():
    assert FLUID.width_text(0) == "0.01%"
    assert FIXED.width_text(0) == "0.04"


def test_a_frame_shows_what_lies_in_it_at_least_in_part():
    assert FIXED.shows(10, 21)
    assert FIXED.shows(20, 20)
    assert not FIXED.shows(10, 20)
    assert not FIXED.shows(30, 31)


def test_what_is_beside_a_place_is_moved_in_pixels():
    assert FLUID.x(20, 2) == {"x": "25%", "transform": "translate(2 0)"}
    assert FIXED.x(25, -1.5) == {"x": "300", "transform": "translate(-1.5 0)"}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_no_place_is_no_number(value):
    with pytest.raises(ValueError, match="no place"):
        number(value)
    with pytest.raises(ValueError, match="no place"):
        FLUID.x_text(value)


def test_what_needs_30_of_5_percent_fits_from_a_picture_of_614_px_on():
    # 600 px of frame, and 14 beside it: the next step is 640
    assert FLUID.since(0.05, 30) == 640
    assert FLUID.since(1, 30) == 0
    assert FLUID.since(0, 30) is None
    assert FLUID.since(0, 0) == 0
    assert FLUID.since(0.01, 30) is None  # 3,014 px


@given(st.floats(1e-4, 1), st.floats(1, 200))
def test_a_fluid_frame_shows_only_what_a_fixed_one_of_that_width_would(share, px):
    since = FLUID.since(share, px)
    if since is not None:
        inner_px = max(since, picture_frame.NARROWEST_PX) - 14
        assert share * inner_px >= px * (1 - 1e-9)


def test_a_fixed_frame_knows_what_fits():
    assert FIXED.since(0.5, 200) == 0
    assert FIXED.since(0.5, 200.5) is None


@pytest.mark.parametrize(
    ("span", "step"),
    # what Bokeh's ticker chose for these axes
    [(80, 10), (60, 10), (100, 20), (150, 20), (200, 50), (1.5, 0.2), (5000, 1000)],
)
def test_ticks_stand_where_bokeh_puts_them(span, step):
    assert tick_step(span) == step


@given(st.floats(1e-5, 1e9))
def test_an_axis_has_four_to_twelve_ticks(span):
    assert 3 <= span / tick_step(span) <= 12


@pytest.mark.parametrize(
    ("value", "step", "text"),
    [
        (0, 10, "0"),
        (20, 10, "20"),
        (0.6000000000000001, 0.2, "0.6"),
        (1, 0.2, "1"),
        (100, 20, "100"),
        (0.00004, 0.00001, "0.00004"),
        (1_000_000, 200_000, "1000000"),
    ],
)
def test_ticks_have_the_decimals_that_they_need(value, step, text):
    assert tick_text(value, step) == text


def test_of_tight_numbers_every_second_one_gives_way_on_narrow_screens():
    # 2,000 of 15,000 ms are 30 px of the narrowest frame; "14000" needs 42
    axis = ET.fromstring(f"<svg>{draw_axis(Frame(0, 15_000, 0, 1, 0, 1), '')}</svg>")
    numbers = axis[1]
    always = [text.text for text in numbers.findall("text")]
    later = [group[0].text for group in numbers.findall("g")]

    assert always == ["0", "4000", "8000", "12000", None]
    assert later == ["2000", "6000", "10000", "14000"]
    assert {group.get("class") for group in numbers.findall("g")} == {
        "overlap-from-360"
    }


def test_a_long_number_at_the_end_of_the_axis_moves_inside():
    assert "translate(-6 0)" in draw_axis(Frame(0, 50_000, 0, 1, 0, 1), "label")
    assert "translate(-" not in draw_axis(Frame(0, 60, 0, 1, 0, 1), "label")


def test_a_label_longer_than_its_axis_leaves_its_unit():
    long = "Time since the backward pass began (ms)"  # about 253 px
    assert f">{long}<" in draw_axis(FIXED, long)
    narrow = replace(FIXED, width_px=240)
    assert ">ms<" in draw_axis(narrow, long)
    assert f">{long}<" not in draw_axis(narrow, long)

    fluid = draw_axis(FLUID, long)
    assert '<g class="overlap-from-280">' in fluid
    assert '<g class="overlap-below-280" display="none">' in fluid
    assert "overlap-below" not in draw_axis(FLUID, "Step time (ms)")


def test_lines_break_between_words_and_never_between_a_number_and_its_unit():
    lines = wrapped("waits 446 µs. It sends 1 layer or 20 % of it", 12, len)

    assert [line.replace("\N{NO-BREAK SPACE}", "_") for line in lines] == [
        "waits",
        "446_µs. It",
        "sends",
        "1_layer or",
        "20_% of it",
    ]


def test_a_word_that_is_longer_than_a_line_is_cut():
    assert wrapped("a" * 25 + " b", 10, len) == ["a" * 10, "a" * 10, "a" * 5 + " b"]
    assert wrapped("", 10, len) == [""]


@given(st.text("ab \N{NO-BREAK SPACE}1%", max_size=60), st.integers(1, 12))
def test_no_line_is_too_long_and_no_character_is_lost(whole, width):
    lines = wrapped(whole, width, len)

    assert all(len(line) <= width for line in lines)
    blank = re.compile(r"\s")
    assert blank.sub("", "".join(lines)) == blank.sub("", whole)


def test_text_is_escaped_and_what_xml_cannot_hold_is_replaced():
    assert escaped('<a b="c">&') == '&lt;a b="c"&gt;&amp;'
    assert escaped("\0\x08\ud800\ufffe") == "����"
    assert escaped("\t\n漢\N{GRINNING FACE}") == "\t\n漢\N{GRINNING FACE}"


def variables(css):
    return dict(re.findall(r"--overlap-(\w+): ([^;]+);", css))


def test_the_palette_is_that_of_the_light_theme():
    light = variables(re.search(r"^\.overlap \{(.*?)^\}", stylesheet(), re.M | re.S)[1])

    assert {role: light[role] for role in LIGHT} == LIGHT


def test_every_role_has_a_colour_in_the_dark_theme_and_another_in_forced_colours():
    dark, forced = (
        variables(re.search(rf"{start}(.*?)^ *\}}", stylesheet(), re.M | re.S)[1])
        for start in (r'^\.overlap\[data-theme="dark"\] \{', r"forced-colors: active")
    )

    assert LIGHT.keys() <= dark.keys() | {"ground"}
    assert LIGHT.keys() <= forced.keys()


def test_every_role_is_a_class_that_follows_the_page():
    css = picture_css()
    for role, colour in LIGHT.items():
        paint = f"var(--overlap-{role}, {colour})"
        assert f".overlap-fill-{role} {{ fill: {paint}; }}" in css
        assert f".overlap-line-{role} {{ stroke: {paint}; }}" in css


def test_every_width_has_its_rule_and_wider_ones_come_later():
    widths = re.findall(r"overlap-picture \(min-width: ([\d.]+)em\)", picture_css())

    assert [16 * float(width) for width in widths] == sorted(STEPS_PX)


def test_paper_is_light():
    paper = picture_css().partition("@media print")[2]

    assert variables(paper) == LIGHT


@pytest.mark.parametrize(
    ("styles", "plot"), [(lane_styles, lanes), (stream_styles, recording)]
)
def test_every_glyph_of_a_figure_is_drawn_in_its_roles(styles, plot):
    drawn, glyphs = styles(), plot().renderers

    assert [style.source for style in drawn] == [
        each.data_source.name for each in glyphs
    ]
    for style, each in zip(drawn, glyphs, strict=True):
        if isinstance(style, Bars):
            tags = {f"fill_color={style.fill}", f"line_color={style.line}"}
            tags |= {f"hatch_color={style.hatch.role}"} if style.hatch else set()
            assert set(each.glyph.tags) == tags


def test_the_frame_lies_where_that_of_the_figure_lies():
    plot = lanes()

    assert plot.min_border_left == picture_frame.LEFT_PX
    assert plot.min_border_right == picture_frame.RIGHT_PX
    assert plot.min_border_top == picture_drawing.ABOVE_PX
    low_y, height_px = LANES_ROOM["plain"]
    assert (plot.y_range.start, plot.y_range.end) == (low_y, LANES_TOP)
    assert plot.height == height_px


def test_texts_are_fitted_with_the_numbers_of_the_front():
    front = text("front", "figure_texts.js")
    sizes = dict(re.findall(r"const (\w+) = ([\d.]+);", front))

    assert float(sizes["CHARACTER_PX"]) == picture_frame.CHARACTER_PX
    assert float(sizes["NOTE_CHARACTER_PX"]) == picture_texts.NOTE_CHARACTER_PX
