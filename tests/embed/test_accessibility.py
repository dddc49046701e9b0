"""Nothing that axe-core finds (WCAG 2.2 AA), in any state of the embedded page."""

import pytest

pytestmark = pytest.mark.browser

ALL_ON = "plan=ddp&late=2ms&slowdown=20%25&micro_steps=2&sync=every&axis=overhead"
RUN = "example-trace.json.gz+step+12"  # with what was measured of it
STATES = {
    "explore": "v=1",
    "everything on": f"scenario={RUN}&{ALL_ON}",
    "measured": "mode=measured",
    "a few parts": "controls=bucket&show=verdict,lanes",
    "notices": "bucket=99&what=1&theme=nothing",
}
WIDTHS = (320, 768, 1280, 1920)
FITS = """document.documentElement.scrollWidth
    <= document.documentElement.clientWidth"""


def open_all(page):
    """Every fold and table, so that axe looks into them."""
    page.evaluate("""() => {
        for (const one of document.querySelectorAll('details')) one.open = true;
    }""")
    page.wait_for_timeout(50)


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(open_page, page_file, state, axe):
    """At every width; at the ends of them in the dark, and with all that opens."""
    page = open_page(page_file, f"#{STATES[state]}")
    dark = [(width, "dark") for width in (WIDTHS[0], WIDTHS[-1])]
    for width, theme in [*((width, "light") for width in WIDTHS), *dark]:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        found = axe(page, only_colours=theme == "dark")
        assert found == [], (width, theme)
    open_all(page)
    assert axe(page) == [], "wide and open"
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    page.emulate_media(color_scheme="light")
    assert axe(page) == [], "narrow and open"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_the_picture_without_scripts(
    open_page, page_file, theme, axe
):
    page = open_page(
        page_file, live=False, color_scheme=theme, policy="script-src 'none'"
    )
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert axe(page) == [], width


def test_axe_would_find_a_fault(open_page, page_file, axe):
    page = open_page(page_file)
    page.evaluate("document.querySelector('.overlap-control label').remove()")
    page.evaluate("""() => {
        const hints = [...document.querySelectorAll('.overlap-hint')];
        hints.find((one) => one.checkVisibility()).style.color = '#ccc';
    }""")
    assert {"color-contrast", "label"} <= {rule for rule, *_ in axe(page)}


@pytest.mark.parametrize("state", STATES)
def test_nothing_is_wider_than_the_page(open_page, page_file, state):
    page = open_page(page_file, f"#{STATES[state]}")
    open_all(page)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(100)
        assert page.evaluate(FITS), width


def test_text_twice_as_large_still_fits(open_page, page_file):
    page = open_page(page_file, width=640)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.wait_for_timeout(300)
    assert page.evaluate(FITS)


SMALL = """(least) => [...document.querySelectorAll(
    'button, select, input:not(.overlap-unseen), summary, [role=slider], a[href]')]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < least)
    .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""


@pytest.mark.parametrize(("touch", "least"), [(False, 24), (True, 44)])
def test_targets_are_large_enough_for_a_finger(open_page, page_file, touch, least):
    page = open_page(
        page_file, f"#{ALL_ON}", width=375, has_touch=touch, is_mobile=touch
    )
    open_all(page)
    assert page.evaluate(SMALL, least) == []


def test_the_whole_page_is_used_by_keyboard_alone(open_page, page_file):
    page = open_page(page_file)
    met = []
    for _ in range(120):
        page.keyboard.press("Tab")
        met.append(page.evaluate("document.activeElement.outerHTML.slice(0, 300)"))
        if met[-1].startswith("<body"):
            break
    assert met[-1].startswith("<body")  # never trapped
    count = page.evaluate(SMALL.replace("< least", "> -1"), 0)
    assert len(met) >= len(count) * 0.8
    page.get_by_role("slider", name="Bucket size").focus()
    page.keyboard.press("End")
    page.get_by_text("The step waits 41 ms for communication.").wait_for()
    page.keyboard.press("Home")
    page.get_by_text("The step waits 4.33 ms for communication.").wait_for()


def test_what_changed_is_said_politely_and_once(open_page, page_file, gather_spoken):
    page = open_page(page_file)
    page.wait_for_timeout(700)
    gather_spoken(page)
    page.get_by_role("slider", name="Bucket size").press("ArrowLeft")
    page.wait_for_function("() => spoken.length > 0")
    page.wait_for_timeout(700)  # longer than speech rests
    (said,) = page.evaluate("() => spoken")
    assert "Exposed tail 11" in said


def test_motion_and_forced_colours_are_respected(open_page, page_file, axe):
    page = open_page(page_file, reduced_motion="reduce", forced_colors="active")
    moving = (
        "document.getAnimations().filter((one) => one.playState === 'running').length"
    )
    page.get_by_role("slider", name="Bucket size").press("ArrowLeft")
    assert page.evaluate(moving) == 0
    assert axe(page) == []
