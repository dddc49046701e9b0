"""The front as one Panel component: view state in, moves out.

The view state has parts, each replaced as a whole:

- `view`: settings, numbers and transfers
- `figures`: columns of the figures that are shown
- `sweep`, `map`: all bucket sizes, and the map: their tables and columns
- `ranks`: those of the shown step: tables and columns
- `upload`: the file that is being received; empty without
- `seq`: the last move that the others answer
"""

import json
from collections.abc import Mapping
from functools import cache
from secrets import token_hex
from typing import Any, ClassVar

import param
from bokeh.document import Document
from bokeh.events import Event
from panel.custom import JSComponent
from panel.io.state import set_curdoc, state
from panel.models.esm import DataEvent, ESMEvent

from overlap_widget.app.bundles import bundle, inner, script, stylesheet
from overlap_widget.app.front_config import config
from overlap_widget.app.settings import FAULT
from overlap_widget.app.view_state import as_told

CONNECTED = ("held_moves", "kept_page", "connection", "line")
"""What the driver needs to come back after a lost connection."""

ALL_AGAIN = {"type": "show"}
"""What a page asks for that missed some of what was shown."""


@cache
def module() -> str:
    """The front and its driver for Panel as one module."""
    connected = inner(*(f"served/{name}.js" for name in CONNECTED))
    return f"{bundle('front')}\n{connected}\n{script('front/panel.js')}"


class Front(JSComponent):
    """Controls, text, tables and figures of one session, in the browser."""

    config = param.Dict({}, doc="What never changes: strings, controls, figures.")
    start = param.String("", doc="What is shown first: all parts as JSON.")
    session = param.String("", doc="Tells this session from any other.")

    _esm = module()
    _stylesheets: ClassVar[list[str]] = [stylesheet()]

    def __init__(self, **params: Any) -> None:
        super().__init__(session=token_hex(8), **params)
        self.parts: dict[str, Any] = {"seq": 0}

    def tell(self, parts: Mapping[str, Any]) -> None:
        """Have the page show these parts: what changed goes there as one message."""
        changed = {key: part for key, part in parts.items() if self._is_new(key, part)}
        text = _packed(changed)  # before anything changes: it may fail
        self.parts |= changed
        if changed:
            self._send_msg({"parts": text})

    def _is_new(self, key: str, part: object) -> bool:
        """Whether a part isn't the shown one; many are kept, as the same object."""
        shown = self.parts.get(key)
        return part is not shown and part != shown

    def _get_properties(self, doc: Document | None) -> dict[str, Any]:
        """A page that comes starts with what is shown now."""
        properties: dict[str, Any] = super()._get_properties(doc)
        properties["data"].start = _packed(self.parts)
        return properties

    def _process_bokeh_event(self, doc: Document, event: Event) -> None:
        """Without a busy sign, which no page of ours has and which takes its time."""
        with set_curdoc(doc):
            self._process_event(event)

    def _process_event(self, event: Event) -> None:
        """Messages at once, in the turn that they came in."""
        if not isinstance(event, DataEvent):
            super()._process_event(event)
            return
        if event.data == ALL_AGAIN:
            self._send_msg({"parts": _packed(self.parts)})
            return
        for callback in self._msg__callbacks:
            callback(event)

    def _send_msg(self, data: Any) -> None:
        """In a turn of the session with what else changes in it, and in order.

        Panel would write past the session's lock, and loses one message in a hundred
        that comes while another is being written.
        """
        document = state.curdoc
        shown = [ref for ref in self._models if ref in state._views]
        is_here = all(state._views[ref][2] is document for ref in shown)
        if document is None or not is_here or not _has_turn(document):
            super()._send_msg(data)
            return
        for ref in shown:
            event = ESMEvent(model=self._models[ref][0], data=data)
            document.callbacks.send_event(event)

    def hand_over(self, name: str, text: str) -> None:
        """Have the browser save a file; nothing of it stays in the session."""
        self._send_msg({"file": {"name": name, "text": text}})

    def tell_fault(self, seq: int, upload: dict[str, Any]) -> None:
        """Say that a move failed inside, beside all that was shown before it."""
        view = {**self.parts["view"], "notices": as_told([FAULT])}
        self.tell({"view": view, "seq": seq, "upload": upload})


def _has_turn(document: Document) -> bool:
    """Whether the lock of its session is held, so that all that changes is sent."""
    session = getattr(document.session_context, "session", None)
    return getattr(session, "_pending_writes", None) is not None


def _packed(parts: Mapping[str, Any]) -> str:
    """One text: what is in it the library would take to pieces and compare."""
    return json.dumps(parts, separators=(",", ":"), allow_nan=False)


class LinkedFront(Front):
    """The front for pages of our own server, which have its code, words and styles."""

    _esm = script("served/linked.js")
    _stylesheets: ClassVar[list[str]] = []


def whole_front() -> Front:
    """A front that brings all it needs along, for any page and notebook."""
    return Front(config=config(), sizing_mode="stretch_width")


def linked_front() -> Front:
    """A front whose page has asked for all that never changes."""
    return LinkedFront(sizing_mode="stretch_width")
