"""A socket that asks whose page connects, whatever name the page was opened under.

For `panel serve app`; `overlap serve` asks before anything else (`unwelcome.py`).
"""

from http import HTTPStatus

from bokeh.server.urls import per_app_patterns
from panel.io.server import WSHandler
from tornado.web import HTTPError


class StrictSocket(WSHandler):
    """Lets in what the server allows alone; Tornado lets in what names its own host.

    So may a name of another that is made to lead to this machine.
    """

    async def prepare(self) -> None:
        """Ask before the answer is made; HTTPError for a page of another."""
        origin = self.request.headers.get("Origin")
        if origin is not None and not self.check_origin(origin):
            raise HTTPError(HTTPStatus.FORBIDDEN)
        await super().prepare()


def use_sockets(handler: type[WSHandler]) -> None:
    """Have servers that are made in this process from now on answer pages by it."""
    per_app_patterns[:] = [
        ("/ws", handler) if one[0] == "/ws" else one for one in per_app_patterns
    ]
