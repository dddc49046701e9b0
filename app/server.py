"""The server behind `overlap serve`: the live page, and who may connect to it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import panel as pn
from bokeh.application.handlers.function import FunctionHandler
from bokeh.document import Document
from bokeh.server.server import Server
from panel.io.application import Application
from panel.io.state import set_curdoc
from tornado.web import ErrorHandler

from overlap_widget.app import room
from overlap_widget.app.accepting import LIMITS, accept_with_pauses, allow_files
from overlap_widget.app.answer_headers import add_headers
from overlap_widget.app.assets import Asset, assets, pack
from overlap_widget.app.beside import beside
from overlap_widget.app.closed_pages import leave_unsaid
from overlap_widget.app.first_page import first_pages
from overlap_widget.app.handlers import File, FirstPage
from overlap_widget.app.page import page, read_long_numbers
from overlap_widget.app.page_socket import LINGER_MS, TOKEN_S, PageSocket
from overlap_widget.app.request_log import shorten_lines
from overlap_widget.app.strict_socket import use_sockets
from overlap_widget.app.wire_limits import MOST_FRAME_BYTES, limit_messages
from overlap_widget.model.recording import Recording

Rule = tuple[str, type, dict[str, Any]]


def make_server(
    recordings: Sequence[Recording], port: int, address: str, allowed: Sequence[str]
) -> Server:
    """A server that listens but doesn't serve yet; OSError where it can't listen.

    `recordings` are open in each session, `allowed` are further hosts as of `origins`.
    """
    _set_up_process()
    server = pn.io.server.get_server(
        {"/": _application(recordings)},
        port=port,
        address=address,
        websocket_origin=origins(port, address, allowed),
        websocket_max_message_size=MOST_FRAME_BYTES,
        http_server_kwargs=LIMITS,
        unused_session_lifetime_milliseconds=LINGER_MS,
        session_token_expiration=TOKEN_S,
        compress_response=True,
        show=False,
        start=False,
    )
    accept_with_pauses(server)
    assets()  # at once: a page names them by what is in them
    server._tornado.add_handlers(".*", _handlers(recordings))
    add_headers(server, allowed, framed_by_all=[f"/{room.ADDRESS}"])
    return server


def _set_up_process() -> None:
    """What the libraries keep for all servers of a process."""
    read_long_numbers()
    leave_unsaid()
    shorten_lines()
    allow_files()
    limit_messages()
    use_sockets(PageSocket)
    pn.config.browser_info = False  # nothing asks for it


def _application(recordings: Sequence[Recording]) -> Any:
    return Application(FunctionHandler(partial(session, recordings)))


def session(recordings: Sequence[Recording], document: Document) -> None:
    """Fill a session's document with what its page, which is there, doesn't have."""
    with set_curdoc(document):
        page(recordings, document).__panel__().server_doc(document, location=False)
    for root in document.roots:
        root.update(stylesheets=[])  # the library's are for its own controls


def _handlers(recordings: Sequence[Recording]) -> list[Rule]:
    """What goes before the library's own answers.

    Its `autoload.js` would make a session for any page of anybody's; ours needs none.
    On a path with a NUL, which no file has, its handlers of files fail.
    """
    return [
        (r".*(?:%00|\0).*", ErrorHandler, {"status_code": 404}),
        (r"/autoload\.js", ErrorHandler, {"status_code": 404}),
        (r"/", FirstPage, {"page": first_pages(recordings)}),
        (r"/(assets/.+)", File, {}),
        (f"/{room.ADDRESS}", room.Room, {"page": beside(partial(_packed, recordings))}),
    ]


def _packed(recordings: Sequence[Recording]) -> Asset:
    """The page of the room, once the files of the others are packed."""
    pack()
    return room.room_page(recordings)


def origins(port: int, address: str, allowed: Sequence[str]) -> list[str]:
    """This machine and the named hosts on our port, and the named ones as they stand.

    A host without a port is then allowed on the port of http or https, behind which
    another server may stand, and on our own.
    """
    named = list(allowed)
    hosts = {"localhost", "127.0.0.1", *([] if ":" in address else [address])}
    hosts.update(host for host in named if ":" not in host)
    return [*(f"{host}:{port}" for host in sorted(hosts)), *named]
