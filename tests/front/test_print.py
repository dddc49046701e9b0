"""On paper: one sheet, light, figures as drawings that fit, settings as text."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

WHITE, BLACK = "rgb(255, 255, 255)", "rgb(17, 22, 28)"
LIGHT_COMPUTE, DARK_COMPUTE = "rgb(0,114,178)", "rgb(66,153,209)"
LIGHT_EXPOSED = "rgb(156,48,0)"
LETTER_PX = 739  # between margins of 0.4 inch
SIDES = ("top", "bottom", "left", "right")

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


WHOLE = """() => [...document.querySelectorAll(
        '.overlap, .overlap :not(tbody *, .overlap-unseen *)')]
    .map((one) => [one.tagName, one.hidden, one.open, 'printing' in one.dataset])"""
ROWS = """() => {
    const tables = [...document.querySelectorAll('.overlap-table-transfers')];
    const table = tables.find((one) => one.checkVisibility());
    return [[...table.querySelectorAll('tbody tr')].filter((row) => !row.hidden).length,
        table.querySelector('.overlap-hint').textContent];
}"""


def transfers(count):
    """So many transfers of 1,234."""
    return {
        "number": list(range(count)),
        "name": ["ncclDevKernel_AllReduce_Sum_f32_RING_LL" * 3] * count,
        "collective": ["all_reduce"] * count,
        "bytes": [26.2e6] * count,
        **{key: [0.001] * count for key in ("start_s", "end_s", "exposed_s")},
        "transfers_total": 1234,
    }


def sheets(front, paper):
    """How many sheets the page takes."""
    pdf = front.page.pdf(format=paper, margin=dict.fromkeys(SIDES, "0.5in"))
    expect(front.page.locator("[data-printing]")).to_have_count(0)
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def printed_rows(front):
    """How many transfers are printed, and what is said of the others."""
    front.page.emulate_media(media="print")
    expect(front.page.locator("[data-printing]")).to_have_count(1)
    rows = tuple(front.page.evaluate(ROWS))
    front.page.emulate_media(media="screen")
    return rows


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
    lanes, curve = front.page.evaluate("printed.slice(-2)")

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


def test_each_mode_is_printed_on_one_sheet_and_then_as_it_was(
    open_front, view, measured_view
):
    """All transfers where they fit; else the first of them, and how many there are."""
    front = open_front(drawn=True, first=view(bucket=1))
    assert [sheets(front, paper) for paper in ("A4", "Letter")] == [1, 1]
    assert printed_rows(front) == (12, "")

    front.show(measured_view(transfers=transfers(300)))
    assert sheets(front, "A4") == 1
    before = front.page.evaluate(WHOLE)
    assert sheets(front, "Letter") == 1
    rows, said = printed_rows(front)
    assert 2 < rows < 40
    assert said == f"The first {rows} of 1,234 transfers."

    expect(front.page.locator("[data-printing]")).to_have_count(0)
    assert front.page.evaluate(WHOLE) == before
    front.page.get_by_text("Table of transfers").filter(visible=True).click()
    said = "The first 300 of 1,234 transfers."
    assert front.page.evaluate(ROWS) == [300, said]


def test_who_has_opened_other_tables_gets_them_whole_on_more_sheets(open_front, view):
    front = open_front(drawn=True, first=view(bucket=1))
    for table in ("Table of bucket sizes", "Table of the map"):
        front.page.locator("summary", has_text=table).click()
    assert sheets(front, "A4") >= 2
    assert printed_rows(front) == (12, "")


def test_the_link_is_printed_in_full(front):
    front.page.emulate_media(media="print")
    address = front.page.locator(".overlap-printed-link").text_content()

    assert address.startswith("https://example.org/overlap.html#v=1&scenario=course")
    assert address.endswith("&show=all")
    front.page.emulate_media(media="screen")
    expect(front.page.locator(".overlap-printed-link")).to_have_count(0)


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
