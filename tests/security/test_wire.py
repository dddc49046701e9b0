"""What arrives on a websocket: no more than a front sends, whatever it asks for."""

import base64
import gzip
import json

import pytest
from bokeh.protocol import Protocol
from bokeh.protocol.exceptions import ProtocolError
from bokeh.server.views import ws

from overlap_widget.app import wire_limits
from overlap_widget.app.wire_limits import CarefulReceiver, limit_messages


@pytest.fixture
def received(in_a_loop):
    """The message that frames come to."""

    async def consume(frames):
        receiver = CarefulReceiver(Protocol())
        return [await receiver.consume(frame) for frame in frames][-1]

    return lambda *frames: in_a_loop(consume(frames))


def message(content, buffers=0):
    header = {"msgid": "1", "msgtype": "PATCH-DOC", "num_buffers": buffers}
    text = content if isinstance(content, str) else json.dumps(content)
    return [json.dumps(header), "{}", text]


def test_a_piece_of_a_file_is_received_whole(received):
    piece = {"type": "bytes", "data": {"id": "b0"}}
    frames = [*message({"events": [piece]}, buffers=1), '{"id": "b0"}', b"\x00<"]

    assert received(*frames).buffers[0].data == b"\x00<"


BOMB = base64.b64encode(gzip.compress(b" " * 1000)).decode()


@pytest.mark.parametrize(
    "part",
    [
        {"type": "bytes", "data": BOMB},
        {"type": "ndarray", "array": ["a"], "dtype": "S9999999999", "shape": [1]},
        {"type": "typed_array", "array": [1], "dtype": "uint8", "order": "little"},
    ],
)
def test_what_is_unpacked_or_laid_out_as_a_message_says_is_refused(received, part):
    hidden = {"events": [{"type": "map", "entries": [["data", [part]]]}]}

    with pytest.raises(ProtocolError, match="holds what no page sends"):
        received(*message(hidden))


@pytest.mark.parametrize(
    "frames",
    [
        message("[" * 100_000),
        message("not JSON"),
        ['{"msgid": 7}', "{}", "{}"],
        ['{"msgtype": []}', "{}", "{}"],
        ["[]", "{}", "{}"],
        ["{}", b"{}"],
        message('{"events": [' + "9" * 401 + "]}"),
        message('{"events": [0.' + "9" * 401 + "]}"),
    ],
)
def test_what_cannot_be_read_ends_in_a_short_refusal(received, frames):
    with pytest.raises(ProtocolError, match=r"^a message can't be read$"):
        received(*frames)


def test_text_and_buffers_without_end_are_refused(received, monkeypatch):
    monkeypatch.setattr(wire_limits, "MOST_TEXT", 200)
    monkeypatch.setattr(wire_limits, "MOST_MESSAGE_BYTES", 500)
    text = message({"events": ["a" * 300]})
    buffers = ['{"id": "b0"}', b"0" * 200] * 3

    for frames in (text, [*message({}, buffers=10**9), *buffers]):
        with pytest.raises(ProtocolError, match="too large"):
            received(*frames)


def test_messages_one_after_the_other_may_hold_more_than_one_may(received, monkeypatch):
    monkeypatch.setattr(wire_limits, "MOST_MESSAGE_BYTES", 200)

    assert received(*(3 * message({"events": ["a" * 50]})))


def test_every_websocket_of_a_server_reads_so(monkeypatch):
    monkeypatch.setattr(ws, "Receiver", None)
    limit_messages()

    assert ws.Receiver is CarefulReceiver
