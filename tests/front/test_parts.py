"""Pages that show some of their parts only: what is left out is out for everybody."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect

from overlap_widget.app.settings import CONTROLS, SHOWN

pytestmark = pytest.mark.browser

# What each part is on the screen, in Explore.
PLACES = {
    "controls.bucket": "[aria-labelledby$=-bucket-label]",
    "controls.bandwidth": "[aria-labelledby$=-bandwidth-label]",
    "controls.overhead": "[aria-labelledby$=-overhead-label]",
    "controls.more": "[aria-label='More controls']",
    "controls.mode": ".overlap-modes label:has([value=measured])",
    "controls.lesson": ".overlap-modes label:has([value=lesson])",
    "controls.predict": ".overlap-predict-button",
    "controls.theme": ".overlap-display-panel [id$=-theme]",
    "controls.lang": ".overlap-display-panel [id$=-lang]",
    "controls.projector": ".overlap-display-panel .overlap-switch",
    "controls.scenario": ".overlap-tools",
    "controls.share": ".overlap-share-button",
    "show.verdict": ".overlap-explore .overlap-verdict",
    "show.lanes": ".overlap-figure-lanes",
    "show.curve": ".overlap-curve",
    "show.map": ".overlap-map",
    "show.numbers": ".overlap-explore .overlap-sums",
    "show.tables": ".overlap-explore > .overlap-table:not(.overlap-meanings)",
}
FOCUSED = """() => {
    const { className, tagName } = document.activeElement;
    return className === 'overlap-cursor' ? className : tagName;
}"""
LITTLE = {"show": "verdict,lanes", "controls": "bucket"}
EMPTY = """() => [...document.querySelectorAll(
        '.overlap section section, .overlap header, .overlap-columns, .overlap-above')]
    .filter((one) => one.checkVisibility() && !one.matches('.overlap-unseen'))
    .filter((one) => ![...one.querySelectorAll('*')].some((inner) =>
        !inner.children.length && inner.checkVisibility()
        && inner.getBoundingClientRect().width > 1))
    .map((one) => one.className)"""
UNFOLD = (
    "document.querySelector('.overlap-display-button[aria-expanded=false]')?.click()"
)
VISIBLE = """(places) => Object.keys(places).filter((part) => {
    const one = document.querySelector(places[part]);
    const { width, height } = one?.getBoundingClientRect() ?? {};
    return width > 0 && height > 0 && one.checkVisibility({ visibilityProperty: true });
})"""


def seen(front):
    """The parts that take room on the screen, the fold of the display open."""
    front.page.evaluate(UNFOLD)
    return {*front.page.evaluate(VISIBLE, PLACES)}


def test_every_part_has_its_place():
    names = {f"controls.{one}" for one in CONTROLS} | {f"show.{one}" for one in SHOWN}
    assert PLACES.keys() == names


def test_a_page_shows_all_its_parts_unless_it_is_asked_for_some(front):
    assert seen(front) == PLACES.keys()


@pytest.mark.parametrize("part", PLACES)
def test_a_part_alone_leaves_all_others_out(front, view, part):
    key, name = part.split(".")
    front.show(view(**({"show": "none", "controls": "none"} | {key: name})))

    assert seen(front) == {part}
    assert front.page.evaluate(EMPTY) == []


def test_any_parts_are_shown_as_they_are_asked_for_and_nothing_is_empty(front, view):
    def lists(names):
        return st.lists(st.sampled_from(names), unique=True).map(
            lambda some: ",".join(name for name in names if name in some) or "none"
        )

    @given(lists(SHOWN), lists(CONTROLS))
    def check(show, controls):
        front.show(view(show=show, controls=controls))
        asked = {"show": show.split(","), "controls": controls.split(",")}
        expected = {
            part
            for part in PLACES
            if part.split(".")[1] in asked[part.split(".", maxsplit=1)[0]]
        }
        assert seen(front) == expected
        assert front.page.evaluate(EMPTY) == []

    check()


@pytest.mark.parametrize("width", [320, 900, 1280])
def test_verdict_lanes_and_one_slider_are_a_page_of_their_own(open_front, view, width):
    front = open_front(width, first=view(**LITTLE))
    heights = front.page.evaluate(
        "[document.querySelector('.overlap').offsetHeight, document.body.scrollWidth]"
    )
    assert heights[0] < (800 if width == 320 else 560)
    assert heights[1] <= width
    tops = [
        front.page.locator(PLACES[part]).first.bounding_box()["y"]
        for part in ("show.verdict", "show.lanes", "controls.bucket")
    ]
    assert tops == sorted(tops)
    lanes = front.page.locator(".overlap-figure-lanes").bounding_box()
    slider = front.page.locator(PLACES["controls.bucket"]).bounding_box()
    assert slider["width"] == pytest.approx(lanes["width"], abs=1)


def test_the_title_of_a_part_of_a_page_is_there_but_not_seen(front, view):
    title = front.page.get_by_role("heading", level=1)
    assert title.bounding_box()["height"] > 10

    front.show(view(**LITTLE))
    expect(title).to_have_text("Hiding communication behind compute")
    assert title.bounding_box()["height"] <= 1
    header = front.page.locator(".overlap-header").bounding_box()
    assert header["height"] <= 1


def test_what_is_left_out_is_in_no_reach_of_keys_and_readers(front, view):
    front.show(view(**LITTLE))
    tree = front.page.locator(".overlap").aria_snapshot()

    for gone in ("Bandwidth", "Display", "Theme", "Share", "Reset", "Map", "Table"):
        assert gone not in tree
    names = set()
    for _ in range(8):
        front.page.keyboard.press("Tab")
        names.add(front.page.evaluate(FOCUSED))
    assert names <= {"INPUT", "BUTTON", "BODY", "overlap-cursor"}


def test_the_first_part_has_no_line_above_it(front, view):
    front.show(view(show="numbers,map", controls="none"))
    lines = [
        front.page.locator(place).evaluate(
            "(one) => getComputedStyle(one).borderTopWidth"
        )
        for place in (".overlap-explore .overlap-sums", ".overlap-more")
    ]
    assert lines == ["0px", "1px"]


def test_a_measured_page_shows_the_parts_that_it_has(front, measured_view):
    page = measured_view()
    page["state"] |= {"show": "verdict,numbers", "controls": "none"}
    front.show(page)

    expect(front.page.locator(".overlap-measured .overlap-verdict")).to_be_visible()
    expect(front.page.locator(".overlap-measured .overlap-sums")).to_be_visible()
    for gone in (".overlap-figure-recording", ".overlap-open", ".overlap-check"):
        expect(front.page.locator(gone)).to_be_hidden()
    for table in front.page.get_by_text("Table of transfers").all():
        expect(table).to_be_hidden()
    assert front.page.evaluate(EMPTY) == []
