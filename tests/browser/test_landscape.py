"""Curve, map, links and options in a browser, by mouse, keys and touch."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

DRAWN = """() => Bokeh.documents.some((one) => one.get_model_by_name('map'))
    && Bokeh.documents.every((one) => one.is_idle)"""


def slider(page, name):
    return page.get_by_role("slider", name=name)


def verdict(page):
    return page.get_by_role("heading", level=2).first


def expect_text(page, name, text):
    expect(slider(page, name)).to_have_attribute("aria-valuetext", re.compile(text))


def on_the_map(page, rate_gb_per_s, bucket):
    """Where a bandwidth and a bucket size of the course lie on the screen."""
    page.wait_for_function(DRAWN)
    pad = slider(page, "Point on the map")
    pad.scroll_into_view_if_needed()
    box = pad.bounding_box()
    x, y = page.evaluate(
        """([x, y]) => {
            const { frame } = [...Bokeh.index.roots]
                .find(({ model }) => model.name === 'map');
            return [frame.x_scale.compute(x), frame.y_scale.compute(y)];
        }""",
        [rate_gb_per_s, bucket],
    )
    return box["x"] + x, box["y"] + y


def test_a_click_on_the_map_moves_both_sliders(served, open_page):
    page = open_page(served)
    page.mouse.click(*on_the_map(page, 40, 9))

    expect_text(page, "Bucket size", r"^9 layers")
    expect_text(page, "Bandwidth", r"^39\sGB/s")  # the stop that is nearest to 40
    expect(verdict(page)).to_have_text("The step waits 4.08 ms for communication.")
    page.wait_for_url(re.compile("bucket=9&bandwidth=39GB/s"))


def test_a_click_beside_the_map_moves_nothing(served, open_page):
    page = open_page(served)
    x, y = on_the_map(page, 1, 1)
    page.mouse.click(x, y + 40)  # the numbers of the axis
    page.wait_for_timeout(500)  # longer than a move takes

    expect_text(page, "Bucket size", "^4 layers")
    expect_text(page, "Bandwidth", r"^12\sGB/s")


def test_the_map_is_reached_and_moved_by_keys_and_says_where_one_is(served, open_page):
    page = open_page(served)
    page.get_by_role("combobox", name="Map over").focus()
    page.keyboard.press("Tab")
    expect(slider(page, "Point on the map")).to_be_focused()
    expect(page.get_by_text("Click, or use the arrow keys").last).to_be_in_viewport()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)

    here = r"^2 layers a bucket, bandwidth 13\sGB/s, exposed tail 7.15\sms, last bucket"
    expect_text(page, "Point on the map", here)
    expect_text(page, "Bandwidth", r"^13\sGB/s")
    page.wait_for_timeout(800)  # longer than speech rests
    assert page.locator("[aria-live=polite]").text_content() == ""  # the point told it
    page.get_by_role("button", name="Reset").click()
    live = page.locator("[aria-live=polite]")
    expect(live).to_contain_text(re.compile(r"Exposed tail 14.3\sms, up 7.18\sms"))


def test_a_key_that_is_held_on_the_curve_reaches_the_end(served, open_page):
    page = open_page(served)
    curve = slider(page, "Point on the curve")
    for _ in range(20):
        curve.press("ArrowRight", no_wait_after=True)

    expect_text(page, "Point on the curve", r"^12 layers a bucket, exposed tail 41\sms")


def test_the_address_of_a_table_shows_it_until_a_slider_moves(served, open_page):
    page = open_page(f"{served}?scenario=bert-base&link=h100-nvlink-8-table")
    link = page.get_by_role("combobox", name="Link")

    expect(link).to_have_value("h100-nvlink-8-table")
    expect_text(page, "Bandwidth", "not in use")
    slider(page, "Per-transfer overhead").press("ArrowRight")
    expect(link).to_have_value("own")
    expect(page.get_by_text("not in use")).to_have_count(0)


def test_options_are_drawn_told_kept_in_the_address_and_reset(served, open_page):
    page = open_page(served)
    page.get_by_text("Beyond the simple model").click()
    box = page.get_by_role("textbox", name="Late rank in ms")
    box.fill("2ms")
    box.press("Enter")
    page.get_by_role("combobox", name="Buckets").select_option("ddp")

    expect(
        page.get_by_text("A rank that is late by 2 ms holds up every")
    ).to_be_visible()
    expect(page.get_by_text("1 on", exact=True)).to_be_visible()
    page.wait_for_url(re.compile("plan=ddp&.*&late=2000us&"))
    page.get_by_role("button", name="Reset").click()
    expect(verdict(page)).to_have_text("The step waits 14.3 ms for communication.")
    expect(box).to_have_value("0")
    page.wait_for_url(re.compile("plan=layers&.*&late=0us&"))


def test_a_finger_works_choices_folds_and_the_map(served, open_page):
    page = open_page(served, width=375, height=800, has_touch=True, is_mobile=True)
    page.get_by_text("Bandwidth from ranks and ports").tap()
    larger = page.get_by_role("button", name="Ring size: larger")
    larger.tap()
    expect_text(page, "Ring size", "^3 ranks")
    # Three ranks move 4 / 3 of the bytes through each port: 12 GB/s become 9.
    expect_text(page, "Bandwidth", r"^9\sGB/s")

    page.touchscreen.tap(*on_the_map(page, 100, 7))
    expect_text(page, "Bucket size", "^7 layers")
    expect_text(page, "Bandwidth", r"^100\sGB/s")
