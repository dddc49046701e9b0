"""Taking connections: as many as the system gives, and none that goes on for ever."""

import contextlib
import errno
import importlib
import socket
from collections.abc import Callable
from typing import Any

from bokeh.server.server import Server
from tornado.ioloop import IOLoop

from overlap_widget.app.standard_streams import tell

LIMITS = {
    "idle_connection_timeout": 75,  # s without a request: a proxy keeps its own for 60
    "body_timeout": 10,  # s
    "max_body_size": 2**16,  # nothing is posted here
}
"""Of connections that ask for pages; of websockets others hold."""
PAUSE_S = 1.0
MOST_AT_ONCE = 128
"""Connections that are taken in one turn."""
MOST_FILES = 65_536
FULL = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
FULL_SAID = (
    "there are as many connections and files as the system allows (`ulimit -n`); "
    "new visitors wait until some are closed"
)

Take = Callable[[socket.socket, Any], None]


def allow_files() -> None:
    """Let this process open as many files and connections as its owner may allow it."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        resource = importlib.import_module("resource")  # Windows has none
        now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if 0 <= now < MOST_FILES:
            wanted = min(most, MOST_FILES) if most > 0 else MOST_FILES  # or no limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, wanted), most))


def accept_with_pauses(server: Server) -> None:
    """Take connections in our way: the library's never stops to try, or to log that."""
    http = server._http
    for number, listening in http._sockets.items():
        http._handlers[number]()
        door = Door(listening, http._handle_connection, server.io_loop)
        http._handlers[number] = door.close


class Door:
    """Hands each connection of a listening socket to `take`, until it is closed."""

    def __init__(self, listening: socket.socket, take: Take, loop: IOLoop) -> None:
        self._listening, self._take, self._loop = listening, take, loop
        self._pause: object = None
        self._has_told = False
        self._open()

    def _open(self) -> None:
        self._pause = None
        self._loop.add_handler(self._listening, self._accept, IOLoop.READ)

    def _accept(self, *_event: object) -> None:
        for _ in range(MOST_AT_ONCE):
            try:
                came = self._listening.accept()
            except BlockingIOError:
                return
            except ConnectionAbortedError:
                continue
            except OSError as refused:
                if refused.errno not in FULL:
                    raise
                self._wait()
                return
            self._take(*came)

    def _wait(self) -> None:
        """Look again later; else the loop would, without end."""
        self._loop.remove_handler(self._listening)
        self._pause = self._loop.call_later(PAUSE_S, self._open)
        if not self._has_told:
            self._has_told = True
            tell(FULL_SAID)

    def close(self) -> None:
        """Take no more."""
        if self._pause is None:
            self._loop.remove_handler(self._listening)
        else:
            self._loop.remove_timeout(self._pause)
