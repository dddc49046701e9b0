"""Files that are opened together: folders, the order of ranks, tables that wait."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def front(open_front, measured_view):
    return open_front(first=measured_view())


DROP_FOLDER = """(tree) => {
    const entryOf = (name, held, path) => (typeof held === "string"
        ? { isDirectory: false, name, fullPath: path,
            file: (done) => done(new File([held], name)) }
        : { isDirectory: true, name, fullPath: path,
            createReader: () => {
                const inside = Object.entries(held)
                    .map(([each, one]) => entryOf(each, one, `${path}/${each}`));
                const portions = [inside.slice(0, 2), inside.slice(2), []];
                return { readEntries: (done) => done(portions.shift() ?? []) };
            } });
    const entries = Object.entries(tree)
        .map(([name, held]) => entryOf(name, held, `/${name}`));
    const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
    const files = Object.keys(tree).map((name) => new File([""], name));
    const event = new Event("drop", { bubbles: true, cancelable: true });
    event.dataTransfer = { types: ["Files"], items, files };
    document.querySelector(".overlap").dispatchEvent(event);
}"""


def upload(move, state, **changes):
    plain = {key: move[key] for key in ("id", "name", "size_bytes")}
    return plain | {"received_bytes": move["size_bytes"], "state": state} | changes


def go_through(front, measured_view, states=None):
    """Answer every piece; the moves of the files, in their order."""
    seq = 0
    while True:
        front.page.wait_for_timeout(60)
        sent = [move for move in front.moves() if move["type"] == "upload"]
        if len(sent) == seq:
            return sent
        seq = len(sent)
        state = (states or {}).get(sent[-1]["name"])
        held = sent[-1]["held"] and "held"
        answer = upload(sent[-1], state or held) if state or held else None
        front.show(measured_view(sent[-1]["seq"]) | {"upload": answer})


def test_a_dropped_folder_opens_all_its_files_as_one_batch_in_the_order_of_ranks(
    front, measured_view
):
    run = {
        "rank10.json": "{}",
        "rank2.json": "{}",
        ".DS_Store": "x",
        "sub": {"rank1.json": "{}"},
    }
    front.page.evaluate(DROP_FOLDER, {"run": run})
    sent = go_through(front, measured_view)

    assert [one["name"] for one in sent] == [
        "run/rank2.json",
        "run/rank10.json",
        "run/sub/rank1.json",
    ]
    assert len({one["batch"] for one in sent}) == 1
    assert {(one["found"], one["held"]) for one in sent} == {(True, False)}


def test_tables_come_last_and_wait_for_the_last_of_them(front, measured_view):
    names = ("b_memory.csv", "a_kernel.csv", "rank0.json")
    chosen = [
        {"name": name, "mimeType": "text/plain", "buffer": b"x"} for name in names
    ]
    front.page.locator("input[type=file]").first.set_input_files(chosen)
    sent = go_through(front, measured_view)

    assert [(one["name"], one["held"]) for one in sent] == [
        ("rank0.json", False),
        ("a_kernel.csv", True),
        ("b_memory.csv", False),
    ]


def test_two_choices_are_two_batches(front, measured_view):
    batches = []
    for name in ("one.json", "two.json"):
        file = {"name": name, "mimeType": "application/json", "buffer": b"{}"}
        front.page.locator("input[type=file]").first.set_input_files([file])
        batches.append(go_through(front, measured_view)[-1]["batch"])

    assert len(set(batches)) == 2


def test_what_is_no_trace_in_a_folder_is_left_out_in_one_sentence(front, measured_view):
    run = {f"note{at}.json": "{}" for at in range(5)} | {"rank0.json": "{}"}
    front.page.evaluate(DROP_FOLDER, {"run": run})
    go_through(
        front, measured_view, {f"run/note{at}.json": "skipped" for at in range(5)}
    )

    said = "left out: 5 files of the folder (run/note0.json, run/note1.json, "
    expect(front.page.get_by_text(said)).to_have_count(1)


def test_how_far_a_file_is_read_is_shown(front, measured_view):
    file = {"name": "one.json", "mimeType": "application/json", "buffer": b"{}"}
    front.page.locator("input[type=file]").first.set_input_files([file])
    front.page.wait_for_function("() => moves.length === 1")
    (piece,) = front.moves()
    bar = front.page.get_by_role("progressbar")
    front.show(measured_view(1) | {"upload": upload(piece, "reading", read_share=0)})
    expect(bar).not_to_have_attribute("value", "0")
    front.show(measured_view(1) | {"upload": upload(piece, "reading", read_share=0.37)})

    expect(bar).to_have_attribute("value", "0.37")
    front.page.get_by_role("button", name="Cancel", exact=True).click()
    assert front.last_move()["type"] == "cancel_upload"


def test_all_that_waits_can_be_cancelled_at_once(front):
    chosen = [
        {"name": f"{at}.json", "mimeType": "application/json", "buffer": b"{}"}
        for at in range(3)
    ]
    front.page.locator("input[type=file]").first.set_input_files(chosen)
    front.page.wait_for_function("() => moves.length === 1")
    front.page.get_by_role("button", name="Cancel all").click()

    assert [move["type"] for move in front.moves()] == ["upload", "cancel_upload"]
    expect(front.page.get_by_role("progressbar")).to_be_hidden()
