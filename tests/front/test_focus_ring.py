"""The focus ring of a slider, close between a number box, a sentence and buttons."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

# How far the ring is from the nearest text, box or button beside it, and, inwards, from
# the ends of the track, which a thumb reaches up to.
RING = """(slider) => {
    const style = getComputedStyle(slider);
    const [wide, offset] = [style.outlineWidth, style.outlineOffset].map(parseFloat);
    const own = slider.getBoundingClientRect();
    const reach = wide + offset;
    const range = document.createRange();
    const boxes = [...slider.closest('.overlap-control').querySelectorAll('*')]
        .filter((one) => one !== slider && !one.contains(slider))
        .flatMap((one) => {
            if (one.matches('input, button')) return [one.getBoundingClientRect()];
            range.selectNodeContents(one);
            return [...range.getClientRects()];
        })
        .filter(({ width }) => width);
    const apart = boxes.map((box) => Math.max(
        box.left - own.right, own.left - box.right,
        box.top - own.bottom, own.top - box.bottom) - reach);
    return {
        shown: style.outlineStyle === 'solid' && wide,
        boxes: boxes.length,
        beside: Math.min(...apart),
        within: parseFloat(style.paddingLeft) + offset,
    };
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_the_ring_of_a_slider_is_clear_of_all_beside_it(open_front, width, scheme):
    front = open_front(width, color_scheme=scheme)
    for name in ("Bucket size", "Bandwidth", "Per-transfer overhead"):
        front.slider(name).focus()
        for key in ("Shift+Tab", "Tab"):
            front.page.keyboard.press(key)
        expect(front.slider(name)).to_be_focused()
        ring = front.slider(name).evaluate(RING)

        assert ring["shown"] == 3
        assert ring["boxes"] >= 6  # name, number, unit, two buttons, hint
        assert ring["beside"] >= 2.9
        assert ring["within"] >= 3
