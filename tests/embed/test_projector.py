"""The exported page on a projector, and the presenter's keys in a frame."""

import re
from importlib.resources import files

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
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
HOST = """<!DOCTYPE html><html lang="en"><title>Host</title>
<link rel="icon" href="data:,"><button>Before</button>
<iframe title="Widget" src="page.html#bucket=4"
style="width: 900px; height: 700px"></iframe>"""


def violations(page):
    page.evaluate(AXE)
    found = page.evaluate(
        "(tags) => axe.run({ runOnly: tags, resultTypes: ['violations'] })", TAGS
    )
    return [(one["id"], one["nodes"][0]["html"][:120]) for one in found["violations"]]


def test_every_state_of_a_projector_is_light_fits_and_has_no_fault(
    open_page, page_file
):
    page = open_page(page_file, "#projector=1", width=1024, height=768)
    page.emulate_media(color_scheme="dark")
    for state, place in STATES.items():
        page.evaluate("(to) => (location.hash = to)", f"theme=dark&projector=1{state}")
        page.wait_for_timeout(100)
        assert page.evaluate(BOTTOM, place) <= 768, state
        assert page.evaluate(FITS), state
        expect(page.locator("body")).to_have_css("background-color", WHITE)
        assert violations(page) == [], state
    page.set_viewport_size({"width": 320, "height": 700})
    page.evaluate("(to) => (location.hash = to)", "projector=1&lesson=floor")
    page.wait_for_timeout(100)
    assert page.evaluate(FITS)
    assert violations(page) == [], "narrow"


def test_revealed_blank_unfolded_and_listed_there_is_no_fault_either(
    open_page, page_file
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
        assert violations(page) == [], what
        assert page.evaluate(FITS), what
        assert verdict.is_visible() == (what != "blank"), what
    expect(page.get_by_role("dialog")).to_be_visible()


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
