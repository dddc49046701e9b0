"""What is heard without a picture: summaries, values, and each change once."""

import re

import pytest
from playwright.sync_api import expect

from overlap_widget.model.effects import Effects

pytestmark = pytest.mark.browser


@pytest.fixture
def listen(gather_spoken):
    """From now on: `heard` are the messages, half a second after each change."""

    def begin(front):
        front.page.wait_for_timeout(600)  # what the first view started has ended
        front.page.clock.install()
        gather_spoken(front.page)

    return begin


def heard(front, state):
    """What a screen reader is told of a view that is shown now."""
    front.page.evaluate("() => spoken.length = 0")
    front.show(state)
    front.page.clock.fast_forward(600)
    return [
        text.replace("\xa0", " ") for text in front.page.evaluate("() => [...spoken]")
    ]


def description(front, name):
    slider = front.slider(name)
    return slider.evaluate(
        """(one) => one.getAttribute('aria-describedby').split(' ')
            .map((id) => document.getElementById(id).textContent).join(' ')"""
    ).replace("\xa0", " ")


def test_a_change_is_heard_once_and_the_same_one_again_when_it_is_new(
    own_front, view, listen
):
    listen(own_front)
    six, four = view(bucket=6), view()

    assert heard(own_front, six) == [
        "6 layers, 240 MB, 2 transfers. Exposed tail 21 ms, up 6.67 ms."
    ]
    assert heard(own_front, six) == []
    back = "4 layers, 160 MB, 3 transfers. Exposed tail 14.3 ms, down 6.67 ms."
    assert heard(own_front, four) == [back]
    own_front.show(six)
    assert heard(own_front, four) == []  # as it was, before anybody heard of it
    heard(own_front, six)
    assert heard(own_front, four) == [back]  # said before, and new all the same


def test_what_the_focused_control_says_is_not_said_again(own_front, view, listen):
    listen(own_front)
    own_front.slider().focus()
    assert heard(own_front, view(bucket=6)) == ["Exposed tail 21 ms, up 6.67 ms."]
    own_front.slider("Point on the curve").focus()
    assert heard(own_front, view(bucket=3)) == []  # its value has size and tail
    assert heard(own_front, view(bucket=12)) == [
        "A single transfer now starts after the pass."
    ]
    own_front.slider("Point on the map").focus()
    assert heard(own_front, view(bucket=3)) == []
    own_front.slider("Bandwidth").first.focus()
    assert heard(own_front, view(bucket=2)) == [
        "2 layers, 80 MB, 6 transfers. Exposed tail 7.67 ms, down 3.33 ms."
    ]


def test_a_new_regime_comes_first_and_a_queue_last(own_front, view, listen):
    listen(own_front)
    slow = {"bucket": 1, "overhead_s": 4e-3}

    assert heard(own_front, view(**slow)) == [
        "The per-transfer overhead now decides the tail. 1 layer, 40 MB, 12 transfers. "
        "Per-transfer overhead 4 ms. Exposed tail 33 ms, up 18.7 ms. "
        "4 buckets wait at worst."
    ]
    assert heard(own_front, view())[0].endswith("down 18.7 ms. No bucket waits.")
    late = Effects(late_s=1e-3)
    assert heard(own_front, view(effects=late)) == ["Exposed tail 15.3 ms, up 1 ms."]


def test_a_slider_says_its_value_with_bytes_and_transfers(front, view):
    slider = front.slider()
    text = re.compile(r"^4 layers, 160\sMB, 3 transfers$")
    expect(slider).to_have_attribute("aria-valuetext", text)
    slider.press("ArrowRight")  # before anything answers
    text = re.compile(r"^5 layers, .*3 transfers$|^5 layers, 3 transfers$")
    expect(slider).to_have_attribute("aria-valuetext", text)
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r", 1 transfer$"))
    assert description(front, "Bucket size").startswith("Gradients sent together.")
    for seq in (1, 2):
        front.show(view(seq, plan="ddp"))
    text = re.compile(r"^4 layers, not in use$")
    expect(slider).to_have_attribute("aria-valuetext", text)


COURSES = [
    (
        {},
        "It falls from 41 ms with 12 layers a bucket to 4.33 ms with 1 layer. "
        "With 4 layers a bucket it is 14.3 ms. Best plan: 4.33 ms.",
    ),
    (
        {"overhead_s": 4e-3},
        "It falls from 44 ms with 12 layers a bucket to 14 ms with 3 layers, "
        "then climbs to 33 ms with 1 layer.",
    ),
    (
        {"effects": Effects(overlap=False), "overhead_s": 0.0},
        "It is 40 ms at every size.",
    ),
    (
        {"effects": Effects(overlap=False)},
        "It climbs from 41 ms with 12 layers a bucket to 52 ms with 1 layer.",
    ),
]


def test_the_curve_tells_where_it_falls_and_climbs(front, view):
    for changes, said in COURSES:
        front.show(view(**changes))
        assert said in description(front, "Point on the curve")


def test_the_lanes_tell_what_there_is_and_what_follows(open_front, view):
    front = open_front(first=view())
    lanes = front.page.get_by_role("img").first
    said = re.compile(
        r"runs the backward pass through 12 layers for 60\sms\. .*14.3\sms is left "
        r"after it\. The sliders below change it\. Tables of transfers and layers"
    )
    expect(lanes).to_have_accessible_name(said)
    state = view()
    state["state"] |= {"show": "lanes"}
    front.show(state)
    expect(lanes).to_have_accessible_name(re.compile(r"The sliders below change it\.$"))


def test_a_step_of_a_recording_is_heard_once(open_front, measured_view, listen):
    front = open_front(first=measured_view(), own=True)
    listen(front)
    later = measured_view(step=1)
    later["measured"]["numbers"] |= {"exposed_s": 0.0121}
    front.page.get_by_role("combobox", name="Step", exact=True).focus()
    assert heard(front, later) == ["12.1 ms of communication is exposed."]
    assert heard(front, later) == []
    front.page.get_by_role("slider", name="Step").focus()  # says it by itself
    assert heard(front, measured_view()) == []


def test_a_notice_is_heard_once_also_when_another_comes(front, view, gather_spoken):
    gather_spoken(front.page, ".overlap-notices")
    first, second = {"text": "one.json ends early."}, {"text": "two.json is empty."}
    front.show(view(notices=[first]))
    front.show(view(notices=[first, second]))
    front.show(view(notices=[first, second]))

    assert front.page.evaluate("() => spoken") == [
        "one.json ends early.Dismiss",
        "two.json is empty.Dismiss",
    ]
    status = front.page.get_by_role("status").filter(has_text="one.json")
    expect(status).to_have_attribute("aria-atomic", "false")
