"""Explore in a browser: what moves, what is drawn, what the address keeps."""

import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def slider(page, name):
    return page.get_by_role("slider", name=name)


def verdict(page):
    return page.get_by_role("heading", level=2).first


def lanes_data(page, source):
    """Columns of a source in the lanes figure, as the browser holds them."""
    return page.evaluate(
        """(source) => {
            for (const document of Bokeh.documents) {
                const model = document.get_model_by_name('lanes_x')
                    && document.get_model_by_name(source);
                if (model) return Object.fromEntries(Object.entries(model.data)
                    .map(([key, column]) => [key, [...column]]));
            }
        }""",
        source,
    )


def test_the_first_screen_says_how_long_the_step_waits(served, open_page):
    page = open_page(served)

    expect(verdict(page)).to_have_text("The step waits 14.3 ms for communication.")
    expect(slider(page, "Bucket size")).to_have_attribute(
        "aria-valuetext", re.compile(r"4 layers, 160\sMB")
    )


def test_an_arrow_key_moves_the_bucket_and_the_picture_follows(served, open_page):
    page = open_page(served)
    slider(page, "Bucket size").press("Home")

    expect(verdict(page)).to_have_text("The step waits 4.33 ms for communication.")
    page.wait_for_function("() => Bokeh.documents.every((one) => one.is_idle)")
    assert len(lanes_data(page, "hidden")["left"]) == 11


def test_a_fast_drag_ends_on_the_last_value(served, open_page):
    page = open_page(served)
    box = slider(page, "Bucket size").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 5, y)
    page.mouse.down()
    for step in range(80):
        page.mouse.move(box["x"] + 5 + step * (box["width"] - 6) / 79, y)
    page.mouse.up()

    expect(verdict(page)).to_have_text("The step waits 41 ms for communication.")
    expect(slider(page, "Bucket size")).to_have_value("11")


def test_the_address_keeps_the_state_and_restores_it(served, open_page):
    page = open_page(served)
    slider(page, "Bucket size").press("End")
    page.wait_for_url(re.compile("bucket=12"))
    again = open_page(page.url)

    expect(verdict(again)).to_have_text("The step waits 41 ms for communication.")


def test_a_huge_number_and_markup_in_the_address_are_one_sentence_each(
    served, open_page
):
    page = open_page(
        f"{served}?bucket={'9' * 30}&scenario=<img src=x onerror=alert(1)>"
    )

    expect(verdict(page)).to_have_text("The step waits 41 ms for communication.")
    expect(page.get_by_text("is out of range for bucket size")).to_be_visible()
    expect(page.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()
    assert page.locator("img").count() == 0


def test_reset_restores_the_scenario(served, open_page):
    page = open_page(f"{served}?bucket=9&overhead=3ms")
    page.get_by_role("button", name="Reset").click()

    expect(verdict(page)).to_have_text("The step waits 14.3 ms for communication.")


@pytest.mark.parametrize("width", [320, 768, 1280, 1920])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_width_needs_sideways_scrolling(served, open_page, width, scheme):
    page = open_page(served, width=width, color_scheme=scheme)
    page.wait_for_function("() => Bokeh.documents.every((one) => one.is_idle)")

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_touch_on_the_plus_button_moves_one_stop(served, open_page):
    page = open_page(served, width=375, height=700, has_touch=True)
    page.get_by_role("button", name="Bucket size: larger").tap()

    expect(slider(page, "Bucket size")).to_have_attribute(
        "aria-valuetext", re.compile(r"5 layers, 200\sMB")
    )
    expect(page.get_by_text("the last bucket holds 2 layers")).to_be_visible()


@pytest.mark.parametrize(
    "query",
    ["bucket=abc", "bandwidth=nan", "overhead=1e999", "scenario=", "theme=x", "v=zz"],
)
def test_a_value_that_cant_be_read_is_one_sentence_on_a_living_page(
    served, open_page, query
):
    page = open_page(f"{served}?{query}")

    expect(page.get_by_text("It is left out.")).to_be_visible()
    expect(verdict(page)).to_have_text("The step waits 14.3 ms for communication.")


@pytest.mark.parametrize(
    "query",
    ["bucket=" + "9" * 5000, "&".join(f"k{number}=1" for number in range(300))],
    ids=["5000 digits", "300 keys"],
)
def test_a_huge_address_is_one_sentence_on_a_living_page(served, open_page, query):
    page = open_page(f"{served}?{query}")

    expect(page.get_by_role("status").get_by_role("listitem")).to_have_count(1)
    expect(verdict(page)).to_contain_text("The step waits")


def time_axis_ms(page):
    return page.evaluate(
        """() => Bokeh.documents.map((document) => document.get_model_by_name('lanes'))
            .find(Boolean).x_range.end"""
    )


def test_the_time_axis_grows_under_the_hand_and_shrinks_when_it_rests(
    served, open_page
):
    page = open_page(f"{served}?bucket=12")
    box = slider(page, "Bandwidth").bounding_box()
    x, y = box["x"], box["y"] + box["height"] / 2
    expect(verdict(page)).to_have_text("The step waits 41 ms for communication.")
    page.mouse.move(x + box["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(x + 0.25 * box["width"], y, steps=5)
    page.wait_for_function(
        """() => Bokeh.documents.map((document) => document.get_model_by_name('lanes'))
            .find(Boolean).x_range.end >= 400"""
    )
    grown_ms = time_axis_ms(page)
    page.mouse.move(x + 0.75 * box["width"], y, steps=5)
    expect(slider(page, "Bandwidth")).to_have_attribute(
        "aria-valuetext", re.compile(r"^1\d\dGB/s|^1\d\d\sGB/s")
    )
    page.wait_for_function("() => Bokeh.documents.every((one) => one.is_idle)")
    held_ms = time_axis_ms(page)
    page.mouse.up()

    assert held_ms >= grown_ms
    page.wait_for_function(
        """() => Bokeh.documents.map((document) => document.get_model_by_name('lanes'))
            .find(Boolean).x_range.end < 100"""
    )


def test_an_explorer_in_another_page_leaves_its_address_alone(open_page, tmp_path):
    app = tmp_path / "lecture.py"
    app.write_text(
        "import panel as pn\n"
        "from overlap_widget.app import Explorer\n"
        "pn.Column('Lecture 3', Explorer(query='bucket=2')).servable()\n"
    )
    command = [sys.executable, "-m", "panel", "serve", str(app), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            lines = iter(process.stdout.readline, "")
            address = next(
                found[0] for line in lines if (found := re.search(r"http://\S+", line))
            )
            page = open_page(f"{address}?lecture=3")
            expect(verdict(page)).to_contain_text("The step waits 7.67 ms")
            slider(page, "Bucket size").press("Home")
            expect(verdict(page)).to_contain_text("The step waits 4.33 ms")
            page.wait_for_timeout(600)  # longer than an address waits to be written

            assert page.url.endswith("?lecture=3")
        finally:
            process.kill()  # Panel may wait for its open pages otherwise


def figure_box(page, place):
    return page.get_by_role("img", name=re.compile(place)).bounding_box()


def test_a_click_on_the_curve_takes_the_bucket_size_under_it(served, open_page):
    page = open_page(served)
    page.wait_for_function("() => Bokeh.documents.every((one) => one.is_idle)")
    box = slider(page, "Point on the curve").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 20, box["y"] + box["height"] / 2)

    expect(verdict(page)).to_have_text("The step waits 41 ms for communication.")
    expect(slider(page, "Bucket size")).to_have_value("11")


def test_a_tap_shows_the_card_of_a_transfer(served, open_page):
    page = open_page(served, width=375, height=900, has_touch=True)
    page.wait_for_function("() => Bokeh.documents.every((one) => one.is_idle)")
    box = figure_box(page, "^Time chart")
    # The first transfer runs from 20 to 34 of 80 ms, in the lower half of the plot.
    page.touchscreen.tap(
        box["x"] + 0.34 * box["width"], box["y"] + 0.47 * box["height"]
    )

    expect(page.locator(".bk-tooltip-row-value").first).to_be_visible()
    expect(page.get_by_text("layer 12 to layer 9").first).to_be_visible()


def test_a_server_that_ends_is_told_at_once(serving, open_page):
    with serving() as address:
        page = open_page(address)
    expect(page.get_by_role("status").get_by_role("listitem")).to_have_count(1)
