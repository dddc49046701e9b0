"""Measured mode: pickers, sentences, tables, and a file on its way to the driver."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def front(open_front, measured_view):
    return open_front(first=measured_view())


def heading(front):
    return front.page.get_by_role("heading", level=2).first


def picker(front, name):
    return front.page.get_by_role("combobox", name=name)


def test_a_step_says_what_is_exposed_and_why(front):
    expect(heading(front)).to_have_text("13.2 ms of communication is exposed.")
    text = front.page.locator(".overlap-measured .overlap-verdict p")
    expect(text).to_contain_text("2.44 ms is hidden behind compute")
    expect(text).to_contain_text("After the last backward kernel")


def test_the_tail_of_a_recording_is_not_called_exposed(front):
    names = front.page.locator(".overlap-measured .overlap-sums dt")
    expect(names).to_have_text(
        [
            "Exposed",
            "Tail",
            "Hidden",
            "Communication",
            "Waiting",
            "Transfer",
            "Compute",
            "Idle",
            "Step",
            "Part",
            "Overlap",
            "Forward pass",
            "Backward pass",
            "Optimizer",
            "Transfers",
            "Kernels",
        ]
    )
    expect(
        front.page.get_by_title("Communication after the last backward kernel")
    ).to_contain_text("1.69 ms")


def test_without_communication_it_is_none_and_no_tail_is_told(
    open_front, measured_view
):
    state = measured_view(sentence="measured.none")
    numbers = {"communication_s": 0, "hidden_s": 0, "exposed_s": 0, "overlap": None}
    state["measured"]["numbers"] |= numbers | {"transfers": 0, "backward_found": False}
    front = open_front(first=state)

    expect(heading(front)).to_have_text("There is no communication in this step.")
    expect(front.page.locator(".overlap-measured")).not_to_contain_text("NaN")
    expect(front.page.get_by_text("communication goes on for")).to_have_count(0)


def test_steps_are_named_with_their_span_and_whether_they_are_complete(front):
    step = picker(front, "Step")

    expect(step.locator("option")).to_have_text(
        ["Step 5 (complete), 39.8 ms", "ProfilerStep#6 (cut off), 39.1 ms"]
    )
    step.select_option("1")
    assert front.last_move() == {"type": "step", "value": 1, "seq": 1}


def test_a_choice_of_one_is_not_shown(open_front, measured_view):
    front = open_front(first=measured_view(devices=[0]))

    expect(picker(front, "Device")).to_be_hidden()
    expect(picker(front, "Recording")).to_be_visible()


def test_tables_hold_unknown_sizes_classes_and_what_was_left_out(front):
    front.page.get_by_text("Table of transfers").last.click()
    front.page.get_by_text("Table of kernel names").click()

    expect(front.page.get_by_role("cell", name="unknown")).to_have_count(2)
    expect(front.page.get_by_role("cell", name="reduce-scatter")).to_be_visible()
    expect(front.page.get_by_text("The first 3 of 204 transfers.")).to_be_visible()
    expect(front.page.get_by_role("cell", name="4,312")).to_be_visible()


def test_the_part_in_view_is_moved_by_buttons_and_told_to_the_driver(front):
    for name in ("Zoom in", "Later", "Fit"):
        front.page.get_by_role("button", name=name).click()
    navigated = front.page.evaluate("() => told.navigated")
    assert navigated == [["zoom", 2], ["pan", 0.5], ["fit"]]

    front.page.evaluate("() => told.onWindow({ start: 2, end: 7.5 })")
    window = {"type": "window", "start_s": 0.002, "end_s": 0.0075, "seq": 1}
    assert front.moves() == [window]


def test_on_this_machine_it_says_that_nothing_leaves_it(front):
    expect(front.page.get_by_text("Nothing leaves this machine.")).to_be_visible()


def test_without_a_recording_there_is_a_word_of_welcome(open_front, measured_view):
    front = open_front(first=measured_view() | {"measured": None})

    expect(front.page.get_by_text("Open a recording to see")).to_be_visible()
    expect(front.page.get_by_role("button", name="Zoom in")).to_be_hidden()


def test_idle_time_is_told_where_it_is_more_than_communication_costs(
    open_front, measured_view
):
    state = measured_view()
    front = open_front(first=state)
    told = front.page.get_by_text("the GPU neither computes nor communicates")
    expect(told).to_have_count(0)  # 5.54 ms against 13.2 ms exposed
    state["measured"]["numbers"]["idle_s"] = 0.02
    front.show(state)

    expect(told).to_be_visible()


def test_the_meanings_of_the_numbers_open_without_a_pointer(front):
    measured = front.page.locator(".overlap-measured")
    measured.get_by_text("What the numbers mean").first.press("Enter")

    expect(front.page.get_by_text("Neither computes nor communicates")).to_be_visible()


def test_a_kernel_table_says_how_many_names_it_leaves_out(open_front, measured_view):
    state = measured_view()
    state["measured"]["kernels"]["kernels_total"] = 72
    front = open_front(first=state)
    front.page.get_by_text("Table of kernel names").click()

    expect(front.page.get_by_text("The first 3 of 72 names.")).to_be_visible()
