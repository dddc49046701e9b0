"""A part of the step with numbers of its own: dragged, typed, and given up again."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PART = {"part": {"start_s": 0.012, "end_s": 0.0205}}


def open_ways(front):
    front.page.get_by_text("Numbers of a part of the step").click()


def box(front, name):
    return front.page.get_by_role("textbox", name=name, exact=True)


@pytest.fixture
def front(open_front, measured_view):
    front = open_front(first=measured_view())
    open_ways(front)
    return front


def test_typed_moments_are_milliseconds_unless_they_say_otherwise(front):
    expect(box(front, "From")).to_have_value("0")
    expect(box(front, "to")).to_have_value("39.8")
    box(front, "From").fill("12")
    box(front, "From").press("Enter")
    box(front, "to").fill("20500 us")
    box(front, "to").press("Tab")

    sent = [(move["start_s"], move["end_s"]) for move in front.moves()]
    assert sent[0] == pytest.approx((0.012, 0.0398))
    assert sent[1] == pytest.approx((0.012, 0.0205))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("soon", "“soon” is not a number. The start stays at 0 ms."),
        ("50", "The step goes from 0 to 39.8 ms; choose a part of it."),
        ("3 parsecs", "no unit that is known here"),
    ],
)
def test_what_is_no_moment_is_said_and_changes_nothing(front, typed, said):
    box(front, "From").fill(typed)
    box(front, "From").press("Enter")

    expect(front.page.get_by_text(said)).to_be_visible()
    assert front.moves() == []


def test_a_part_that_ends_before_it_starts_is_said_and_stays_to_be_mended(front):
    box(front, "to").fill("30")
    box(front, "to").press("Enter")
    box(front, "From").fill("35")
    box(front, "From").press("Enter")

    expect(front.page.get_by_text("must start before it ends")).to_be_visible()
    expect(box(front, "From")).to_have_value("35")
    assert len(front.moves()) == 1


@pytest.mark.parametrize(
    ("typed", "shown"), [("-5", "0"), ("1e-7", "0"), ("12000 us", "12")]
)
def test_boxes_show_what_was_sent(front, typed, shown):
    box(front, "From").fill(typed)
    box(front, "From").press("Enter")
    box(front, "to").fill("1e400")
    box(front, "to").press("Enter")

    expect(box(front, "From")).to_have_value(shown)
    expect(box(front, "to")).to_have_value("39.8")
    assert front.last_move()["end_s"] == 0.0398


@pytest.mark.parametrize("which", ["first", "last"])
def test_who_goes_back_to_the_whole_step_by_keyboard_goes_on_from_there(
    open_front, measured_view, which
):
    front = open_front(first=measured_view(**PART))
    back = front.page.get_by_role("button", name="Whole step")
    getattr(back, which).press("Enter")
    front.show(measured_view(1))

    drag = front.page.get_by_role("button", name="Drag on the picture")
    expect(drag).to_be_focused()


def test_a_part_is_said_above_its_numbers_and_can_be_given_up(
    open_front, measured_view
):
    front = open_front(first=measured_view(**PART))
    banner = front.page.get_by_role("status").filter(has_text="part of the step alone")
    expect(banner).to_contain_text("from 12 ms to 20.5 ms")
    expect(front.page.get_by_text("in this part, 2.44 ms is hidden")).to_be_visible()
    names = front.page.locator(".overlap-measured .overlap-sums dt:visible")
    assert "Part" in names.all_text_contents()
    assert "Step" not in names.all_text_contents()
    banner.get_by_role("button", name="Whole step").click()

    assert front.last_move() == {"type": "whole_step", "seq": 1}
    front.show(measured_view(1))
    expect(banner).to_be_hidden()


def test_phases_stand_among_the_numbers_where_the_recording_tells_them(
    open_front, measured_view
):
    state = measured_view()
    state["measured"]["numbers"] |= {"backward_s": 0.0221, "forward_s": None}
    front = open_front(first=state)
    names = front.page.locator(".overlap-measured .overlap-sums dt:visible")

    assert "Backward pass" in names.all_text_contents()
    assert "Forward pass" not in names.all_text_contents()


def test_a_drag_on_the_picture_chooses_a_part_and_the_next_one_pans(
    open_front, measured_view
):
    state = measured_view()
    axis = {"start": 0, "end": 40, "bounds": [0, 40]}
    state["figures"] = {"recording": {"ranges": {"recording_x": axis}}}
    front = open_front(first=state, drawn=True)
    open_ways(front)
    drag = front.page.get_by_role("button", name="Drag on the picture")
    drag.click()
    expect(drag).to_have_attribute("aria-pressed", "true")
    place = front.page.locator(".overlap-dragged").bounding_box()
    middle = place["y"] + place["height"] / 2
    for at, act in ((0.25, "down"), (0.75, "up")):
        front.page.mouse.move(place["x"] + at * place["width"], middle)
        getattr(front.page.mouse, act)()
    (move,) = [one for one in front.moves() if one["type"] == "part"]

    assert move["start_s"] == pytest.approx(0.010, abs=0.0005)
    assert move["end_s"] == pytest.approx(0.030, abs=0.0005)
    assert move["start_s"] == round(move["start_s"], 5)  # no finer than a hand
    expect(drag).to_have_attribute("aria-pressed", "false")


def test_escape_gives_the_drag_up(front):
    drag = front.page.get_by_role("button", name="Drag on the picture")
    drag.click()
    drag.press("Escape")

    expect(drag).to_have_attribute("aria-pressed", "false")


def test_the_ways_are_open_at_once_where_no_steps_are_marked(open_front, measured_view):
    step = {"name": "whole file", "complete": True, "span_s": 4.0, "exposed_s": 1.0}
    alone = step | {"remark": "none", "default": True, "tail_s": 0}
    front = open_front(first=measured_view(steps=[alone], step=0))
    expect(box(front, "to")).to_be_visible()
    open_ways(front)  # and stay closed
    front.show(measured_view(steps=[alone], step=0))

    expect(box(front, "to")).to_be_hidden()


def test_a_page_without_python_takes_no_part(open_front, measured_view):
    front = open_front(first=measured_view(), limits={})

    expect(front.page.get_by_text("Numbers of a part of the step")).to_have_count(0)
