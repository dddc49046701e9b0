"""The exported page on a projector, and the presenter's keys in a frame."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
WHITE = "rgb(255, 255, 255)"
BOTTOM = """(place) => [...document.querySelectorAll(place)]
    .find((one) => one.checkVisibility()).getBoundingClientRect().bottom"""
# A state, and what of it must be on four by three without scrolling.
STATES = {
    "": ".overlap-controls",
    "&predict=tail": ".overlap-controls",
    "&lesson=floor&predict=off": ".overlap-controls",
    "&lesson=queue&predict=off": ".overlap-controls",
    "&lesson=lever": ".overlap-controls",
    "&mode=measured": ".overlap-figure-recording",
    "&mode=measured&predict=tail": ".overlap-figure-recording",
}
# What is drawn of the lanes at rest: their place, and where the notes stand.
LANES = """() => {
    const doc = Bokeh.documents.find((one) => one.roots()[0].name === 'lanes');
    const note = (name) => {
        const { x, align, text } = doc.get_model_by_name(name).data;
        return [x[0], align[0], text[0]?.trim()];
    };
    const place = document.querySelector('.overlap-explore .overlap-figure-lanes');
    return { top: place.getBoundingClientRect().top, pass: note('pass_label'),
        tail: note('tail_label') };
}"""
TOP = "(one) => one.getBoundingClientRect().top"
HOST = """<!DOCTYPE html><html lang="en"><title>Host</title>
<link rel="icon" href="data:,"><button>Before</button>
<iframe title="Widget" src="page.html#bucket=4"
style="width: 900px; height: 700px"></iframe>"""


def test_every_state_of_a_projector_is_light_fits_and_has_no_fault(
    open_page, page_file, axe
):
    page = open_page(page_file, "#projector=1", width=1024, height=768)
    page.emulate_media(color_scheme="dark")
    for state, place in STATES.items():
        page.evaluate("(to) => (location.hash = to)", f"theme=dark&projector=1{state}")
        page.wait_for_timeout(100)
        assert page.evaluate(BOTTOM, place) <= 768, state
        assert page.evaluate(FITS), state
        expect(page.locator("body")).to_have_css("background-color", WHITE)
        assert axe(page) == [], state
    page.set_viewport_size({"width": 320, "height": 700})
    page.evaluate("(to) => (location.hash = to)", "projector=1&lesson=floor")
    page.wait_for_timeout(100)
    assert page.evaluate(FITS)
    assert axe(page) == [], "narrow"


def test_revealed_blank_unfolded_and_listed_there_is_no_fault_either(
    open_page, page_file, axe
):
    page = open_page(page_file, "#projector=1&predict=tail", width=1024, height=768)
    verdict = page.locator(".overlap-explore .overlap-verdict")
    for keys, what in (
        ("r", "revealed"),
        ("b", "blank"),
        ("bt", "open"),
        ("?", "list"),
    ):
        page.keyboard.type(keys)
        page.wait_for_timeout(100)
        assert axe(page) == [], what
        assert page.evaluate(FITS), what
        assert verdict.is_visible() == (what != "blank"), what
    expect(page.get_by_role("dialog")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1920, 1080)])
@pytest.mark.parametrize("lesson", ["floor", "balance", "queue"])
def test_a_reveal_moves_nothing_and_sets_the_tail_beside_the_line(
    open_page, page_file, lesson, width, height
):
    at = f"#lesson={lesson}&projector=1&predict=tail"
    page = open_page(page_file, at, width=width, height=height)
    page.wait_for_timeout(500)
    before = page.evaluate(LANES)
    page.keyboard.press("r")
    expect(page.locator(".overlap-outcome")).to_be_visible()
    page.wait_for_timeout(500)
    after = page.evaluate(LANES)
    assert after["top"] == before["top"]
    assert after["pass"] == before["pass"]
    assert after["tail"][:2] == [before["pass"][0], "left"]


@pytest.mark.parametrize("projector", ["on", "off"])
def test_a_recorded_step_stays_where_it_is_when_its_tail_is_revealed(
    open_page, page_file, projector
):
    at = f"#lesson=measured&projector={projector}&predict=tail"
    page = open_page(page_file, at, width=1024, height=768)
    chart = page.locator(".overlap-figure-recording")
    before = chart.bounding_box()
    page.keyboard.press("r")
    expect(page.locator(".overlap-outcome")).to_be_visible()
    page.wait_for_timeout(300)
    assert chart.bounding_box()["y"] == pytest.approx(before["y"], abs=1)


def test_escape_closes_what_a_key_has_opened_wherever_focus_is(open_page, page_file):
    page = open_page(page_file, "#projector=1", width=1024, height=768)
    panel = page.get_by_role("region", name="Share what is shown now")
    display = page.get_by_role("button", name="Display")
    for focus in (None, display, page.get_by_role("textbox").first):
        page.keyboard.press("s")
        expect(panel).to_be_visible()
        if focus:
            focus.focus()
        page.keyboard.press("Escape")
        expect(panel).to_be_hidden()
        page.evaluate("document.activeElement.blur()")
    display.focus()
    page.keyboard.press("s")
    page.keyboard.press("Escape")
    expect(display).to_be_focused()
    display.click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    expect(display).to_have_attribute("aria-expanded", "false")


def test_a_key_shows_what_it_asks_for_wherever_the_page_is_scrolled(
    open_page, page_file
):
    page = open_page(page_file, "#lesson=overlap")
    page.keyboard.press("r")
    scroll = "scrollTo({ top: 700, behavior: 'instant' })"
    for key, title in (("n", "Step 2"), ("n", "Step 3"), ("k", "Step 2")):
        page.evaluate(scroll)
        page.get_by_role("slider", name="Point on the map").focus()
        page.keyboard.press(key)
        expect(page.get_by_role("heading", name=title)).to_be_focused()
        expect(page.get_by_role("heading", name=title)).to_be_in_viewport()
    for key, what in (("r", ".overlap-outcome"), ("q", ".overlap-reveal")):
        for at in ("#lesson=floor&predict=tail", "#bucket=7&predict=tail"):
            page.evaluate("(to) => (location.hash = to)", at)
            page.wait_for_timeout(100)
            if key == "q":
                page.keyboard.press("r")
                expect(page.locator(".overlap-outcome")).to_be_visible()
            page.evaluate(scroll)
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press(key)
            expect(page.locator(what)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("projector", [0, 1])
def test_t_shows_the_tables_from_their_heading_and_goes_back(
    open_page, page_file, projector
):
    at = f"#bucket=1&projector={projector}"
    page = open_page(page_file, at, width=1024, height=768)
    page.evaluate("scrollTo(0, 40)")
    page.keyboard.press("t")
    heading = page.get_by_text("Table of transfers").filter(visible=True)
    page.wait_for_timeout(300)
    assert -1 <= heading.evaluate(TOP) <= 20
    page.mouse.wheel(0, 300)
    page.wait_for_timeout(200)
    page.keyboard.press("t")
    expect(page.get_by_role("table").first).to_be_hidden()
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") == 40


def test_keys_work_in_a_frame_once_focus_is_in_it(open_page, page_file, site):
    (site.folder / "page.html").write_bytes(page_file.read_bytes())
    (site.folder / "host.html").write_text(HOST)
    page = open_page(f"{site.address}/host.html", live=False)
    frame = page.frame_locator("iframe")
    size = frame.get_by_role("slider", name="Bucket size").first
    expect(size).to_have_attribute("aria-valuetext", re.compile("^4 layers,"))

    page.get_by_role("button", name="Before").focus()
    page.keyboard.press("2")  # not in it yet
    page.keyboard.press("Tab")
    page.keyboard.press("3")
    expect(size).to_have_attribute("aria-valuetext", re.compile("^1 layer,"))
    page.get_by_role("button", name="Before").click()
    frame.locator(".overlap-verdict h2").first.click()  # nothing there takes focus
    page.keyboard.press("1")
    expect(size).to_have_attribute("aria-valuetext", re.compile("^12 layers,"))
    page.keyboard.press("p")
    expect(frame.locator(".overlap[data-projector]")).to_be_visible()
    page.keyboard.press("p")
    expect(frame.locator(".overlap[data-projector]")).to_have_count(0)
