"""The overview of steps: bars, signs and words, and a slider that chooses one."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def steps(count, **remarks):
    """As many steps of 10 ms, 2 of them exposed; `remarks` by `step_<index>`."""
    plain = {"complete": True, "remark": "none", "default": False, "tail_s": 0}
    made = [
        {"name": str(at), "span_s": 0.010, "exposed_s": 0.002} | plain
        for at in range(count)
    ]
    for key, remark in remarks.items():
        at = int(key.removeprefix("step_"))
        made[at] |= {"remark": remark, "complete": remark != "cut"}
        made[at] |= {"span_s": 0.040 if remark == "long" else 0.010}
    made[count // 2] |= {"default": True}
    return made


def overview(front):
    return front.page.get_by_role("slider", name="Step", exact=True)


def show(front, measured_view, listed, at, seq=0):
    front.show(measured_view(seq, steps=listed, step=at))


def test_arrow_keys_choose_a_step_and_it_is_told_in_words(open_front, measured_view):
    listed = steps(5, step_0="long", step_4="cut")
    front = open_front(first=measured_view(steps=listed, step=2))
    expect(overview(front)).to_have_attribute(
        "aria-valuetext",
        re.compile("Step 2, 3 of 5: 10.ms, of which 2.ms is exposed .* median length"),
    )
    overview(front).press("ArrowRight")
    overview(front).press("End")

    expect(overview(front)).to_have_attribute("aria-valuenow", "5")
    expect(front.page.get_by_text("It was cut off where")).to_be_visible()
    assert front.last_move() == {"type": "step", "value": 3, "seq": 1}
    show(front, measured_view, listed, 3, seq=1)
    assert front.last_move() == {"type": "step", "value": 4, "seq": 2}


def test_odd_steps_have_a_sign_and_are_named(open_front, measured_view):
    listed = steps(20, step_0="cut", step_7="long", step_9="short", step_19="cut")
    front = open_front(first=measured_view(steps=listed, step=10))
    signs = front.page.locator(".overlap-sign").all_text_contents()

    assert [sign for sign in signs if sign] == ["✕", "▲", "▼", "✕"]
    expect(front.page.locator(".overlap-steps")).to_contain_text(
        "✕ Cut off: Step 0, Step 19. ▲ Far longer than the others: Step 7. "
        "▼ Far shorter than the others: Step 9."
    )


@pytest.mark.parametrize(("count", "width"), [(2, 320), (500, 320), (500, 1280)])
def test_a_click_takes_the_step_under_it_however_many_there_are(
    open_front, measured_view, count, width
):
    front = open_front(width, first=measured_view(steps=steps(count), step=0))
    box = front.page.locator(".overlap-bars").bounding_box()
    front.page.mouse.click(box["x"] + 0.77 * box["width"], box["y"] + box["height"] / 2)

    assert front.last_move()["value"] == pytest.approx(
        int(0.77 * count), abs=count / 200
    )
    assert box["width"] <= width
    scrolled = front.page.evaluate("document.documentElement.scrollWidth")
    assert scrolled <= width


def test_bars_are_as_high_as_their_steps_are_long(open_front, measured_view):
    front = open_front(first=measured_view(steps=steps(3, step_1="long"), step=0))
    heights = front.page.locator(".overlap-bar").evaluate_all(
        "(bars) => bars.map((one) => one.getBoundingClientRect().height)"
    )
    exposed = front.page.locator(".overlap-bar-exposed").evaluate_all(
        "(bars) => bars.map((one) => one.getBoundingClientRect().height)"
    )

    assert heights[0] == pytest.approx(heights[1] / 4, rel=0.01)
    assert exposed == pytest.approx([heights[0] / 5] * 3, rel=0.01)


def test_one_step_is_no_overview(open_front, measured_view):
    front = open_front(first=measured_view(steps=steps(1), step=0))

    expect(overview(front)).to_be_hidden()


def test_many_odd_steps_are_counted_behind_the_first(open_front, measured_view):
    odd = {f"step_{at}": "long" for at in range(9)}
    front = open_front(first=measured_view(steps=steps(40, **odd), step=20))

    expect(front.page.locator(".overlap-steps")).to_contain_text("Step 5 and 3 more.")


def test_a_step_that_another_recording_lacks_is_no_longer_shown(
    open_front, measured_view
):
    front = open_front(first=measured_view(steps=steps(9), step=8))
    front.page.get_by_role("combobox", name="Recording", exact=True).select_option("1")
    overview(front).press("Home")
    overview(front).press("End")  # waits for the answer
    front.show(measured_view(1, steps=steps(3), step=1))

    expect(overview(front)).to_have_attribute("aria-valuenow", "3")
    expect(front.page.get_by_text("Step 2, 3 of 3")).to_be_visible()


def test_a_page_that_shows_no_lanes_shows_no_overview(open_front, measured_view):
    shown = measured_view(steps=steps(9), step=2)
    shown["state"]["show"] = "numbers"
    front = open_front(first=shown)

    expect(overview(front)).to_be_hidden()
