"""Files on their way to the driver: chosen or dropped, in turn, none lost."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PIECE = 2**20


@pytest.fixture
def front(open_front, measured_view):
    return open_front(first=measured_view())


def choose(front, *files):
    """Choose files, each a name and its size in bytes, in one go."""
    chosen = [
        {"name": name, "mimeType": "application/json", "buffer": b"x" * size_bytes}
        for name, size_bytes in files
    ]
    front.page.locator("input[type=file]").first.set_input_files(chosen)


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


def test_a_file_goes_in_pieces_each_after_the_last_has_arrived(front, measured_view):
    choose(front, ("rank0.json", 2 * PIECE + 5))
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
    choose(front, ("rank0.json", 2 * PIECE))
    wait_for_moves(front, 1)
    piece = front.last_move()
    front.page.get_by_role("button", name="Cancel", exact=True).click()
    front.show(measured_view(2) | {"upload": upload(piece, PIECE)})

    cancel = {"type": "cancel_upload", "id": piece["id"], "seq": 2}
    assert front.moves() == [piece, cancel]
    expect(front.page.get_by_role("progressbar")).to_be_hidden()


def test_an_empty_file_is_one_last_piece(front):
    choose(front, ("empty.json", 0))
    wait_for_moves(front, 1)

    piece = front.last_move()
    assert (piece["offset"], piece["data"], piece["last"]) == (0, 0, True)


def test_a_file_above_the_limit_is_refused_in_a_sentence_and_not_sent(front):
    choose(front, ("big.json", 3_000_001))

    said = "big.json is 3 MB, and this page takes files up to 3 MB."
    expect(front.page.get_by_text(said)).to_be_visible()
    assert front.moves() == []


def drop(front, place, *names):
    """Drop small files on a part of the widget; whether the page kept them."""
    return front.page.evaluate(
        """([place, names]) => {
            const dataTransfer = new DataTransfer();
            for (const name of names) dataTransfer.items.add(new File(["{}"], name));
            const given = { bubbles: true, cancelable: true, dataTransfer };
            const over = new DragEvent("dragover", given);
            const drop = new DragEvent("drop", given);
            const element = document.querySelector(place);
            element.dispatchEvent(over);
            element.dispatchEvent(drop);
            return over.defaultPrevented && drop.defaultPrevented;
        }""",
        [place, names],
    )


@pytest.mark.parametrize("place", [".overlap-measured", ".overlap-header", ".overlap"])
def test_a_dropped_file_is_opened(front, place):
    assert drop(front, place, "dropped.json")
    wait_for_moves(front, 1)

    assert front.last_move()["name"] == "dropped.json"


def test_a_file_dropped_on_explore_is_opened_and_its_way_shown(open_front, view):
    front = open_front(first=view())
    assert drop(front, ".overlap-explore", "dropped.json")
    wait_for_moves(front, 1)

    assert front.last_move()["name"] == "dropped.json"
    expect(front.page.get_by_role("progressbar")).to_be_visible()
    reading = upload(front.last_move(), 2, "reading")
    front.show(view(1) | {"upload": reading})
    expect(front.page.get_by_text("Reading dropped.json")).to_be_visible()


def test_a_dragged_text_is_left_to_the_browser(front):
    taken = front.page.evaluate(
        """() => {
            const dataTransfer = new DataTransfer();
            dataTransfer.setData("text/plain", "12");
            const given = { bubbles: true, cancelable: true, dataTransfer };
            const over = new DragEvent("dragover", given);
            document.querySelector(".overlap-box").dispatchEvent(over);
            return over.defaultPrevented;
        }"""
    )
    assert not taken


@pytest.mark.parametrize("way", ["chosen", "dropped"])
def test_several_files_are_opened_one_after_another(front, measured_view, way):
    names = ["rank0.json", "rank1.json", "rank2.json"]
    if way == "chosen":
        choose(front, *((name, 2) for name in names))
    else:
        drop(front, ".overlap", *names)
    wait_for_moves(front, 1)
    expect(front.page.get_by_text("2 more files wait")).to_be_visible()
    for seq, name in enumerate(names, 1):
        wait_for_moves(front, seq)
        piece = front.last_move()
        assert (piece["name"], piece["seq"], piece["last"]) == (name, seq, True)
        reading = upload(piece, 2, "reading")
        front.show(measured_view(seq) | {"upload": reading})
        assert len(front.moves()) == seq
        front.show(measured_view(seq))

    expect(front.page.get_by_role("progressbar")).to_be_hidden()
    assert len({piece["id"] for piece in pieces(front)}) == 3


def test_what_is_said_of_one_file_stays_while_the_next_is_opened(front, measured_view):
    choose(front, ("wrong.txt", 2), ("right.json", 2))
    wait_for_moves(front, 1)
    refused = [{"text": "wrong.txt: not a trace."}]
    front.show(measured_view(1) | {"notices": refused})
    wait_for_moves(front, 2)
    front.show(measured_view(2))

    expect(front.page.get_by_text("wrong.txt: not a trace.")).to_be_visible()


def test_errors_of_one_choice_stay_together_until_the_next_one(front, measured_view):
    texts = ["a.txt: not a trace.", "b.txt: not a trace."]
    choose(front, ("a.txt", 2), ("b.txt", 2))
    for seq, text in enumerate(texts, start=1):
        wait_for_moves(front, seq)
        front.show(measured_view(seq) | {"notices": [{"text": text}]})
    front.show(measured_view(2))  # whatever else is moved
    rows = front.page.locator(".overlap-notices li span")
    expect(rows).to_have_text(texts)
    for seq in (3, 4):  # the same file again: what is said of it is said again
        choose(front, ("b.txt", 2))
        expect(rows).to_have_count(0)
        wait_for_moves(front, seq)
        front.show(measured_view(seq) | {"notices": [{"text": texts[1]}]})
        expect(rows).to_have_text(texts[1:])


def test_what_has_succeeded_has_no_colour_of_an_error(front, measured_view):
    done = {"key": "classes.opened", "values": {"name": "a", "rules_rules": 2}}
    wrong = {"key": "", "values": {"text": "c.txt: not a trace."}}
    front.show(measured_view() | {"notices": [done, wrong]})
    edges = front.page.locator(".overlap-notices li").evaluate_all(
        "(rows) => rows.map((row) => getComputedStyle(row).borderInlineStartColor)"
    )
    assert len(set(edges)) == 2
    assert "overlap-done" in front.page.locator("li", has_text="2 rules").get_attribute(
        "class"
    )


def test_what_was_said_before_the_first_file_goes_as_it_would(front, measured_view):
    front.show(measured_view() | {"notices": [{"text": "Of the address."}]})
    choose(front, ("right.json", 2))
    wait_for_moves(front, 1)
    front.show(measured_view(1))

    expect(front.page.get_by_text("Of the address.")).to_have_count(0)


def test_a_file_chosen_meanwhile_waits_for_the_one_on_its_way(front, measured_view):
    choose(front, ("first.json", 2 * PIECE))
    wait_for_moves(front, 1)
    choose(front, ("second.json", 2))
    piece = front.last_move()
    front.show(measured_view(1) | {"upload": upload(piece, PIECE)})
    wait_for_moves(front, 2)

    assert [piece["name"] for piece in front.moves()] == ["first.json"] * 2


def test_a_file_above_the_limit_leaves_the_running_one_alone(front, measured_view):
    choose(front, ("first.json", 2 * PIECE))
    wait_for_moves(front, 1)
    choose(front, ("big.json", 3_000_001))
    piece = front.last_move()
    expect(front.page.get_by_text("big.json is 3 MB, and")).to_be_visible()
    expect(front.page.get_by_role("progressbar")).to_be_visible()
    front.show(measured_view(1) | {"upload": upload(piece, PIECE)})
    wait_for_moves(front, 2)

    assert [move["type"] for move in front.moves()] == ["upload", "upload"]


def test_cancel_goes_on_with_the_file_that_waits(front):
    choose(front, ("first.json", 2 * PIECE), ("second.json", 2))
    wait_for_moves(front, 1)
    front.page.get_by_role("button", name="Cancel", exact=True).click()
    wait_for_moves(front, 3)

    moves = [(move["type"], move.get("name")) for move in front.moves()]
    assert moves == [
        ("upload", "first.json"),
        ("cancel_upload", None),
        ("upload", "second.json"),
    ]


def test_who_cancels_by_keyboard_goes_on_from_where_files_are_opened(front):
    choose(front, ("first.json", 2 * PIECE))
    wait_for_moves(front, 1)
    front.page.get_by_role("button", name="Cancel", exact=True).press("Enter")

    expect(front.page.locator("input[type=file]").first).to_be_focused()


def test_who_cancels_in_explore_stays_on_the_page(open_front, view):
    front = open_front(first=view())
    choose(front, ("first.json", 2 * PIECE))
    wait_for_moves(front, 1)
    front.page.get_by_role("button", name="Cancel", exact=True).press("Enter")

    assert front.page.evaluate("document.activeElement !== document.body")


def test_a_view_that_comes_before_the_first_piece_does_not_end_the_upload(
    front, measured_view
):
    state = measured_view()
    front.page.evaluate(
        """(view) => {
            const files = new DataTransfer();
            files.items.add(new File(["{}"], "slow.json"));
            const input = document.querySelector("input[type=file]");
            input.files = files.files;
            input.dispatchEvent(new Event("change"));
            front.update(view);
        }""",
        state,
    )
    wait_for_moves(front, 1)

    assert front.last_move()["name"] == "slow.json"
    expect(front.page.get_by_role("progressbar")).to_be_visible()
