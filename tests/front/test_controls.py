"""The controls: what a hand sends, and what a view may change under it."""

import re

import pytest
from playwright.sync_api import expect

from overlap_widget.model.scenarios import SCENARIOS

pytestmark = pytest.mark.browser

BUCKET = "Bucket size in layers"


def test_an_arrow_key_sends_the_next_stop(front):
    front.slider().press("ArrowRight")

    assert front.moves() == [{"type": "set", "key": "bucket", "value": 5, "seq": 1}]


def test_home_end_and_page_reach_the_ends_of_the_stops(front, view):
    for seq, (key, value) in enumerate([("End", 12), ("Home", 1), ("PageUp", 2)], 1):
        front.slider().press(key)
        assert front.last_move()["value"] == value
        front.show(view(seq, bucket=value))


def test_buttons_go_to_the_next_stop_also_from_between_two(front, view):
    # Stops around 12.5 GB/s are 12 and 13.
    for seq, (way, value) in enumerate([("larger", 13e9), ("smaller", 12e9)], 1):
        front.show(view(seq, bandwidth_bytes_per_s=12.5e9))
        front.page.get_by_role("button", name=f"Bandwidth: {way}").click()
        assert front.last_move()["value"] == value
        front.show(view(seq + 1, bandwidth_bytes_per_s=12.5e9))


def test_the_button_of_an_end_stays_in_reach_and_sends_nothing(open_front, view):
    front = open_front(first=view(bucket=1))
    button = front.page.get_by_role("button", name="Bucket size: smaller")
    button.focus()
    button.press("Enter")

    expect(button).to_have_attribute("aria-disabled", "true")
    expect(button).to_be_focused()
    assert front.moves() == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Bucket size", r"4 layers, 160\sMB"),
        ("Bandwidth", r"12\sGB/s"),
        ("Per-transfer overhead", r"1\sms"),
    ],
)
def test_a_slider_says_its_value_with_the_unit(front, name, text):
    expect(front.slider(name)).to_have_attribute("aria-valuetext", re.compile(text))
    expect(front.slider(name)).to_have_accessible_description(re.compile(r"\w+ .*\."))


def test_one_layer_is_singular(open_front, view):
    front = open_front(first=view(bucket=1))

    expect(front.slider()).to_have_attribute(
        "aria-valuetext", re.compile(r"1 layer, 40\sMB")
    )


def test_while_a_move_is_unanswered_only_the_newest_waits(front, view):
    for _ in range(5):
        front.slider().press("ArrowRight")
    assert [move["value"] for move in front.moves()] == [5]

    front.show(view(1, bucket=5))
    assert [move["value"] for move in front.moves()] == [5, 9]


def test_an_older_view_does_not_move_the_thumb_back(front, view):
    for _ in range(3):
        front.slider().press("ArrowRight")
    front.show(view(1, bucket=5))
    expect(front.slider()).to_have_value("6")

    front.show(view(2, bucket=7))
    expect(front.slider()).to_have_value("6")
    expect(front.box(BUCKET)).to_have_value("7")


def test_moves_of_different_controls_wait_side_by_side(front, view):
    front.slider().press("ArrowRight")
    front.slider("Bandwidth").press("End")
    front.slider("Per-transfer overhead").press("Home")
    for seq in (1, 2):
        front.show(view(seq, bucket=5))

    sent = [(move["key"], move["value"]) for move in front.moves()]
    assert sent == [("bucket", 5), ("bandwidth", 1e12), ("overhead", 0)]


def test_reset_comes_after_what_was_moved_before(front):
    for key in ("ArrowRight", "ArrowRight"):
        front.slider().press(key)
    front.page.get_by_role("button", name="Reset").click()

    assert [move["type"] for move in front.moves()] == ["set", "set", "reset"]
    assert [move["seq"] for move in front.moves()] == [1, 2, 3]


def test_a_shorter_pass_takes_away_stops(front, view):
    state = view(bucket=3)
    state["controls"]["bucket"]["max"] = 5
    front.show(state)
    front.slider().press("End")

    assert front.last_move()["value"] == 5


def test_a_pass_of_many_layers_brings_a_stop_for_each(front, view):
    front.show(view(scenario=SCENARIOS["resnet-50"]))
    front.slider().press("End")
    assert front.last_move()["value"] == 161

    front.show(view(1, scenario=SCENARIOS["resnet-50"], bucket=161))
    front.slider().press("ArrowLeft")
    assert front.last_move()["value"] == 160


def test_mode_scenario_and_theme_are_sent_as_settings(front, view):
    front.page.get_by_label("Scenario").select_option("fast-hardware")
    front.show(view(1))
    front.page.get_by_role("button", name="Display").click()
    front.page.get_by_label("Theme").select_option("dark")
    front.show(view(2, theme="dark"))
    front.page.get_by_text("Measured", exact=True).click()

    sent = [(move["key"], move["value"]) for move in front.moves()]
    assert sent == [
        ("scenario", "fast-hardware"),
        ("theme", "dark"),
        ("mode", "measured"),
    ]


def test_the_mode_is_that_of_the_picture_until_the_chosen_one_is_shown(
    front, view, measured_view
):
    modes = front.page.get_by_role("group", name="Mode")
    shown = front.page.locator(".overlap-shown")
    front.page.get_by_text("Measured", exact=True).click()
    for state in (None, view(0)):
        if state:
            front.show(state)
        expect(shown).to_have_text("Explore")
        expect(modes).to_have_attribute("aria-busy", "true")

    front.show(measured_view(1))
    expect(shown).to_have_text("Measured")
    expect(modes).not_to_have_attribute("aria-busy", "true")
    expect(front.page.get_by_role("radio", name="Measured")).to_be_checked()


SILENT = "t answer. This page tries again by itself and keeps what you set"


def test_a_driver_that_stays_silent_is_said_and_no_move_is_lost(own_front, view):
    own_front.page.clock.install()
    for _ in range(3):
        own_front.slider().press("ArrowRight")
    own_front.page.clock.fast_forward(4_000)
    said = own_front.page.get_by_text(SILENT)

    expect(said).to_be_visible()
    assert [move["value"] for move in own_front.moves()] == [5, 7]
    own_front.show(view(2, bucket=7))
    expect(said).to_have_count(0)


def test_silence_after_a_move_that_does_not_wait_is_said_too(own_front, view):
    own_front.page.clock.install(time=0)
    own_front.page.clock.pause_at(1_000)  # its own time goes on, on a busy machine fast
    own_front.page.get_by_role("button", name="Reset").click()
    own_front.page.clock.fast_forward(3_900)
    said = own_front.page.get_by_text(SILENT)
    expect(said).to_have_count(0)

    own_front.page.clock.fast_forward(100)
    expect(said).to_be_visible()
    own_front.show(view(1))
    expect(said).to_have_count(0)


def test_nothing_is_said_of_moves_that_are_answered_in_time(own_front, view):
    own_front.page.clock.install()
    own_front.slider().press("ArrowRight")
    own_front.page.get_by_role("button", name="Reset").click()
    own_front.page.clock.fast_forward(3_000)
    own_front.show(view(2))
    own_front.page.clock.fast_forward(60_000)

    expect(own_front.page.get_by_text(SILENT)).to_have_count(0)


def test_a_driver_that_is_gone_is_said_at_once_until_it_is_back(front, view):
    front.page.evaluate("front.lost()")
    said = front.page.get_by_text(SILENT)

    expect(said).to_be_visible()
    front.show(view())
    expect(said).to_have_count(0)


def swipe_over(front, slider, x, y):
    """A finger put down near the end of a slider and moved by x and y pixels."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    down = {"x": box["x"] + 0.8 * box["width"], "y": box["y"] + box["height"] / 2}
    session = front.page.context.new_cdp_session(front.page)

    def touch(kind, *points):
        event = {"type": kind, "touchPoints": points}
        session.send("Input.dispatchTouchEvent", event)

    touch("touchStart", down)
    for part in range(1, 11):
        moved = {"x": down["x"] + x * part / 10, "y": down["y"] + y * part / 10}
        touch("touchMove", moved)
    touch("touchEnd")


def test_a_swipe_up_from_a_slider_scrolls_and_leaves_its_value(open_front, view):
    front = open_front(375, 600, has_touch=True, is_mobile=True)
    slider = front.slider("Bandwidth")
    slider.scroll_into_view_if_needed()
    before = front.page.evaluate("scrollY")
    swipe_over(front, slider, 10, -100)
    front.page.wait_for_function(f"() => scrollY > {before} + 20")
    front.show(view(1))  # answers what the finger moved before it scrolled

    assert front.last_move()["value"] == 12e9
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"12\sGB/s"))
    expect(slider).to_have_value("50")


def test_a_swipe_along_a_slider_moves_it(open_front):
    front = open_front(375, 600, has_touch=True, is_mobile=True)
    swipe_over(front, front.slider(), -60, 0)

    assert front.last_move()["value"] > 4
