"""What a page may send over its websocket in one message: what our front may, no more.

The library unpacks and lays out whatever a message says, so that few bytes become
gigabytes, it gathers buffers without end, and a number of many digits takes seconds.
"""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from bokeh.protocol.exceptions import ProtocolError
from bokeh.protocol.message import Message
from bokeh.protocol.receiver import Receiver
from bokeh.server.views import ws

MOST_FRAME_BYTES = 4 * 2**20
"""Of one frame, which the server holds whole: a piece of a file is a quarter."""
MOST_MESSAGE_BYTES = 4 * 2**20
"""Of all frames of a message."""
MOST_TEXT = 2**20
"""Characters of a frame of text: a move has some hundreds."""
MOST_DIGITS = 400
"""Of a number, which a float has at most; what is typed is sent as text."""
GROWING = ("ndarray", "typed_array")
"""What is laid out as large as the message says; the front sends none."""


class CarefulReceiver(Receiver):
    """Puts messages together; ProtocolError for what no front sends, which closes."""

    _bytes = 0

    async def consume(self, fragment: str | bytes) -> Message[Any] | None:
        """The message that is whole with this frame, if it is."""
        is_first = self._current_consumer == self._HEADER
        self._bytes = len(fragment) + (0 if is_first else self._bytes)
        is_long = isinstance(fragment, str) and len(fragment) > MOST_TEXT
        if is_long or self._bytes > MOST_MESSAGE_BYTES:
            raise ProtocolError("a message is too large")
        try:
            read = _read(fragment) if isinstance(fragment, str) else None
            if is_first and not is_header(read):
                raise ValueError
            message = await super().consume(fragment)
        except Exception as error:  # the library would write all of it into the log
            raise ProtocolError("a message can't be read") from error
        if message is not None and may_grow(message.content):
            raise ProtocolError("a message holds what no page sends")
        return message


def _read(text: str) -> object:
    """What a frame says; ValueError where a number is longer than any that is sent."""
    whole, fraction = partial(_short, int), partial(_short, float)
    return json.loads(text, parse_int=whole, parse_float=fraction)


def _short(kind: type[int] | type[float], digits: str) -> float:
    if len(digits) > MOST_DIGITS:
        raise ValueError
    return kind(digits)


def is_header(header: object) -> bool:
    """Whether a message may begin so: what it is, and how many buffers follow."""
    if not isinstance(header, dict):
        return False
    buffers = header.get("num_buffers", 0)
    names = header.get("msgid"), header.get("msgtype")
    is_count = type(buffers) is int and buffers >= 0
    return is_count and all(isinstance(name, str) for name in names)


def may_grow(content: object) -> bool:
    """Whether what is in a message takes more room than it has there."""
    return any(isinstance(part, dict) and _grows(part) for part, _ in parts_of(content))


def _grows(part: dict[str, Any]) -> bool:
    kind = part.get("type")
    return kind in GROWING or (kind == "bytes" and isinstance(part.get("data"), str))


def parts_of(content: object) -> Iterator[tuple[object, int]]:
    """All that is in what JSON says, with the level at which it stands, from 1 on."""
    waiting = [(content, 1)]
    while waiting:
        part, level = waiting.pop()
        yield part, level
        if isinstance(part, dict):
            part = list(part.values())
        if isinstance(part, list):
            waiting.extend((one, level + 1) for one in part)


def limit_messages() -> None:
    """Have every websocket of this process read so."""
    ws.Receiver = CarefulReceiver  # type: ignore[attr-defined]
