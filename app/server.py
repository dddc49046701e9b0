"""The server behind `overlap serve`: the live page, and who may connect to it."""

from collections.abc import Callable, Iterable

import panel as pn
from bokeh.server.server import Server

from overlap_widget.app.closed_pages import leave_unsaid
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.page import read_long_numbers
from overlap_widget.app.words import words


def make_server(
    make: Callable[[], Explorer], port: int, address: str, allowed: Iterable[str]
) -> Server:
    """A server that listens but doesn't serve yet; OSError where it can't listen.

    `make` is called for each session, `allowed` are further hosts as of `origins`.
    """
    read_long_numbers()
    leave_unsaid()
    return pn.io.server.get_server(
        {"/": make},
        port=port,
        address=address,
        websocket_origin=origins(port, address, allowed),
        title=words("title"),
        compress_response=True,
        show=False,
        start=False,
    )


def origins(port: int, address: str, allowed: Iterable[str]) -> list[str]:
    """This machine and the named hosts on our port, and the named ones as they stand.

    A host without a port is then allowed on the port of http or https, behind which
    another server may stand, and on our own.
    """
    named = list(allowed)
    hosts = {"localhost", "127.0.0.1", address}
    hosts.update(host for host in named if ":" not in host)
    return [*(f"{host}:{port}" for host in sorted(hosts)), *named]
