"""Requests that come in under a host which isn't allowed, or from another's page.

They are refused before anything else sees them: a page of another that a browser has
open, or a name of another that leads here, must not reach a session or a recording.
"""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from bokeh.server.server import Server
from tornado.httputil import HTTPServerRequest
from tornado.routing import Matcher, Rule
from tornado.web import RequestHandler

from overlap_widget.app.allowed_hosts import is_allowed, plain_host
from overlap_widget.app.standard_streams import tell

MOST_SAID = 20
"""Hosts that the log names: it must not grow by whatever knocks."""
HERE = ("localhost", 0)
"""For a connection without a number, as those of files are."""


class Unwelcome(Matcher):
    """What a request is refused for: `host`, as the option wants it; no match if none.

    Without `Host` and `Origin` it comes from no browser.
    """

    def __init__(self, allowed: set[str]) -> None:
        self.allowed = allowed

    def match(self, request: HTTPServerRequest) -> dict[str, Any] | None:
        """Whether, and for which header."""
        own = _own_number(request)
        for header in ("Host", "Origin"):
            came = request.headers.get(header)
            if came is not None and not is_allowed(came, self.allowed, own):
                return {"path_kwargs": {"header": header, "came": came}}
        self.allowed.update(_as_bokeh_asks(request.headers.get("Origin")))
        return None


class Refusal(RequestHandler):
    """Says what was refused, and the option that allows it."""

    def initialize(self, said: set[str]) -> None:
        """`said` are the hosts that the log has already."""
        self.said = said

    def prepare(self) -> None:
        """Answer whatever was asked for, by whichever method."""
        header, came = self.path_kwargs["header"], self.path_kwargs["came"]
        host = plain_host(came) or "HOST"
        where = f"at {host}" if header == "Host" else f"to pages of {host}"
        if host not in self.said and len(self.said) < MOST_SAID:
            self.said.add(host)
            tell(f"refused to answer {where}; if it is yours: --allow-origin {host}")
        self.set_status(HTTPStatus.FORBIDDEN)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.finish(
            f"Overlap Explorer doesn't answer {where}. Whoever started it can allow "
            f"that: overlap serve --allow-origin {host}\n"
        )

    def _log(self) -> None:
        """No second line in the log."""


def refuse_unwelcome(server: Server, allowed: Iterable[str]) -> None:
    """Put the refusal before all that the server answers, and allow these hosts alone.

    They take the place of those that the server was made with.
    """
    application = server._tornado
    application.websocket_origins.clear()
    application.websocket_origins.update(allowed)
    matcher = Unwelcome(application.websocket_origins)
    rule = Rule(matcher, Refusal, {"said": set()})
    application.default_router.rules.insert(0, rule)


def _as_bokeh_asks(origin: str | None) -> set[str]:
    """An allowed origin as the library looks it up, which asks once more by itself."""
    host = plain_host(origin or "")
    return {host if ":" in host else f"{host}:80"} if host else set()


def _own_number(request: HTTPServerRequest) -> tuple[str, int]:
    """Where the connection came in: the address and the port."""
    stream = getattr(request.connection, "stream", None)
    place = stream.socket.getsockname() if stream and stream.socket else HERE
    return (place[0], place[1]) if isinstance(place, tuple) else HERE
