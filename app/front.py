"""The front as one Panel component: view state in, moves out."""

from functools import cache
from typing import ClassVar

import param
from panel.custom import JSComponent

from overlap_widget.app.bundles import bundle, script, stylesheet


@cache
def module() -> str:
    """The front and its driver for Panel as one module."""
    return f"{bundle('front')}\n{script('front/panel.js')}"


class Front(JSComponent):
    """Controls, text, tables and figures of one session, in the browser."""

    config = param.Dict({}, doc="What never changes: strings, controls, figures.")
    view = param.Dict({}, doc="Settings, numbers and transfers, whole each time.")
    figures = param.Dict({}, doc="Columns of the figures that are shown.")
    sweep = param.Dict({}, doc="All bucket sizes: their table and columns.")
    map = param.Dict({}, doc="The map: its table and columns.")
    ranks = param.Dict({}, doc="The ranks of the shown step: tables and columns.")
    upload = param.Dict({}, doc="The file that is being received; empty without.")
    seq = param.Integer(0, doc="The last move that the view answers.")

    _esm = module()
    _stylesheets: ClassVar[list[str]] = [stylesheet()]

    def hand_over(self, name: str, text: str) -> None:
        """Have the browser save a file; nothing of it stays in the session."""
        self._send_msg({"file": {"name": name, "text": text}})
