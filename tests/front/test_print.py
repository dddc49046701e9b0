"""On paper: light colours, figures as drawings that fit, settings as text."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

WHITE, BLACK = "rgb(255, 255, 255)", "rgb(17, 22, 28)"
LIGHT_COMPUTE, DARK_COMPUTE = "rgb(0,114,178)", "rgb(66,153,209)"
LIGHT_EXPOSED = "rgb(156,48,0)"
LETTER_PX = 739  # between margins of 0.4 inch

# Keeps the drawings that are taken from the page; the last ones are those printed.
NOTE = """() => {
    window.printed = [];
    new MutationObserver((changes) => {
        for (const one of changes.flatMap((change) => [...change.removedNodes]))
            if (one.className === 'overlap-drawing')
                printed.push(new XMLSerializer().serializeToString(one)
                    .replaceAll(', ', ','));
    }).observe(document.body, { childList: true, subtree: true });
}"""


def expect_ground(front, colour):
    expect(front.page.locator(".overlap")).to_have_css("background-color", colour)


@pytest.mark.parametrize("source", ["events", "media"])
def test_print_is_light_and_the_screen_dark_again(open_front, source):
    front = open_front(color_scheme="dark")
    begin, end = {
        "events": [
            lambda: front.page.evaluate("dispatchEvent(new Event('beforeprint'))"),
            lambda: front.page.evaluate("dispatchEvent(new Event('afterprint'))"),
        ],
        "media": [
            lambda: front.page.emulate_media(media="print"),
            lambda: front.page.emulate_media(media="screen"),
        ],
    }[source]
    begin()
    expect_ground(front, WHITE)

    end()
    expect_ground(front, BLACK)


def test_figures_are_printed_in_light_colours_from_a_dark_screen(open_front):
    front = open_front(color_scheme="dark", drawn=True)
    front.page.evaluate(NOTE)
    front.page.pdf(format="Letter")
    expect(front.page.locator(".overlap-drawing")).to_have_count(0)
    lanes, curve, _ = front.page.evaluate("printed.slice(-3)")

    assert LIGHT_COMPUTE in lanes
    assert DARK_COMPUTE not in lanes
    assert LIGHT_EXPOSED in curve
    assert "Communication" in lanes
    expect(front.page.locator(".overlap-figure-lanes")).to_be_visible()
    expect_ground(front, BLACK)


def test_figures_fit_the_paper_and_are_again_as_wide_as_the_screen(open_front):
    front = open_front(1280, drawn=True)
    figure = front.page.locator(".overlap-figure-lanes")
    width = figure.bounding_box()["width"]
    front.page.set_viewport_size({"width": LETTER_PX, "height": 979})
    front.page.emulate_media(media="print")
    drawing = front.page.locator(".overlap-drawing svg").first

    expect(figure).to_be_hidden()
    assert 0.9 * LETTER_PX < drawing.bounding_box()["width"] <= LETTER_PX
    assert front.page.evaluate("document.documentElement.scrollWidth") <= LETTER_PX
    front.page.emulate_media(media="screen")
    front.page.set_viewport_size({"width": 1280, "height": 800})
    expect(drawing).to_have_count(0)
    assert figure.bounding_box()["width"] == width


def test_settings_are_printed_as_text_and_swatches_with_their_colours(front):
    front.page.emulate_media(media="print")

    expect(front.box("Bandwidth in GB/s")).to_be_visible()
    expect(front.box("Bandwidth in GB/s")).to_have_css("border-top-width", "0px")
    expect(front.page.get_by_label("Scenario")).to_be_visible()
    expect(front.slider()).to_have_count(0)
    for gone in ("button", "radio"):
        expect(front.page.get_by_role(gone)).to_have_count(0)
    swatch = front.page.locator(".overlap-swatch-compute").first
    expect(swatch).to_have_css("print-color-adjust", "exact")
