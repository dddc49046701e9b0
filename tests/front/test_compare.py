"""Comparing two steps on the page: chosen, named, told in words and numbers."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

ROWS = {
    "name": ["span_s", "exposed_s", "tail_s", "waiting_s", "transfers", "size_bytes"],
    "before": [0.0123, 0.00305, 0.002, None, 12, 41e6],
    "after": [0.0118, 0.00305, 0.0021, 0.001, 24, 41e6],
}
SAID = [
    {
        "key": "compare.shorter",
        "values": {"before_s": 0.0123, "after_s": 0.0118, "change_s": 0.0005},
    },
    {"key": "compare.no_waiting", "values": {}},
    {"key": "compare.doubt.tail_guessed", "values": {}},
]


@pytest.fixture
def front(open_front, measured_view):
    """A session with three recordings that compares nothing."""
    recordings = [
        {"name": name, "format": "by hand", "rank": rank}
        for name, rank in (("a.json", 0), ("b.json", 1), ("c.json", None))
    ]
    view = measured_view(recordings=recordings)
    front = open_front(first=view)
    front.view = view
    return front


def compare(front, seq=0, **changes):
    """Show the view of a session that compares with another step."""
    measured = front.view["measured"]
    kept = {key: measured[key] for key in ("steps", "numbers")}
    against = {"recording": 0, "device": 0, "step": 1, "devices": [0]}
    against |= kept | {"said": SAID, "rows": ROWS} | changes
    front.show({**front.view, "seq": seq, "measured": measured | {"against": against}})


def picker(front, name):
    return front.page.get_by_role("combobox", name=name, exact=True)


def test_what_to_compare_with_is_chosen_swapped_and_left(front):
    expect(picker(front, "Step to compare with")).to_be_hidden()
    expect(front.page.get_by_role("button", name="Swap")).to_be_hidden()
    picker(front, "Compare with").select_option("Rank 1: b.json")
    assert front.last_move() == {"type": "against", "value": 1, "seq": 1}
    compare(front, seq=1, recording=1, devices=[0, 1])

    expect(picker(front, "Compare with")).to_have_value("1")
    expect(picker(front, "Step to compare with")).to_have_value("1")
    picker(front, "Step to compare with").select_option("0")
    assert front.last_move() == {"type": "against_step", "value": 0, "seq": 2}
    compare(front, seq=2, recording=1, step=0, devices=[0, 1])
    picker(front, "Device to compare with").select_option("1")
    assert front.last_move() == {"type": "against_device", "value": 1, "seq": 3}
    front.page.get_by_role("button", name="Swap").click()
    assert front.last_move() == {"type": "swap", "seq": 4}
    compare(front, seq=4)
    expect(picker(front, "Device to compare with")).to_be_hidden()
    front.page.get_by_role("button", name="Stop comparing").click()
    assert front.last_move() == {"type": "against", "value": -1, "seq": 5}
    expect(picker(front, "Compare with")).to_be_focused()
    front.show({**front.view, "seq": 5})
    expect(front.page.locator(".overlap-comparison")).to_be_hidden()
    expect(front.page.locator(".overlap-figure-against")).to_be_hidden()


def test_the_difference_is_told_in_words_first_and_doubts_last(front):
    compare(front)
    texts = front.page.locator(".overlap-comparison").locator("h2, p")

    expect(texts).to_have_text(
        [
            "Step 5, compared with ProfilerStep#6",
            "The step is 500\xa0µs shorter: 11.8\xa0ms instead of 12.3\xa0ms.",
            "No communication waits for a late rank.",
            "The end of a backward pass is a guess, and so is the tail after it.",
        ]
    )


def test_the_table_says_how_much_more_or_less_and_what_is_unknown(front):
    compare(front)
    rows = front.page.locator(".overlap-differences tbody tr")

    expect(rows).to_have_text(
        [
            "Step12.3\xa0ms11.8\xa0ms500\xa0µs less",
            "Exposed3.05\xa0ms3.05\xa0msthe same",
            "Tail2\xa0ms2.1\xa0ms100\xa0µs more",
            "Waitingunknown1\xa0msunknown",
            "Transfers122412 more",
            "Size41\xa0MB41\xa0MBthe same",
        ]
    )


def test_steps_are_named_by_what_they_differ_in(front):
    title = front.page.locator(".overlap-comparison h2")

    compare(front, recording=2)
    expect(title).to_have_text(
        "Step 5 of Rank 0: a.json, compared with ProfilerStep#6 of c.json"
    )
    compare(front, device=1, devices=[0, 3], step=0)
    expect(title).to_have_text("Step 5, device 0, compared with Step 5, device 3")


def test_lanes_of_both_are_told_and_stand_under_each_other(front):
    compare(front, numbers=front.view["measured"]["numbers"] | {"exposed_s": 0.5})
    lanes = front.page.get_by_role("region", name="Lanes of the recording")

    expect(lanes.get_by_text("Before: ProfilerStep#6")).to_be_visible()
    pictures = lanes.get_by_role("img")
    expect(pictures).to_have_count(2)
    expect(pictures.last).to_have_accessible_name(
        front.page.locator(
            ".overlap-unseen", has_text="500\xa0ms of communication"
        ).last.text_content()
    )


def test_a_comparison_is_heard_without_the_verdict_that_stays(front):
    compare(front)

    heard = front.page.locator("[aria-live=polite]")
    expect(heard).to_have_text(re.compile("^Step 5, compared with ProfilerStep#6. The"))
