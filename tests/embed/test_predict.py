"""Predict, then reveal in the embedded page: no trace of the answer, and the flag."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from overlap_widget.app.measured import Measured, example, opened
from overlap_widget.app.measured_view import measured_view
from overlap_widget.app.quantities import time_text
from overlap_widget.app.settings import DEFAULT, simulation_of
from overlap_widget.model.units import GB, MS

pytestmark = pytest.mark.browser

LEAKS = Path(__file__).with_name("leaks.js").read_text(encoding="utf-8")
# Unequal on purpose: no answer is the time of a layer, nor a size, nor a stop.
SEVEN = replace(DEFAULT, bucket=7, overhead_s=1.37e-3, bandwidth_bytes_per_s=12.7 * GB)
ADDRESS = "bucket=7&overhead=1.37ms&bandwidth=12.7GB/s"
PLACE = """([name, time]) => {
    const place = document.querySelector(`.overlap-figure-${name}`);
    const view = [...Bokeh.index.roots].find(({ el }) => place.contains(el));
    const { left, top } = view.canvas_view.events_el.getBoundingClientRect();
    const { bbox, x_scale } = view.frame;
    return [left + x_scale.compute(time), top + (bbox.top + bbox.bottom) / 2];
}"""


# The focus ring of the flag in shares of what clips it, how wide it is, and where the
# pole is; none while it isn't drawn.
RING = """() => {
    const over = document.querySelector('.overlap-over:has(:focus)');
    const style = getComputedStyle(over, '::after');
    const px = (key) => parseFloat(style[key]);
    if (style.content === 'none' || style.borderTopStyle !== 'solid') return null;
    const { left, width } = over.querySelector('.overlap-flag').getBoundingClientRect();
    return {
        edges: ['left', 'right', 'top', 'bottom'].map(px),
        width: px('width'), height: px('height'), wide: px('borderTopWidth'),
        pole: left + width / 2 - over.getBoundingClientRect().left,
        slider: getComputedStyle(over.querySelector('input')).outlineStyle,
    };
}"""


def answers():
    """What the tail of seven layers is, and all that would tell it."""
    step = simulation_of(SEVEN)
    late = [one.end_s for one in step.transfers if one.end_s > step.backward_s]
    return [step.tail.total_s, step.communication_s, *late]


def recorded():
    numbers = measured_view(opened(Measured(), example()))["numbers"]
    return [numbers[f"{key}_s"] for key in ("tail", "exposed", "communication")]


def told(page, times_s):
    """Those of the times that are anywhere in the page, in words or as numbers."""
    found = page.evaluate(LEAKS)

    def is_told(time_s):
        shown = [time_text(time_s), *(f"{time_s / MS:.{places}f}" for places in (2, 3))]
        pattern = "|".join(rf"(?<![\d.]){re.escape(one)}(?!\d)" for one in shown)
        values = (time_s, time_s / MS)
        return re.search(pattern, found["text"]) or any(
            one == pytest.approx(value, rel=1e-6)
            for one in found["numbers"]
            for value in values
        )

    return [time_s for time_s in times_s if is_told(time_s)]


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def see_everything(page):
    """Open all that opens, and visit a bar, whose card then stands beside it."""
    page.evaluate(
        "document.querySelectorAll('details').forEach((one) => one.open = true)"
    )
    cursor = page.get_by_role("slider", name="Bars").locator("visible=true").first
    cursor.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    page.wait_for_timeout(
        700
    )  # until it has been said, and what is out of view is drawn


def test_no_text_no_attribute_and_no_figure_tells_a_covered_answer(
    open_page, page_file
):
    page = open_page(page_file, f"#{ADDRESS}")
    see_everything(page)
    page.get_by_role("slider", name="Bucket size").press("ArrowRight")
    page.get_by_role("slider", name="Bucket size").press("ArrowLeft")
    page.wait_for_timeout(700)
    assert told(page, answers()) == answers()

    button(page, "Predict").click()
    page.get_by_role("slider", name="Bucket size").press("ArrowRight")
    page.get_by_role("slider", name="Bucket size").press("ArrowLeft")
    page.wait_for_timeout(700)
    assert told(page, answers()) == []
    button(page, "Reveal").click()
    page.wait_for_timeout(300)
    assert told(page, answers()) == answers()


def test_nor_of_a_recorded_step_also_where_it_is_explored(open_page, page_file):
    page = open_page(page_file, "#mode=measured")
    page.get_by_role("combobox", name="Compare with").select_option(index=1)
    shown = page.get_by_role("combobox", name="Step", exact=True).input_value()
    page.get_by_role("combobox", name="Step to compare").select_option(
        shown
    )  # drawn twice, then
    see_everything(page)
    assert told(page, recorded()) == recorded()
    button(page, "Predict").click()
    page.wait_for_timeout(300)
    assert told(page, recorded()) == []
    expect(page.get_by_text("Step to compare with")).to_be_hidden()

    button(page, "Reveal").click()
    button(page, "Try other buckets").click()
    expect(page.get_by_text("Measured, the tail is")).to_be_visible()
    button(page, "Predict").click()
    expect(page.get_by_text("This is an estimate")).to_be_visible()
    expect(page.get_by_text("Measured, the tail is")).to_be_hidden()
    page.wait_for_timeout(300)
    assert told(page, recorded()[:2]) == []


def place_of(page, time_ms, name="lanes"):
    return page.evaluate(PLACE, [name, time_ms])


def pole(page):
    """Where the pole of the flag stands, in pixels, once it has come to rest."""
    page.wait_for_timeout(150)
    box = page.locator(".overlap-flag:visible").bounding_box()
    return box["x"] + box["width"] / 2


def test_the_flag_is_dragged_moved_by_keys_and_stays_on_its_axis(open_page, page_file):
    page = open_page(page_file, f"#{ADDRESS}&predict=tail")
    box = page.get_by_role("textbox", name="Your guess")
    flag = page.get_by_role("slider", name="Your guess on the time axis")
    expect(flag).to_have_attribute("aria-valuetext", "no guess yet")

    page.mouse.move(*place_of(page, 60))
    page.mouse.down()
    page.mouse.move(*place_of(page, 70))
    page.mouse.move(*place_of(page, 85.2))
    page.mouse.up()
    expect(box).to_have_value("25")
    assert pole(page) == pytest.approx(place_of(page, 85)[0], abs=1)
    page.keyboard.press("ArrowLeft")
    expect(flag).to_have_attribute("aria-valuetext", "24\xa0ms after the pass")
    page.set_viewport_size({"width": 700, "height": 900})
    assert pole(page) == pytest.approx(place_of(page, 84)[0], abs=1)
    box.fill("200")
    box.press("Tab")
    expect(page.locator(".overlap-flag-word:visible")).to_contain_text("→")
    assert pole(page) <= place_of(page, 150)[0] + 1


def test_the_flag_stays_beside_the_end_of_the_tail(open_page, page_file):
    page = open_page(page_file, "#bucket=7&predict=tail")
    tail_ms = 1 + 200 / 12
    lanes = page.locator(".overlap-lanes").first.bounding_box()["y"]
    box = page.get_by_role("textbox", name="Your guess")
    box.fill("12.4")
    before = place_of(page, 72.4)
    box.press("Enter")
    page.wait_for_timeout(800)  # until the axes may shrink
    assert place_of(page, 72.4) == before
    assert pole(page) == pytest.approx(place_of(page, 72.4)[0], abs=1)
    ends = page.locator(".overlap-flag-bracket:visible").bounding_box()
    assert ends["x"] == pytest.approx(place_of(page, 72.4)[0], abs=1)
    end = ends["x"] + ends["width"]
    assert end == pytest.approx(place_of(page, 60 + tail_ms)[0], abs=1)
    assert page.locator(".overlap-lanes").first.bounding_box()["y"] == lanes
    page.get_by_role("slider", name="Bucket size").press("ArrowRight")
    expect(page.locator(".overlap-flag:visible")).to_have_count(0)  # of another step
    page.wait_for_timeout(800)
    assert place_of(page, 72.4)[0] > before[0] + 100  # with an axis of its own

    page.evaluate("location.hash = 'predict=best'")
    box = page.get_by_role("textbox", name="Your guess")
    expect(page.get_by_role("heading", name="Which bucket size")).to_be_visible()
    box.fill("5")
    box.press("Enter")
    assert pole(page) == pytest.approx(place_of(page, 5, "curve")[0], abs=1)


def test_the_flag_follows_the_zoom_of_a_recorded_step(open_page, page_file):
    page = open_page(page_file, "#mode=measured&predict=tail", has_touch=True)
    pass_ms = page.evaluate(
        """() => Bokeh.documents.find((one) => one.get_model_by_name('recording'))
            .get_model_by_name('pass_end').location"""
    )
    x, y = place_of(page, pass_ms + 3, "recording")
    page.touchscreen.tap(x, y)
    guessed_ms = float(page.get_by_role("textbox", name="Your guess").input_value())
    assert guessed_ms == pytest.approx(3, abs=0.2)
    for name in ("Zoom in", "Later", "Later"):
        button(page, name).click()
    here = place_of(page, pass_ms + guessed_ms, "recording")[0]
    assert pole(page) == pytest.approx(here, abs=1)
    assert abs(here - x) > 50
    sizes = page.evaluate(
        """() => [...document.querySelector('.overlap-predict')
            .querySelectorAll('button, input, summary')]
            .filter((one) => one.checkVisibility())
            .map((one) => Math.min(one.offsetWidth, one.offsetHeight))"""
    )
    assert min(sizes) >= 32
    button(page, "Reveal").click()
    page.wait_for_timeout(300)
    assert place_of(page, pass_ms + guessed_ms, "recording")[0] == here


@pytest.mark.parametrize("projector", ["off", "on"])
@pytest.mark.parametrize(
    "at", ["predict=tail", "mode=measured&predict=tail", "lesson=floor"]
)
def test_the_ring_of_the_flag_is_whole_and_around_its_foot(
    open_page, page_file, at, projector
):
    page = open_page(page_file, f"#{at}&projector={projector}")
    flag = page.locator(".overlap-flag-range:visible").first
    for width in (320, 600, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)  # two frames: sizes are watched
        for key in ("Home", "End"):
            flag.press(key)
            page.wait_for_timeout(100)  # it is drawn with the next frame
            ring = page.evaluate(RING)
            assert min(ring["edges"]) >= 0  # nothing of it is clipped
            assert ring["wide"] == 3
            assert ring["slider"] == "none"
            left = ring["edges"][0]
            assert left <= ring["pole"] <= left + ring["width"]
            assert ring["width"] <= 16
            assert ring["height"] <= 50
    page.get_by_role("textbox", name="Your guess").focus()
    assert flag.evaluate(
        "(one) => getComputedStyle(one.parentElement, '::after').content === 'none'"
    )


def test_axe_finds_nothing_before_and_after_the_answer(open_page, page_file, axe):
    page = open_page(page_file, f"#{ADDRESS}&predict=tail", width=320)
    number = page.get_by_role("textbox", name="Your guess").bounding_box()
    unit = page.get_by_text("ms", exact=True).first.bounding_box()
    assert number["y"] < unit["y"] < number["y"] + number["height"]
    page.get_by_text("Guesses of the room").click()
    page.get_by_role("textbox", name="Guesses").fill("10 20 20 35 x")
    assert axe(page) == [], "covered"
    button(page, "Reveal").click()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="dark")
    assert axe(page) == [], "revealed"
    page.evaluate("location.hash = 'predict=regime'")
    button(page, "One more: Traffic above work").click()
    assert axe(page) == [], "options"
