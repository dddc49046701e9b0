"""Pictures in a browser: no text on another, colours by theme, the page's width."""

import re
from dataclasses import replace

import pytest

from overlap_widget.app.bundles import stylesheet
from overlap_widget.app.measured import Measured, choose_recording, example
from overlap_widget.app.picture import (
    lanes_svg,
    picture_css,
    picture_svg,
    recording_svg,
    streams_svg,
)
from overlap_widget.app.picture_style import LIGHT
from overlap_widget.app.settings import DEFAULT, settings_of
from overlap_widget.model.effects import OFF, Effects
from overlap_widget.model.scenarios import SCENARIOS

pytestmark = pytest.mark.browser

WIDTHS = (320, 375, 768, 1280, 1920)
EFFECTS = (
    OFF,
    Effects(overlap=False),
    Effects(late_s=0.005, slowdown=0.3),
    Effects(late_s=0.09, micro_steps=3, every_micro_step=True),
)
CLASHES = """() => [...document.querySelectorAll('svg')].flatMap((svg) => {
    const [, , width, height] = (svg.getAttribute('viewBox') ?? '').split(' ');
    const around = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')]
        .map((text) => [text.textContent, text.getBoundingClientRect()])
        .filter(([, box]) => box.width > 0);
    const out = texts.filter(([, box]) =>
        box.left < around.left - 1 || box.right > around.right + 1
        || box.top < around.top - 1 || box.bottom > around.bottom + 1);
    const on = texts.filter(([, a], row) => texts.slice(0, row).some(([, b]) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3));
    return [...out, ...on].map(([text]) => text);
})"""
SHOWN = """() => [...document.querySelectorAll('text')]
    .filter((text) => text.getBoundingClientRect().width > 0)
    .map((text) => text.textContent.trim())"""
PAINTED = """(roles) => Object.fromEntries(roles.map((role) => {
    const shown = document.querySelector('svg');
    const mark = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    mark.setAttribute('class', `overlap-fill-${role} overlap-line-${role}`);
    shown.append(mark);
    const { fill, stroke } = getComputedStyle(mark);
    const probe = document.createElement('i');
    probe.style.color = `var(--overlap-${role})`;
    shown.parentElement.append(probe);
    return [role, [fill, stroke, getComputedStyle(probe).color]];
}))"""


@pytest.fixture
def page(browser):
    """A page whose scripts are the test's."""
    with browser.new_page() as opened:
        yield opened


def show(page, *pictures, theme="light"):
    """Pictures in the styles of the embedded page."""
    shown = "".join(
        f'<section class="overlap-lanes">{one}</section>' for one in pictures
    )
    page.set_content(
        f"<!DOCTYPE html><style>body {{ margin: 0 }} {stylesheet()} {picture_css()}"
        f'</style><div class="overlap overlap-snapshot" data-theme="{theme}">'
        f'<div class="overlap-page">{shown}</div></div>'
    )


def widen(page, width):
    page.set_viewport_size({"width": width, "height": 600})


def many_settings():
    """Every scenario with few and many buckets, and with each option."""
    for scenario in SCENARIOS.values():
        start = settings_of(scenario)
        for bucket in {1, 3, start.bucket, len(scenario.layers)}:
            yield replace(start, bucket=bucket)
        for effects in EFFECTS:
            yield replace(start, effects=effects)


def test_no_text_lies_on_another_or_outside_at_any_width(page):
    recorded = choose_recording(Measured(recordings=(example(),)), 0)
    show(page, *map(lanes_svg, many_settings()), streams_svg(recorded))
    for width in WIDTHS:
        widen(page, width)
        assert page.evaluate(CLASHES) == [], width


def test_bars_are_named_once_they_have_the_room(page):
    show(page, lanes_svg(DEFAULT))
    shown = {}
    for width in (300, 320, 375, 1280):
        widen(page, width)
        shown[width] = page.evaluate(SHOWN)

    assert "12" not in shown[300] + shown[320]
    assert {"12", "1"} <= set(shown[375])
    for texts in shown.values():
        assert texts.count("pass ends") == texts.count("14.3 ms") == 1


def test_text_keeps_its_size_at_any_width(page):
    show(page, lanes_svg(DEFAULT))
    heights = set()
    for width in WIDTHS:
        widen(page, width)
        box = page.get_by_text("Compute", exact=True).bounding_box()
        heights.add(round(box["height"], 1))

    assert len(heights) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_colours_are_those_of_the_page(page, theme):
    show(page, lanes_svg(DEFAULT), theme=theme)
    painted = page.evaluate(PAINTED, list(LIGHT))

    for role, (fill, line, wanted) in painted.items():
        assert fill == line == wanted, role
    assert (painted["ground"][0] == "rgb(255, 255, 255)") == (theme == "light")


def test_forced_colours_reach_the_picture(page):
    show(page, lanes_svg(DEFAULT))
    page.emulate_media(forced_colors="active")
    painted = page.evaluate(PAINTED, list(LIGHT))

    assert painted["text"][0] == painted["muted"][0] == painted["axis"][0]
    assert painted["exposed"][0] != painted["text"][0]


def test_on_paper_a_dark_page_is_light_and_fits_one_sheet(page):
    show(page, lanes_svg(DEFAULT), theme="dark")
    for size in ("A4", "Letter"):
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=size))) == 1
    page.emulate_media(media="print")
    painted = page.evaluate(PAINTED, ["ground", "text"])

    assert painted["ground"][0] == "rgb(255, 255, 255)"
    assert painted["text"][0] == "rgb(26, 31, 36)"


@pytest.mark.parametrize("kind", ["step", "recording"])
def test_a_file_opens_by_itself_with_all_of_its_text_inside(page, tmp_path, kind):
    recorded = choose_recording(Measured(recordings=(example(),)), 0)
    effects = Effects(late_s=0.005, slowdown=0.3, micro_steps=2, every_micro_step=True)
    long = replace(settings_of(SCENARIOS["bert-base"]), plan="ddp", effects=effects)
    path = tmp_path / "picture.svg"
    svg = picture_svg(long) if kind == "step" else recording_svg(recorded)
    path.write_text(svg, encoding="utf-8")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())

    assert asked == [path.as_uri()]
    assert page.evaluate("document.documentElement.tagName") == "svg"
    assert page.evaluate(CLASHES) == []
