"""`overlap serve`: the app on this machine, with traces opened by their paths."""

import argparse
import contextlib
import errno
import gc
import os
import socket
import sys
import webbrowser
from collections.abc import Sequence
from typing import cast

from bokeh.server.server import Server
from tornado.platform.asyncio import BaseAsyncIOLoop

from overlap_widget.app.allowed_hosts import named_host
from overlap_widget.app.class_options import add_class_arguments, classes_of
from overlap_widget.app.ending import run_until_ended, unwinding
from overlap_widget.app.measuring import recordings
from overlap_widget.app.option_readers import whole_number
from overlap_widget.app.own_names import EVERYWHERE, own_names, own_number
from overlap_widget.app.room import ADDRESS
from overlap_widget.app.server import make_server, origins
from overlap_widget.app.standard_streams import leave_stdout
from overlap_widget.app.unwelcome import refuse_unwelcome
from overlap_widget.model.recording import Recording

SUMMARY = "open the widget in the browser, with traces if any are named"
DEFAULT_PORT, MOST_PORT = 5006, 65535
ALONE = ("localhost", "127.0.0.1", "::1")
"""Addresses that only this machine reaches."""
NO_BROWSER = "No browser could be opened here; open that address by hand."


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
        type=_host,
        metavar="HOST",
        help="another host[:port] that the page may be opened under, or whose pages "
        "may connect; may be repeated",
    )
    parser.add_argument(
        "--no-show", action="store_true", help="don't open a browser window"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C; ValueError in one sentence when that can't be.

    To be ended is what a server is for: it has gone well, and the exit code is 0.
    """
    if not 0 <= arguments.port <= MOST_PORT:
        raise ValueError(f"--port {arguments.port}: a port is 0 to {MOST_PORT}")
    if not arguments.address:
        raise ValueError("--address is empty; leave it out to serve this machine alone")
    with unwinding() as heard:
        opened = recordings(arguments.traces, classes_of(arguments))
        server = _server(arguments, opened)
        port = server.port or arguments.port
        names = [] if arguments.address in ALONE else own_names()
        allowed = [*names, *arguments.allow_origin]
        refuse_unwelcome(server, origins(port, arguments.address, allowed))
        say(*_beginning(arguments.address, port, names))
        if not arguments.no_show and not show(arguments.address, port):
            say(NO_BROWSER)
        server.start()
        run_until_ended(server.io_loop.start, lambda: _stop(server), heard)
        server.stop()
        say("Overlap Explorer has stopped.")
        gc.freeze()  # else the end of Python looks through all of it, for a second
    return 0


def _stop(server: Server) -> None:
    """Have its loop end soon, also from a signal's handler."""
    loop = cast(BaseAsyncIOLoop, server.io_loop)
    loop.asyncio_loop.call_soon_threadsafe(loop.stop)


def said_places(address: str, port: int) -> str:
    """Where it is reached: on all addresses by the name of this machine too."""
    if address not in EVERYWHERE:
        return _url(address, port)
    name = socket.gethostname()
    return f"http://localhost:{port} and, for others, at http://{name}:{port}"


def _beginning(address: str, port: int, names: Sequence[str]) -> list[str]:
    """What is said once it listens: where, and under which other names."""
    number = own_number() if names and address == "0.0.0.0" else None
    places = [*names, number] if number else names
    of_others = number or (names[0] if address in EVERYWHERE else address)
    return [
        f"Overlap Explorer runs at {said_places(address, port)} (Ctrl-C stops it)",
        *([f"It answers under the names {', '.join(places)}"] if places else []),
        f"For a whole room, without a session each: {_url(of_others, port)}/{ADDRESS}",
        "Under another name, or behind another server: --allow-origin HOST",
    ]


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def say(*lines: str) -> None:
    """Print, in one piece; a reader that has left doesn't end the server."""
    try:
        print(*lines, sep="\n", flush=True)
    except OSError:
        with contextlib.suppress(OSError):
            leave_stdout()


def show(address: str, port: int) -> bool:
    """Open a browser window; False where none can be opened."""
    place = said_places("localhost" if address in EVERYWHERE else address, port)
    try:
        return _has_screen() and webbrowser.open(place)
    except webbrowser.Error:
        return False


def _has_screen() -> bool:
    """Whether a browser window can open here; a Linux machine may have no screen."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform != "linux" or any(os.environ.get(name) for name in screens)


def _host(text: str) -> str:
    try:
        return named_host(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from error


def _server(arguments: argparse.Namespace, opened: Sequence[Recording]) -> Server:
    try:
        if arguments.address == "localhost":
            _look_for_others(arguments.port)
        return make_server(
            opened, arguments.port, arguments.address, arguments.allow_origin
        )
    except OSError as error:
        raise ValueError(_why_not(arguments, error)) from error


def _look_for_others(port: int) -> None:
    """OSError if another program has the port at one of the numbers of localhost.

    A browser may try the one that we don't listen on.
    """
    for family, number in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            with socket.socket(family) as tried:
                if os.name != "nt":  # where it would mean to share the port
                    tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                tried.bind((number, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise


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
