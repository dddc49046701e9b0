"""The lesson in the exported page: by keyboard alone, and nothing that axe finds."""

import re

import pytest
from playwright.sync_api import expect

from overlap_widget.app.lesson import STEP_NAMES

pytestmark = pytest.mark.browser

WIDTHS = (320, 375, 768, 1280)
SEEN = [*((width, "light") for width in WIDTHS), (1280, "dark"), (320, "dark")]
MOST_TABS = 120
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
LANES_TOP = """[...document.querySelectorAll('.overlap-lanes')]
    .find((one) => one.checkVisibility()).getBoundingClientRect().top + scrollY"""
NAME = """() => {
    const one = document.activeElement;
    const labels = [...(one.labels ?? [])].map((label) => label.textContent);
    return one.ariaLabel ?? (labels.join(' ') || one.textContent);
}"""


# Of each step: what to go to, the keys that are pressed there, and what is said then.
BACK, ON = "Shift+Tab", "Tab"
PLAYED = {
    "Step 1 of 6: Overlap": [
        (ON, "^Your guess in", "2 0 Enter", "You said 20 ms. It is 41 ms"),
        (ON, "^Bucket size$", "Home ArrowRight ArrowRight", "Done: 33 ms of 44 ms"),
    ],
    "Step 2 of 6: The floor": [
        (ON, "^Skip question$", "Enter", "The tail is 17.7 ms"),
        (ON, "^Bucket size$", "Home ArrowRight", "Done: nothing is queued"),
    ],
    "Step 3 of 6: The balance": [
        (ON, "^Reveal$", "Enter", "You made no guess."),
        (ON, "^Per-transfer overhead$", "ArrowRight " * 4, "Best now: 3 layers"),
        (BACK, "^Bucket size$", "ArrowRight ArrowRight", "Done: 3 layers a bucket"),
    ],
    "Step 4 of 6: The queue": [
        (ON, "^Your guess in", "2 4 Enter", "It is 24.5 ms: close"),
        (
            ON,
            "^Bucket size$",
            "End ArrowLeft",
            "Done: 1 layer 24.5 ms; 12 layers 41 ms",
        ),
    ],
    "Step 5 of 6: The last lever": [
        (ON, "^Another bucket size$", "ArrowDown ArrowDown", "Twice the bandwidth"),
        (ON, "^Reveal$", "Enter", "You said “Twice the bandwidth”: right."),
        (ON, "^Bandwidth$", "PageUp PageUp PageUp", "Done: traffic to work is"),
    ],
    "Step 6 of 6: A real run": [
        (ON, "^Your guess in", "9 Enter", "You said 9 ms. It is 5.53 ms"),
        (ON, "^Try other buckets$", "Enter", "Measured, its tail was 5.53 ms"),
        (ON, "^Bucket size$", "Home", "by this estimate, instead of 5.53 ms."),
    ],
}


def reach(page, way, name):
    """Tab on or back until what has focus is called so."""
    for _ in range(MOST_TABS):
        page.keyboard.press(way)
        if re.search(name, page.evaluate(NAME)):
            return
    raise AssertionError(f"{name} is in no reach of keys")


def test_the_whole_lesson_is_done_by_keyboard_alone(open_page, page_file):
    page = open_page(page_file)
    panel = page.locator(".overlap-lesson")
    reach(page, ON, "^Start the lesson$")
    for title, acts in PLAYED.items():
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name=title)).to_be_focused()
        for way, name, keys, said in acts:
            reach(page, way, name)
            for key in keys.split():
                page.keyboard.press(key)
            expect(panel).to_contain_text(said)
        reach(page, BACK, "^(Next|Finish)$")

    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What you have seen")).to_be_focused()
    expect(panel.get_by_role("button", name="done")).to_have_count(6)
    reach(page, ON, "^Explore on your own$")
    page.keyboard.press("Enter")
    expect(panel).to_be_hidden()
    expect(page.get_by_role("radio", name="Explore")).to_be_focused()
    page.wait_for_url("**lesson=off**")


def test_a_link_to_a_step_starts_it_and_the_address_keeps_where_one_is(
    open_page, page_file
):
    page = open_page(page_file, "#lesson=2")
    title = page.get_by_role("heading", name="Step 2 of 6: The floor")
    expect(title).to_be_visible()
    expect(page.locator(".overlap-invite")).to_be_hidden()
    page.wait_for_url("**lesson=floor&predict=tail**")
    page.get_by_role("button", name="Skip question").click()
    page.get_by_role("slider", name="Bucket size").press("Home")
    page.wait_for_url("**bucket=1&**lesson=floor&predict=off**")
    page.reload()
    expect(page.locator(".overlap-lesson")).to_contain_text("Done: nothing is queued")


def test_the_way_back_to_the_recording_leads_to_the_panel(open_page, page_file):
    page = open_page(page_file, "#lesson=measured&predict=off")
    panel = page.locator(".overlap-lesson")
    expect(panel).to_contain_text("After the pass 5.53 ms of it goes on")
    panel.get_by_role("button", name="Try other buckets").click()
    page.get_by_role("slider", name="Bucket size").press("End")
    expect(panel).to_contain_text("by this estimate")
    page.get_by_role("button", name="Back to the recording").click()
    title = page.get_by_role("heading", name="Step 6 of 6: A real run")
    expect(title).to_be_focused()
    expect(title).to_be_in_viewport()
    expect(panel).to_contain_text("After the pass 5.53 ms of it goes on")
    expect(panel.get_by_role("button", name="Try other buckets")).to_be_in_viewport()


@pytest.mark.parametrize(
    ("width", "most_px"), [(320, 39), (768, 7), (1024, 7), (1280, 7)]
)
def test_the_lanes_stay_where_they_are_when_an_answer_is_revealed(
    open_page, page_file, width, most_px
):
    page = open_page(page_file, "#lesson=queue", width=width)
    moved = {}
    for at in (5, 6):  # the longest answer; a recording that wasn't on the page yet
        page.get_by_role("button", name="Next").click()
        expect(page.get_by_role("heading", name=f"Step {at}")).to_be_visible()
        page.wait_for_timeout(200)
        before_px = page.evaluate(LANES_TOP)
        page.get_by_role("button", name="Reveal").click()
        expect(page.locator(".overlap-lesson-turn")).to_be_visible()
        page.wait_for_timeout(200)
        moved[at] = abs(page.evaluate(LANES_TOP) - before_px)
    assert max(moved.values()) <= most_px, moved


def reveal(page):
    page.get_by_role("button", name="Skip question").click()
    expect(page.locator(".overlap-lesson-turn")).to_be_visible()


@pytest.mark.parametrize("step", STEP_NAMES)
def test_axe_finds_nothing_in_the_panel_covered_or_revealed(
    open_page, page_file, axe, step
):
    """At every width, and at the ends in the dark, which differs in colours alone.

    Without figures, which take long to follow; the next test has them.
    """
    page = open_page(page_file, f"#lesson={step}&show=verdict")
    for is_revealed in (False, True):
        if is_revealed:
            reveal(page)
        for width, theme in SEEN:
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=theme)
            found = axe(page, ".overlap-lesson", only_colours=theme == "dark")
            assert found == [], (is_revealed, width, theme)
            assert page.evaluate(FITS), width


@pytest.mark.parametrize(("width", "theme"), [(320, "dark"), (1280, "light")])
def test_axe_finds_nothing_in_the_whole_page_of_a_step_also_when_projected(
    open_page, page_file, axe, width, theme
):
    page = open_page(page_file, width=width, color_scheme=theme)
    for step in STEP_NAMES:
        page.evaluate("(step) => { location.hash = `lesson=${step}`; }", step)
        expect(page.get_by_role("button", name="Skip question")).to_be_visible()
        assert axe(page) == [], (step, "covered")
        if theme == "light":
            page.keyboard.press("p")
            expect(page.locator(".overlap[data-projector]")).to_be_visible()
            assert axe(page) == [], (step, "projected")
        reveal(page)
        assert axe(page) == [], (step, "revealed")


@pytest.mark.parametrize(("touch", "least"), [(False, 24), (True, 44)])
def test_the_targets_of_the_panel_are_large_enough_for_a_finger(
    open_page, page_file, touch, least
):
    page = open_page(
        page_file, "#lesson=floor", width=320, has_touch=touch, is_mobile=touch
    )
    sizes = """() => [...document.querySelectorAll('.overlap-lesson button')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.getBoundingClientRect())
        .map(({ width, height }) => Math.min(width, height))"""
    assert min(page.evaluate(sizes)) >= least
    page.get_by_role("button", name="Skip question").click()
    assert min(page.evaluate(sizes)) >= least
    assert page.evaluate(FITS)
