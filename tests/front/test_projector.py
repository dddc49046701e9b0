"""The projector: read from the back of a lit room, on four by three and on a wall."""

import re

import pytest
from playwright.sync_api import expect

from overlap_widget.app.changes import started
from overlap_widget.app.lesson import PRESETS
from overlap_widget.app.settings import DEFAULT

pytestmark = pytest.mark.browser

WHITE = "rgb(255, 255, 255)"
FLARE = 0.25  # of white, which a lit room adds to all that a projector shows
MARGIN = 0.05  # of the contrast of WCAG

# Every text that is seen: its size in pixels and what it says.
TEXTS = """() => {
    const found = [];
    const UNSEEN = '.overlap-unseen, .overlap-presets > span, .overlap-keys';
    const root = document.querySelector('.overlap');
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const one = walk.currentNode.parentElement;
        const text = walk.currentNode.textContent.trim();
        const box = one.getBoundingClientRect();
        if (!text || !one.checkVisibility() || box.width <= 1) continue;
        if (one.closest(UNSEEN)) continue;
        if (one.closest('h1') && getComputedStyle(one).clipPath !== 'none') continue;
        found.push([parseFloat(getComputedStyle(one).fontSize), text]);
    }
    return found;
}"""
# The same of what Bokeh draws, with the widths of all outlines of bars and lines.
DRAWN = """(name) => {
    const doc = Bokeh.documents.find((one) => one.roots()[0].name === name);
    const sizes = {}, widths = {};
    for (const one of doc._all_models.values()) {
        for (const key of ['text_font_size', 'axis_label_text_font_size',
                           'major_label_text_font_size']) {
            const size = one[key]?.value ?? one[key];
            if (size) sizes[`${one.type} ${one.id}`] = parseFloat(size);
        }
        if (one.type === 'GlyphRenderer' && one.glyph.line_width) {
            const { glyph, data_source } = one;
            widths[`${glyph.type} ${data_source.name}`] = glyph.line_width.value;
        }
    }
    const tail = [...doc._all_models.values()].find((one) =>
        one.type === 'GlyphRenderer' && one.data_source.name === 'tail_label');
    return {
        sizes: Object.values(sizes), widths,
        tail: tail && parseFloat(tail.glyph.text_font_size.value),
        bars: [...doc._all_models.values()].filter((one) => one.type === 'Quad')
            .map((one) => one.line_color?.value).filter(Boolean),
    };
}"""
BOTTOM = """(place) => document.querySelector(place).getBoundingClientRect().bottom"""
ROLES = """() => {
    const probe = document.querySelector('.overlap-probe');
    const roles = ['ground', 'panel', 'text', 'muted', 'link', 'compute', 'hidden',
        'exposed', 'predict', 'on_compute', 'on_hidden', 'on_exposed'];
    return Object.fromEntries(roles.map((role) => {
        probe.style.color = `var(--overlap-${role})`;
        return [role, getComputedStyle(probe).color];
    }));
}"""
SET_BY_PRESETS = ("scenario", "bucket", "bandwidth_bytes_per_s", "overhead_s")
FONT_PX = "(one) => parseFloat(getComputedStyle(one).fontSize)"
WIDE = "document.documentElement.scrollWidth"


def expect_heavy_strokes(page):
    lanes = page.evaluate(DRAWN, "lanes")
    outlines = [w for name, w in lanes["widths"].items() if name.startswith("Quad")]
    assert min(outlines) >= 3
    assert set(lanes["bars"]) == {"rgb(26, 31, 36)"}
    assert page.evaluate(DRAWN, "curve")["widths"]["Line tails"] >= 3


def expect_light_ground(page):
    expect(page.locator(".overlap")).to_have_css("background-color", WHITE)
    page.get_by_role("button", name="Display").click()
    expect(page.get_by_label("Theme")).to_be_hidden()


def expect_legend_beside_and_presets_below(page):
    lanes, legend, presets, sliders = (
        page.locator(f".overlap-explore {one}").first.bounding_box()
        for one in (
            ".overlap-figure-lanes",
            ".overlap-lanes .overlap-legend",
            ".overlap-presets",
            ".overlap-controls",
        )
    )
    assert legend["x"] >= lanes["x"] + lanes["width"]
    assert lanes["y"] <= legend["y"]
    assert legend["y"] + legend["height"] <= lanes["y"] + lanes["height"]
    assert lanes["y"] + lanes["height"] <= presets["y"] < sliders["y"]


def luminance(colour):
    parts = [int(one) / 255 for one in re.findall(r"\d+", colour)[:3]]
    linear = [((c + 0.055) / 1.055) ** 2.4 if c > 0.04045 else c / 12.92 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def in_a_lit_room(one, other):
    """The contrast that is left of two colours."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + FLARE + MARGIN) / (low + FLARE + MARGIN)


@pytest.mark.parametrize(
    ("width", "height", "least_px"), [(1024, 768, 18), (1920, 1080, 25)]
)
def test_all_that_matters_is_large_heavy_light_and_fits_without_scrolling(
    open_front, view, width, height, least_px
):
    look = {"projector": "on", "theme": "dark"}
    front = open_front(width, height, first=view(theme="dark"), drawn=True)
    page = front.page
    front.show(view(**look))
    page.wait_for_timeout(300)  # two frames: sizes are watched
    expect_legend_beside_and_presets_below(page)
    expect_heavy_strokes(page)
    expect_light_ground(page)
    for name, start in PRESETS.items():
        settings = started(DEFAULT, start)
        changes = {key: getattr(settings, key) for key in SET_BY_PRESETS}
        front.show(view(**look, **changes))
        assert page.evaluate(BOTTOM, ".overlap-controls") <= height, name
        assert page.evaluate(WIDE) <= width, name

    assert page.locator(".overlap-verdict h2").first.evaluate(FONT_PX) >= 32
    texts = page.evaluate(TEXTS)
    assert len(texts) > 20
    assert [text for size, text in texts if size < least_px] == []
    lanes = page.evaluate(DRAWN, "lanes")
    assert min(lanes["sizes"]) >= least_px
    assert lanes["tail"] >= 24


def test_text_is_read_in_a_lit_room(open_front, view):
    """With 25 % of white over all of it, text keeps a contrast of 3."""
    page = open_front(first=view(projector="on")).page
    role = page.evaluate(ROLES)
    pairs = [("text", "ground"), ("muted", "ground"), ("link", "ground")]
    pairs += [("text", "panel"), ("exposed", "ground"), ("predict", "ground")]
    pairs += [(f"on_{bar}", bar) for bar in ("compute", "hidden", "exposed")]
    weak = {
        pair: round(in_a_lit_room(role[pair[0]], role[pair[1]]), 2)
        for pair in pairs
        if in_a_lit_room(role[pair[0]], role[pair[1]]) < 3
    }
    assert weak == {}
    assert role["compute"] != "rgb(0, 114, 178)"  # which would be 2.88
    page.emulate_media(forced_colors="active")
    assert page.evaluate(ROLES)["compute"] != role["compute"]


def test_what_is_secondary_is_folded_behind_one_button(open_front, view):
    front = open_front(first=view(projector="on"))
    page = front.page
    folded = [
        page.locator(place).first
        for place in (
            ".overlap-tools",
            ".overlap-sums",
            ".overlap-map",
            ".overlap-meanings",
            ".overlap-explore > .overlap-table",
            ".overlap-share-button",
        )
    ]
    for one in folded:
        expect(one).to_be_hidden()
    for name in ("Bucket size", "Bandwidth", "Per-transfer overhead"):
        expect(front.slider(name).first).to_be_visible()
    more = page.get_by_role("button", name="More", exact=True)
    more.click()
    for one in folded:
        expect(one).to_be_visible()
    page.get_by_label("Scenario").focus()
    page.evaluate("document.querySelector('.overlap-unfold').click()")
    for one in folded:
        expect(one).to_be_hidden()
    expect(more).to_be_focused()

    page.keyboard.press("t")  # opens what it must
    expect(page.get_by_role("table").first).to_be_visible()
    front.show(view())
    expect(more).to_be_hidden()
    for one in folded:
        expect(one).to_be_visible()


def test_a_page_of_some_parts_keeps_them_on_a_projector(open_front, view):
    front = open_front(first=view(projector="on", show="numbers,map", controls="more"))
    for place in (".overlap-sums", ".overlap-map", ".overlap-more"):
        expect(front.page.locator(place).first).to_be_visible()
    expect(front.page.get_by_role("button", name="More", exact=True)).to_be_hidden()


def test_focus_on_what_a_projector_folds_away_is_not_lost(open_front, view):
    front = open_front()
    front.page.get_by_role("button", name="Share").focus()
    front.show(view(projector="on"))
    expect(front.page.get_by_role("button", name="Display")).to_be_focused()


def test_a_ring_follows_the_mouse_and_takes_nothing(open_front, view):
    front = open_front(first=view(projector="on"))
    ring = front.page.locator(".overlap-pointer span")
    front.page.mouse.move(300, 200)
    box = ring.bounding_box()
    centre = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert centre == pytest.approx((300, 200), abs=1)
    under = "document.elementFromPoint(300, 200).closest('.overlap-pointer')"
    assert front.page.evaluate(under) is None
    front.show(view())
    expect(ring).to_have_count(0)
