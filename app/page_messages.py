"""What the messages of a page may ask of its session, and what becomes of all others.

The library does whatever can be done with a message, and writes the traceback of what
can't into the log and into its answer, with all that a stranger wrote.
"""

import asyncio
import logging
from types import TracebackType
from typing import Any

from bokeh.core.serialization import Deserializer
from bokeh.protocol.message import Message
from bokeh.server.connection import ServerConnection
from bokeh.server.protocol_handler import ProtocolHandler

from overlap_widget.app.standard_streams import tell
from overlap_widget.app.wire_limits import parts_of

LOG = logging.getLogger(__name__)
QUESTIONS = ("PULL-DOC-REQ", "SERVER-INFO-REQ")
"""Kinds of messages without a content."""
OF_DOCUMENT = ("document_ready", "client_reconnected")
"""Events that the library's own client sends; all others are moves."""
TYPES = ("event", "map", "bytes", "number")
"""What the values of moves are written as."""
DEEPEST = 40
"""Levels of a content: a move has 12, and each mapping in it three more."""
MOST_EVENTS = 4
"""In one message, which is followed in one turn: a page tells one or two at a time."""
MOST_SAID = 20
"""Messages of one socket that the log tells of: it must not grow by what is sent."""
LEFT_OUT = "left out a message of a page that its session can't follow"
FAULT = "a fault of the server, which is in its log"


class PageMessages(ProtocolHandler):
    """Answers the messages of one socket; what is wrong with one doesn't end it."""

    _said = 0

    async def handle(self, message: Message[Any], connection: ServerConnection) -> Any:
        """The library's answer, or one of ours, which tells nothing of the machine.

        A fault of ours is one for the log, whoever caused it. The others come between:
        a page whose messages lie ready would have all of them followed first.
        """
        await asyncio.sleep(0)
        is_odd = not is_expected(message)
        if not is_odd:
            try:
                return await self._handlers[message.msgtype](message, connection)
            except Exception as error:
                is_odd = _is_of_reading(error.__traceback__)
                if not is_odd:
                    LOG.exception(
                        "A fault while a message was followed; its session goes on"
                    )
        if is_odd:
            self._say()
        # outside of `except`: in it the library would add the traceback
        return connection.error(message, LEFT_OUT if is_odd else FAULT)

    def _say(self) -> None:
        """Tell the log, without a word of what came."""
        self._said += 1
        if self._said <= MOST_SAID:
            tell(LEFT_OUT)


def is_expected(message: Message[Any]) -> bool:
    """Whether the front or the library's client sends such messages."""
    content = message.content
    if message.msgtype in QUESTIONS:
        return bool(content == {})
    events = content.get("events") if isinstance(content, dict) else None
    return (
        message.msgtype == "PATCH-DOC"
        and isinstance(events, list)
        and len(events) <= MOST_EVENTS
        and set(content) == {"events"}
        and all(_is_told(event) for event in events)
        and _is_plain(events)
    )


def _is_told(event: object) -> bool:
    """Whether it changes nothing by itself, but is something to hear of."""
    match event:
        case {
            "kind": "MessageSent",
            "msg_type": "bokeh_event",
            "msg_data": {"type": "event", "name": name, "values": values},
            **more,
        } if not more:
            return name in OF_DOCUMENT or (name == "data_event" and _is_move(values))
    return False


def _is_move(values: object) -> bool:
    match values:
        case {"type": "map", "entries": [["model", dict(model)], ["data", _]]}:
            return set(model) == {"id"}
    return False


def _is_plain(content: object) -> bool:
    """Whether there is no more in it than values, and not too deep to be read."""
    return all(
        level <= DEEPEST
        and (not isinstance(part, dict) or part.get("type", TYPES[0]) in TYPES)
        for part, level in parts_of(content)
    )


def _is_of_reading(traceback: TracebackType | None) -> bool:
    """Whether something failed while a message was read, before anything was done."""
    while traceback is not None:
        if traceback.tb_frame.f_code is Deserializer.deserialize.__code__:
            return True
        traceback = traceback.tb_next
    return False
