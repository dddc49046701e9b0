"""`overlap serve`: the app on this machine, with traces opened by their paths."""

import argparse
import errno
import os
import socket
import sys
from collections.abc import Callable

from bokeh.server.server import Server

from overlap_widget.app.class_options import add_class_arguments, classes_of
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.measuring import recordings
from overlap_widget.app.option_readers import whole_number
from overlap_widget.app.page import page
from overlap_widget.app.server import make_server

SUMMARY = "open the widget in the browser, with traces if any are named"
DEFAULT_PORT, MOST_PORT = 5006, 65535
EVERYWHERE = ("0.0.0.0", "::")
"""Addresses that stand for all of this machine; no browser can open them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "traces", nargs="*", metavar="TRACE", help="a profiler's file, or a folder"
    )
    add_class_arguments(parser)
    parser.add_argument(
        "--port", type=whole_number, default=DEFAULT_PORT, help="0 takes any free one"
    )
    parser.add_argument(
        "--address", default="localhost", help="to listen on; localhost by default"
    )
    parser.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="HOST",
        help="another host[:port] whose pages may connect; may be repeated",
    )
    parser.add_argument(
        "--no-show", action="store_true", help="don't open a browser window"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C; ValueError in one sentence when that can't be."""
    if not 0 <= arguments.port <= MOST_PORT:
        raise ValueError(f"--port {arguments.port}: a port is 0 to {MOST_PORT}")
    opened = recordings(arguments.traces, classes_of(arguments))
    server = _server(arguments, lambda: page(opened))
    places = said_places(arguments.address, server.port)
    print(f"Overlap Explorer runs at {places} (Ctrl-C stops it)", flush=True)
    if not arguments.no_show and _has_screen():
        server.show("/")
    server.run_until_shutdown()
    return 0


def said_places(address: str, port: int | None) -> str:
    """Where it is reached: on all addresses by the name of this machine too."""
    if address not in EVERYWHERE:
        return f"http://{address}:{port}"
    name = socket.gethostname()
    return f"http://localhost:{port} and, for others, at http://{name}:{port}"


def _has_screen() -> bool:
    """Whether a browser window can open here; a Linux machine may have no screen."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform != "linux" or any(os.environ.get(name) for name in screens)


def _server(arguments: argparse.Namespace, make: Callable[[], Explorer]) -> Server:
    try:
        return make_server(
            make, arguments.port, arguments.address, arguments.allow_origin
        )
    except OSError as error:
        raise ValueError(_why_not(arguments, error)) from error


def _why_not(arguments: argparse.Namespace, error: OSError) -> str:
    """What keeps the server from listening, and what to do."""
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {arguments.port} is taken; choose another with --port, "
            "or --port 0 for any free one"
        )
    if error.errno == errno.EACCES:
        return f"port {arguments.port} needs more rights; choose one above 1023"
    return (
        f"can't listen on {arguments.address} ({error.strerror or error}); "
        "leave --address out to serve this machine alone"
    )
