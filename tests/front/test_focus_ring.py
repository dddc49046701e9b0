"""The focus ring of a slider, close between a number box, a sentence and buttons."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

# How far the ring is from the nearest text, box or button beside it, and, inwards, from
# the ends of the track, which a thumb reaches up to.
RING = """(slider) => {
    const style = getComputedStyle(slider.parentElement, '::after');
    const wide = parseFloat(style.borderTopWidth);
    const place = slider.parentElement.getBoundingClientRect();
    const own = {
        left: place.left + parseFloat(style.left),
        right: place.right - parseFloat(style.right),
        top: place.top + parseFloat(style.top),
        bottom: place.bottom - parseFloat(style.bottom),
    };
    const track = slider.getBoundingClientRect();
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
        box.top - own.bottom, own.top - box.bottom));
    return {
        shown: style.content !== 'none' && style.borderTopStyle === 'solid' && wide,
        boxes: boxes.length,
        beside: Math.min(...apart),
        within: Math.min(track.left - own.left, own.right - track.right) - wide,
    };
}"""
# How many pixels beside each button of a slider take no click, for it or the slider.
BETWEEN = """(slider) => {
    const row = slider.closest('.overlap-control-row');
    const { top, bottom } = slider.getBoundingClientRect();
    return [...row.querySelectorAll('button')].map((button, isLarger) => {
        const { left, right } = button.getBoundingClientRect();
        const at = (px) => document.elementFromPoint(
            isLarger ? left - px : right + px, (top + bottom) / 2);
        let px = 1; // places are rounded
        while (![button, slider].includes(at(px)) && px < 99) px += 1;
        return px;
    });
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
        front.box(name).focus()
        assert not front.slider(name).evaluate(RING)["shown"]


@pytest.mark.parametrize("width", [320, 1280])
def test_a_finger_that_just_misses_a_button_moves_the_slider_one_step_at_most(
    open_front, view, width
):
    touch = {"has_touch": True, "is_mobile": True}
    front = open_front(width, first=view(bucket=9), **touch)
    slider = front.slider()
    slider.scroll_into_view_if_needed()
    assert slider.input_value() == "8"
    smaller, larger = (
        front.page.get_by_role("button", name=f"Bucket size: {way}").bounding_box()
        for way in ("smaller", "larger")
    )
    middle = smaller["y"] + smaller["height"] / 2
    for x in (smaller["x"] + smaller["width"] + 5, larger["x"] - 5):
        front.page.touchscreen.tap(x, middle)
        # Chromium may give it to the button, which is as good.
        assert abs(int(slider.input_value()) - 8) <= 1

    assert min(slider.evaluate(BETWEEN)) >= 11
