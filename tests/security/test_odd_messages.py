"""Messages of no page of ours: a sentence in the log, and nothing of the machine."""

import asyncio
import json
from types import SimpleNamespace

import pytest
from bokeh.document import Document
from bokeh.protocol import Protocol
from bokeh.server.connection import ServerConnection
from bokeh.server.session import ServerSession

from overlap_widget.app.front import linked_front
from overlap_widget.app.page_messages import LEFT_OUT, MOST_SAID, PageMessages
from overlap_widget.app.page_socket import CLOSED, PageSocket
from overlap_widget.app.wire_limits import CarefulReceiver

MARK = "of a stranger"
LINES = f"{MARK}\nERROR: {MARK}\r\x1b[2J"
"""What would be lines of its own in the log, and signs for the terminal."""
UNREADABLE = f"{CLOSED}: a message can't be read"
HERE = ("Traceback", "/overlap", "site-packages", ".py", MARK)
MODEL = "<the front's>"


def framed(content, header=None, metadata="{}"):
    """A message in its frames, of a content as it is or as text."""
    header = {"msgid": "1", "msgtype": "PATCH-DOC"} | (header or {})
    text = content if isinstance(content, str) else json.dumps(content)
    return [json.dumps(header), metadata, text]


def told(name, *entries):
    """An event as the library's client sends it."""
    values = {"type": "map", "entries": [list(entry) for entry in entries]}
    data = {"type": "event", "name": name, "values": values}
    event = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": data}
    return {"events": [event]}


def moved(data, **event):
    """A move of the front that holds some data; `event` is beside it."""
    sent = told("data_event", ("model", {"id": MODEL}), ("data", data))
    sent["events"][0] |= event
    return sent


def changed(**change):
    return {"events": [{"kind": "ModelChanged", "model": {"id": MODEL}} | change]}


def nest(levels):
    return "[" * levels + "]" * levels


CANNOT_BE_READ = {
    "no JSON": framed(LINES),
    "no JSON at first": [LINES, "{}", "{}"],
    "no JSON as metadata": framed({}, metadata=LINES),
    "nest of 3.6 kB": framed(f'{{"events": {nest(1_800)}}}'),
    "kind that is none": framed({}, {"msgtype": LINES}),
    "kind that is a list": framed({}, {"msgtype": [LINES]}),
    "header without kind": [json.dumps({LINES: LINES}), "{}", "{}"],
    "header without name": ['{"msgtype": "PULL-DOC-REQ"}', "{}", "{}"],
    "name that is none": framed({}, {"msgid": {LINES: 1}}),
    "odd count of buffers": framed({}, {"num_buffers": LINES}),
    "odd buffer": [*framed({}, {"num_buffers": 1}), json.dumps({LINES: 1}), b"a"],
    "nothing as content": [*framed("null"), *framed({})],
    "bytes as text": [MARK.encode()],
}
CANNOT_BE_FOLLOWED = {
    "answer": framed({"text": LINES}, {"msgtype": "ERROR"}),
    "another document": framed({"doc": LINES}, {"msgtype": "PUSH-DOC"}),
    "question with content": framed({LINES: 1}, {"msgtype": "PULL-DOC-REQ"}),
    "content that is a list": framed([LINES]),
    "content without events": framed({}),
    "events that are none": framed({"events": [5, LINES]}),
    "events of a mapping": framed({"type": "map", "events": []}),
    "unknown event": framed({"events": [{"kind": LINES}]}),
    "unknown message": framed(moved(1, msg_type=[LINES])),
    "text for an event": framed(moved(1, msg_data=LINES)),
    "event with more in it": framed(moved(1, more=LINES)),
    "event of another name": framed(told(LINES)),
    "event of another class": framed(
        told("dom_event", ("model", {"id": MODEL}), ("node", []), ("data", 1))
    ),
    "id that doesn't exist": framed(
        told("data_event", ("model", {"id": LINES}), ("data", 1))
    ),
    "number for a model": framed(told("data_event", ("model", 5), ("data", 1))),
    "mapping for a model": framed(
        told("data_event", ("model", {"id": MODEL, "type": "map"}), ("data", 1))
    ),
    "values of no event": framed(told("document_ready", (LINES, 1))),
    "change of nothing": framed(changed(model={"id": LINES}, attr="a", new=1)),
    "change of a wrong type": framed(changed(attr="margin", new=LINES)),
    "change that isn't there": framed(changed(attr=LINES, new=1)),
    "object": framed(moved({"type": "object", "name": "Div", "id": LINES})),
    "object that is there": framed(moved({"type": "object", "name": "a", "id": MODEL})),
    "symbol": framed(moved({"type": "symbol", "name": LINES})),
    "bytes that didn't come": framed(moved({"type": "bytes", "data": {"id": LINES}})),
    "list for a key": framed(moved({"type": "map", "entries": [[[], LINES]]})),
    "many moves in one": framed({"events": 5 * moved({"type": "map"})["events"]}),
    "nest in a move": framed(moved(json.loads(nest(150)))),
}
ODD = CANNOT_BE_READ | CANNOT_BE_FOLLOWED


def answer_to(visitor, frames):
    """The server's answer, or why it closed the socket."""
    visitor.say(
        *(
            frame.replace(MODEL, visitor.model) if isinstance(frame, str) else frame
            for frame in frames
        )
    )
    try:
        return visitor.served.do(visitor.wait_for("ERROR"))
    except ConnectionError as closed:
        return str(closed)


@pytest.fixture(scope="module")
def met(serving, tmp_path_factory):
    """What each odd message was answered, and all that the log then had."""
    with serving(tmp_path_factory.mktemp("server")) as served:
        other = served.visit()
        answers = {
            name: answer_to(served.visit(), frames) for name, frames in ODD.items()
        }
        flood = served.visit()
        for _ in range(2 * MOST_SAID):
            answer_to(flood, CANNOT_BE_FOLLOWED["unknown event"])
        went_on = 'bucket\\":3' in other.move(type="set", key="bucket", value=3)
        served.process.terminate()
        log, _ = served.process.communicate(timeout=20)
    lines = [line for line in log.splitlines() if line.startswith("overlap: ")]
    return SimpleNamespace(answers=answers, log=log, lines=lines, went_on=went_on)


@pytest.mark.parametrize("name", ODD)
def test_the_answer_to_an_odd_message_tells_nothing_of_the_machine(met, name):
    answer = met.answers[name]

    assert not [part for part in HERE if part in answer]
    if name in CANNOT_BE_FOLLOWED:
        assert json.loads(answer) == {"text": LEFT_OUT, "traceback": None}
    else:
        assert answer == "a message can't be read"


def test_the_log_has_one_sentence_of_ours_for_each_and_no_word_of_theirs(met):
    read, followed = f"overlap: {UNREADABLE}", f"overlap: {LEFT_OUT}"

    assert met.lines == [
        *[read] * len(CANNOT_BE_READ),
        *[followed] * (len(CANNOT_BE_FOLLOWED) + MOST_SAID),
    ]
    assert not [part for part in HERE if part in met.log]
    assert len(met.log.splitlines()) < len(met.lines) + 8  # where it runs, and its end


def test_nobody_else_hears_of_odd_messages(met):
    assert met.went_on


def test_what_comes_before_its_session_closes_the_socket_once(in_a_loop, capsys):
    socket, reasons = PageSocket.__new__(PageSocket), []
    socket.receiver = None
    socket.close = lambda _code, reason: reasons.append(reason)
    for _ in range(3):
        in_a_loop(socket.on_message(LINES))

    assert reasons == ["a message came before its session"]
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("code", "is_refused", "ends"),
    [(1006, False, 0), (1008, True, 1), (1007, False, 1), (1009, False, 1)],
)
def test_the_session_of_a_socket_that_was_refused_goes_at_once(code, is_refused, ends):
    """Whoever comes again and again must not fill the memory; a lost page may."""
    socket, ended = PageSocket.__new__(PageSocket), []
    session = SimpleNamespace(
        notify_connection_lost=lambda: None,
        request_expiration=lambda: ended.append("session"),
    )
    socket.connection = SimpleNamespace(session=session, _session=session)
    socket.application = SimpleNamespace(client_lost=lambda _: None)
    socket.close_code, socket.close_reason = code, ""
    socket._is_refused = is_refused
    socket.on_close()

    assert ended == ["session"] * ends


@pytest.fixture
def answered(in_a_loop):
    """What a session answers a message, and does with the move in it."""

    async def handled(frames, do, of_another):
        document, front = Document(), linked_front()
        root = front.get_root(document)
        document.add_root(root)
        front.on_msg(do)
        session = ServerSession("a", document)
        connection = ServerConnection(Protocol(), None, None, session)
        receiver = CarefulReceiver(Protocol())
        for frame in frames:
            message = await receiver.consume(frame.replace(MODEL, root.id))
        asyncio.get_running_loop().call_soon(of_another)
        return await PageMessages().handle(message, connection)

    return lambda frames, do, of_another=list: in_a_loop(
        handled(frames, do, of_another)
    )


def test_a_fault_of_ours_is_in_the_log_with_its_traceback(answered, caplog, capsys):
    def broken(_event):
        raise RuntimeError("inside")

    answer = answered(framed(moved({"type": "map"})), broken)

    assert answer.msgtype == "ERROR"
    assert answer.content["traceback"] is None
    assert "inside" not in answer.content["text"]
    (record,) = caplog.records
    assert record.exc_info[0] is RuntimeError
    assert capsys.readouterr().err == ""


def test_a_move_is_done_and_answered_as_ever(answered, caplog):
    done = []
    answer = answered(framed(moved({"type": "map"})), done.append)

    assert answer.msgtype == "OK"
    assert [event.data for event in done] == [{}]
    assert not caplog.records


def test_what_others_wait_for_is_done_before_the_next_message(answered):
    """Of a page whose messages lie ready: else all of them would be followed first."""
    turns = []
    answered(
        framed(moved({"type": "map"})),
        lambda _: turns.append("this"),
        lambda: turns.append("another"),
    )

    assert turns == ["another", "this"]
