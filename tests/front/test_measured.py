"""Measured mode: pickers, sentences, tables, and a file on its way to the driver."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PIECE = 2**20


@pytest.fixture
def front(open_front, measured_view):
    return open_front(first=measured_view())


def heading(front):
    return front.page.get_by_role("heading", level=2).first


def picker(front, name):
    return front.page.get_by_role("combobox", name=name)


def choose(front, name, size_bytes):
    files = {"name": name, "mimeType": "application/json", "buffer": b"x" * size_bytes}
    front.page.locator("input[type=file]").set_input_files(files)


def pieces(front):
    return [move for move in front.moves() if move["type"] == "upload"]


def wait_for_moves(front, count):
    front.page.wait_for_function(f"() => moves.length >= {count}")


def upload(move, received_bytes, state="receiving", text=""):
    return {
        "id": move["id"],
        "name": move["name"],
        "size_bytes": move["size_bytes"],
        "received_bytes": received_bytes,
        "state": state,
        "text": text,
    }


def test_a_step_says_what_is_exposed_and_why(front):
    expect(heading(front)).to_have_text("13.2 ms of communication is exposed.")
    text = front.page.locator(".overlap-measured .overlap-verdict p")
    expect(text).to_contain_text("2.44 ms is hidden behind compute")
    expect(text).to_contain_text("After the last backward kernel")


def test_without_communication_it_is_none_and_no_tail_is_told(
    open_front, measured_view
):
    state = measured_view(sentence="measured.none")
    numbers = {"communication_s": 0, "hidden_s": 0, "exposed_s": 0, "overlap": None}
    state["measured"]["numbers"] |= numbers | {"transfers": 0, "backward_found": False}
    front = open_front(first=state)

    expect(heading(front)).to_have_text("There is no communication in this step.")
    expect(front.page.locator(".overlap-measured")).not_to_contain_text("NaN")
    expect(front.page.get_by_text("After the last backward")).to_have_count(0)


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


def test_a_file_goes_in_pieces_each_after_the_last_has_arrived(front, measured_view):
    choose(front, "rank0.json", 2 * PIECE + 5)
    for seq, (offset, size) in enumerate(
        [(0, PIECE), (PIECE, PIECE), (2 * PIECE, 5)], 1
    ):
        wait_for_moves(front, seq)
        piece = front.last_move()
        assert (piece["offset"], piece["data"]) == (offset, size)
        assert piece["last"] == (seq == 3)
        front.show(measured_view(seq) | {"upload": upload(piece, offset + size)})

    expect(front.page.get_by_role("progressbar")).to_be_visible()
    reading = upload(piece, piece["size_bytes"], "reading")
    front.show(measured_view(3) | {"upload": reading})
    expect(front.page.get_by_text("Reading rank0.json")).to_be_visible()
    front.show(measured_view(3))
    expect(front.page.get_by_role("progressbar")).to_be_hidden()
    assert len(pieces(front)) == 3


def test_no_piece_follows_a_cancel(front, measured_view):
    choose(front, "rank0.json", 2 * PIECE)
    wait_for_moves(front, 1)
    piece = front.last_move()
    front.page.get_by_role("button", name="Cancel").click()
    front.show(measured_view(2) | {"upload": upload(piece, PIECE)})

    cancel = {"type": "cancel_upload", "id": piece["id"], "seq": 2}
    assert front.moves() == [piece, cancel]
    expect(front.page.get_by_role("progressbar")).to_be_hidden()


def test_an_empty_file_is_one_last_piece(front):
    choose(front, "empty.json", 0)
    wait_for_moves(front, 1)

    piece = front.last_move()
    assert (piece["offset"], piece["data"], piece["last"]) == (0, 0, True)


def test_a_file_above_the_limit_is_refused_in_a_sentence_and_not_sent(front):
    choose(front, "big.json", 3_000_001)

    said = "big.json is 3 MB, and this page takes files up to 3 MB."
    expect(front.page.get_by_text(said)).to_be_visible()
    assert front.moves() == []


def test_on_this_machine_it_says_that_nothing_leaves_it(front):
    expect(front.page.get_by_text("Nothing leaves this machine.")).to_be_visible()


def test_a_dropped_file_is_opened(front):
    front.page.evaluate(
        """() => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(["{}"], "dropped.json"));
            const drop = new DragEvent("drop", { bubbles: true, dataTransfer });
            document.querySelector(".overlap-measured").dispatchEvent(drop);
        }"""
    )
    wait_for_moves(front, 1)

    assert front.last_move()["name"] == "dropped.json"


def test_without_a_recording_there_is_a_word_of_welcome(open_front, measured_view):
    front = open_front(first=measured_view() | {"measured": None})

    expect(front.page.get_by_text("Open a recording to see")).to_be_visible()
    expect(front.page.get_by_role("button", name="Zoom in")).to_be_hidden()
