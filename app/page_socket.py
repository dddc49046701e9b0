"""The socket of a page: what its end says about the session behind it."""

import math
import time
from typing import Any, cast

from bokeh.protocol.message import Message
from bokeh.server.connection import ServerConnection
from bokeh.util.token import get_session_id, get_token_payload
from panel.io.server import WSHandler

from overlap_widget.app.page_messages import PageMessages
from overlap_widget.app.standard_streams import tell

LEFT = (1000, 1001)
"""Close codes of a page that was left or loaded anew."""
BROKEN = (1002, 1007, 1009)
"""Close codes for frames that no browser sends: wrong, no text, or too long."""
CLOSED = "closed the connection of a page"
"""How the sentence on a refused page begins in the log."""
LINGER_MS = 600_000
"""How long a session waits for a page that lost it: a laptop closed during a break."""
TOKEN_S = 7 * 86_400
"""How long a page may come back to its session, should that live so long."""


class PageSocket(WSHandler):
    """Of a session with one page: the newest one counts, and its end may be final."""

    _is_refused = False

    def open(self, *args: str, **kwargs: str) -> None:
        """Open, with each frame sent at once: three are a message, and none waits.

        Without a token that holds, as when it is too old, the page asks for a new one;
        the library would close too, and write a traceback for whatever knocks.
        """
        if self.selected_subprotocol != "bokeh" or not _holds(self._token or ""):
            self.close()
            return
        self.set_nodelay(True)
        self._messages = PageMessages()
        super().open(*args, **kwargs)

    async def _async_open(self, token: str) -> None:
        """Open, and end what the page had before: nobody may hear it at the other end.

        What is sent there would wait for ever, and the session with it.
        """
        await super()._async_open(token)
        if self.connection is not None:
            connections = self.connection.session._subscribed_connections
            for before in connections - {self.connection}:
                before._socket.close()
        if self.ws_connection is None:  # it went while the session was made
            self.on_close()

    async def on_message(self, fragment: str | bytes) -> None:
        """Take what a page sends once it has its session.

        Nothing after what can't be read, for which the socket is being closed.
        """
        if self.receiver is None:
            self._protocol_error("a message came before its session")
        elif not self._is_refused:
            await super().on_message(fragment)

    async def _handle(self, message: Message[Any]) -> Any:
        """Answer a message; the library's own tells too much, to it and to the log."""
        connection = cast(ServerConnection, self.connection)
        return await self._messages.handle(message, connection)

    def _protocol_error(self, message: str) -> None:
        """Close, and tell the log once why; `message` is a sentence of ours."""
        if not self._is_refused:
            self._is_refused = True
            tell(f"{CLOSED}: {message}")
            self.close(1008, message)

    def on_close(self) -> None:
        """Let a session go at once whose page was left, or was no page."""
        if self.connection is None or self.connection._session is None:
            return  # it went before there was a session, or after
        session = self.connection.session
        super().on_close()
        if self.close_code in (*LEFT, *BROKEN) or self._is_refused:
            session.request_expiration()


def _holds(token: str) -> bool:
    """Whether a token names a session and when it ends, and that is still to come."""
    try:
        payload, session = get_token_payload(token), get_session_id(token)
        expiry_s = float(payload["session_expiry"])
    except Exception:  # a stranger may send anything
        return False
    is_named = isinstance(session, str) and session != ""
    return is_named and math.isfinite(expiry_s) and time.time() < expiry_s
