"""Sessions of one server: none sees another's files, and none can harm another."""

import json
import re
import sqlite3
import time

import pytest

OF_OTHER = "kernel_of_somebody_else"
MARK = "taken by a patch"
EVENT = {"ph": "X", "cat": "kernel", "pid": 0, "tid": 7, "ts": 1, "dur": 1}
KERNEL = EVENT | {"name": OF_OTHER, "args": {"device": 0, "stream": 7}}
TRACE = json.dumps({"traceEvents": [KERNEL]}).encode()
ENDLESS = """CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c)
    SELECT i AS start, i + 1 AS end, 0 AS deviceId, 0 AS streamId FROM c"""


def until(is_so, what):
    """Wait until something is so, as long as a busy machine may take."""
    for _ in range(300):
        if is_so():
            return
        time.sleep(0.1)
    pytest.fail(f"{what} never came")


@pytest.fixture
def visitors(served):
    """Two sessions of one server."""
    return served.visit(), served.visit()


def goes_on(visitor):
    """Whether a session still does what it is asked for."""
    visitor.move(type="set", key="bucket", value=3)
    until(lambda: re.search(r'bucket\\*"[:,]3\b', visitor.document()), "the move")
    return True


def test_a_file_of_one_session_is_nowhere_in_another(served, visitors):
    owner, other = visitors
    owner.upload("mine.json", TRACE, batch="one")
    until(lambda: "mine.json" in owner.document(), "the file")
    guesses = [
        {"type": "recording", "value": 0},
        {"type": "class", "name": OF_OTHER, "value": "compute"},
        {"type": "cancel_upload", "id": "mine.json"},
        {"type": "try"},
        {"type": "export"},
    ]
    seen = [other.move(**guess) for guess in guesses]
    seen.append(other.upload("mine.json", b"", offset=len(TRACE), batch="one"))
    seen += [other.document(), served.visit("?mode=measured").document()]

    assert not [text for text in seen if OF_OTHER in text]
    assert "mine.json: a piece of the file is missing" in seen[-3]


def test_odd_moves_change_nothing_and_the_session_goes_on(visitors):
    sender, _ = visitors
    odd = [
        {"type": "set", "key": "bucket", "value": "9" * 50_000},
        {"type": "set", "key": "bucket", "value": {"a": {"b": {"c": 1}}}},
        {"type": "set", "key": "lang", "value": "<script>"},
        {"type": {"x": 1}, "value": None},
        {"type": "window", "start_s": "nan", "end_s": "inf"},
        {"type": "part", "start_s": None},
        {"type": "recording", "value": 1e308},
        {"type": "class", "name": "*" * 5_000, "value": "compute"},
        {"type": "__init__"},
        {"type": "close"},
        {},
    ]
    for move in odd:
        sender.move(**move)

    assert goes_on(sender)


def test_patches_of_anything_else_harm_no_other_session(served, visitors):
    attacker, other = visitors
    front = {"id": attacker.model}
    document, _ = json.JSONDecoder().raw_decode(attacker.document())
    data = document["doc"]["roots"][0]["attributes"]
    of_data = {"id": data["data"]["id"]}
    for model, attribute, value in (
        (of_data, "view", f'{{"notices": "{MARK}"}}'),
        (of_data, "seq", MARK),
        (front, "esm", f"export const render = () => '{MARK}'"),
        (front, "stylesheets", [MARK]),
        (front, "class_name", MARK),
        (front, "no_such_thing", MARK),
        ({"id": "p1"}, "tags", [MARK]),
    ):
        change = {"kind": "ModelChanged", "model": model}
        attacker.patch(change | {"attr": attribute, "new": value})
        if attacker.is_closed.is_set():
            break
    texts = [other.document(), served.fetch("/").body.decode()]
    texts.append(served.visit().document())

    assert not [text for text in texts if MARK in text]


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "RootAdded", "model": {"type": "object", "name": "Div", "id": "x"}},
        {"kind": "TitleChanged", "title": MARK},
        {"kind": "MessageSent", "msg_type": "no_such", "msg_data": MARK},
        {"kind": "NoSuchKind"},
        {"kind": "ModelChanged", "model": {"id": "no_such"}, "attr": "a", "new": 1},
    ],
    ids=lambda event: event["kind"],
)
def test_roots_and_events_of_no_front_harm_no_other_session(served, visitors, event):
    attacker, other = visitors
    attacker.patch(event)

    assert goes_on(other)
    assert MARK not in other.document()
    assert MARK not in served.fetch("/").body.decode()


def test_a_huge_message_closes_its_own_websocket_alone(visitors):
    attacker, other = visitors
    attacker.say("x" * (5 * 2**20))

    attacker.closing()
    assert goes_on(other)


def test_a_nest_without_end_closes_its_own_websocket(visitors):
    attacker, other = visitors
    attacker.say('{"msgid":"1","msgtype":"PATCH-DOC"}', "{}", "[" * 500_000)
    attacker.closing()

    assert goes_on(other)


def endless(folder):
    """A database of which no reader sees the end."""
    path = folder / "endless.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute(ENDLESS)
    return path.read_bytes()


def test_a_server_that_is_stopped_leaves_no_file_and_no_process(serving, tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    with serving(folder) as served:
        sending, holding, reading = (served.visit() for _ in range(3))
        sending.upload("a.json", TRACE, last=False)
        holding.upload("b.csv", b"a,b\n", held=True)
        reading.upload("c.sqlite", endless(tmp_path))
        until(lambda: len(served.files()) >= 6, "the files")
        kept = [name for name in served.files() if "." in name]
        served.process.terminate()
        served.process.wait(timeout=20)

        assert len(kept) >= 3
        until(lambda: served.files() == [], "the end of all files")
