"""Text twice as large, or spaced out: all of it stays readable, in the figures too."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SPACED = "* { line-height: 1.5 !important; letter-spacing: .12em !important;"
SPACED += " word-spacing: .16em !important } p { margin-bottom: 2em !important }"
LARGE = "html { font-size: 200% }"

# Texts of the page that lie over each other, or stick out of what would cut them.
LOST = """() => {
    const texts = [];
    const walker = document.createTreeWalker(document.querySelector('.overlap-page'),
        NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const { parentElement: parent } = node;
        const unseen = '.overlap-unseen, .overlap-keys, option, [aria-hidden=true]';
        if (!node.data.trim() || parent.closest(unseen)) continue;
        if (!parent.checkVisibility()) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects()) texts.push([node, rect]);
    }
    const isOver = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
    const scrolls = (style) => [style.overflowX, style.overflowY].includes('auto');
    const isCut = ([node, rect]) => {
        for (let one = node.parentElement; one; one = one.parentElement) {
            const style = getComputedStyle(one);
            if (scrolls(style) || style.webkitLineClamp !== 'none') return false;
            const box = one.getBoundingClientRect();
            const isOut = rect.right > box.right + 2 || rect.left < box.left - 2;
            if (style.overflowX !== 'visible' && isOut) return true;
        }
        return rect.right > innerWidth + 1 || rect.left < -1;
    };
    const over = texts.filter(([node, rect], at) => texts.slice(at + 1)
        .some(([other, its]) => other !== node && isOver(rect, its)));
    return [...over, ...texts.filter(isCut)].map(([node]) => node.data);
}"""

# Of a figure that is drawn: the sizes of its texts, and those that are cut or overlap.
DRAWN = """(name) => {
    const place = document.querySelector(`.overlap-figure-${name}`);
    const view = [...Bokeh.index.roots].find(({ el }) => place.contains(el));
    const svg = view.export('svg').canvas;
    document.body.append(svg);
    const texts = [...svg.querySelectorAll('text:not([fill=none])')];
    const box = svg.getBoundingClientRect();
    const rects = texts.map((one) => one.getBoundingClientRect());
    const isOver = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
    const isCut = (rect) => rect.left < box.left - 2 || rect.right > box.right + 2
        || rect.top < box.top - 2 || rect.bottom > box.bottom + 2;
    const lost = texts.filter((_, at) => isCut(rects[at])
        || rects.slice(at + 1).some((rect) => isOver(rect, rects[at])));
    svg.remove();
    return { lost: lost.map((one) => one.textContent), height: place.offsetHeight,
        sizes: [...new Set(texts.map((one) => one.getAttribute('font-size')))].sort() };
}"""


def resize(front, width, text):
    """A window so wide, with text so large; until the figures have followed."""
    front.page.set_viewport_size({"width": width, "height": 800})
    front.page.evaluate(
        "(text) => (document.documentElement.style.fontSize = text)", text
    )
    front.page.wait_for_timeout(300)
    front.page.wait_for_function("() => Bokeh.documents.every((one) => one.is_idle)")


def test_figures_grow_with_the_text_and_none_of_theirs_is_lost(open_front, view):
    front = open_front(drawn=True, first=view(bucket=1))
    seen = {}
    for width in (1280, 450, 320):
        for text in ("16px", "32px"):
            resize(front, width, text)
            for name in ("lanes", "curve", "map"):
                drawn = front.page.evaluate(DRAWN, name)
                assert drawn.pop("lost") == [], (width, text, name)
                seen[width, text, name] = drawn

    plain, large = seen[1280, "16px", "lanes"], seen[1280, "32px", "lanes"]
    assert plain["sizes"] == ["12px", "16px"]
    assert large == {"sizes": ["24px", "32px"], "height": 2 * plain["height"]}
    narrow = seen[320, "32px", "lanes"]  # its title takes two more lines
    assert narrow["height"] > large["height"]

    resize(front, 1280, "16px")
    assert front.page.evaluate(DRAWN, "lanes") == {"lost": [], **plain}


@pytest.mark.parametrize("width", [320, 768, 1280])
@pytest.mark.parametrize("style", [LARGE, SPACED])
def test_no_text_is_cut_or_covered(open_front, measured_view, width, style):
    front = open_front(width)
    front.page.add_style_tag(content=style)
    assert front.page.evaluate(LOST) == []

    front.show(measured_view())
    expect(front.page.locator(".overlap-recorded")).to_be_visible()
    assert front.page.evaluate(LOST) == []
    assert front.page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_style_of_the_root_decides_how_heavy_lines_are(open_front):
    front = open_front(drawn=True)
    width = """() => {
        const model = Bokeh.documents.map((one) => one.get_model_by_name('pass_end'));
        return model.find(Boolean).line_width;
    }"""
    assert front.page.evaluate(width) == 1.5
    front.page.add_style_tag(content=".overlap { --overlap-stroke: 2 !important }")
    front.page.wait_for_function(f"() => ({width})() === 3")
