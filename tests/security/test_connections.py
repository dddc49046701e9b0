"""Connections that ask for nothing, or for too much: the others hardly notice."""

import logging
import os
import socket
import time
from contextlib import ExitStack
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from overlap_widget.app import accepting
from overlap_widget.app.accepting import FULL_SAID, Door
from overlap_widget.app.request_log import MOST_TOLD, ShortLines

ROOM = 12
"""Files that the server may still open, and fewer than come."""


def test_more_connections_than_the_system_allows_are_told_once_and_harm_nobody(
    serving, tmp_path
):
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("only Linux limits another process")
    with serving(tmp_path) as served:
        visitor, number = served.visit(), served.process.pid
        most = len(os.listdir(f"/proc/{number}/fd")) + ROOM
        resource.prlimit(number, resource.RLIMIT_NOFILE, (most, most))
        place = urlsplit(served.address)
        with ExitStack() as silent:
            for _ in range(2 * ROOM):
                came = socket.create_connection((place.hostname, place.port))
                silent.enter_context(came)
            time.sleep(2.5 * accepting.PAUSE_S)
            assert 'bucket\\":3' in visitor.move(type="set", key="bucket", value=3)
        assert served.fetch().code == 200  # once they have gone
        served.process.terminate()
        log, _ = served.process.communicate(timeout=20)

    assert log.count(FULL_SAID) == 1
    assert "Traceback" not in log


def test_other_faults_of_a_door_are_not_hidden():
    def broken():
        raise OSError(9, "Bad file descriptor")

    loop = SimpleNamespace(add_handler=lambda *_: None, remove_handler=lambda _: None)
    door = Door(SimpleNamespace(accept=broken), lambda *_: None, loop)

    with pytest.raises(OSError, match="Bad file descriptor"):
        door._accept()


ASKING = """
import socket
from overlap_widget.app.accepting import LIMITS

LIMITS["idle_connection_timeout"] = 0.3
POST = b"POST / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nContent-Length: 99999\\r\\n\\r\\n"

def answer(port, sent):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as asking:
        asking.sendall(sent)
        return asking.recv(1000).partition(b"\\r\\n")[0].decode()

def asked(port):
    return [answer(port, sent) for sent in (b"", b"GET / HTTP/1.1\\r\\nHost: ", POST)]
"""


def test_who_says_nothing_or_too_much_is_sent_away(ask_server):
    assert ask_server(ASKING)["told"] == ["", "", "HTTP/1.1 400 Bad Request"]


@pytest.fixture
def told():
    """What the log has of requests for a path, with a level each."""

    def logged(levels, path):
        kept, lines = [], ShortLines()
        for level in levels:
            record = logging.LogRecord(
                "tornado.access", level, "", 0, "%d %s", (404, path), None
            )
            if lines.filter(record):
                kept.append(record.getMessage())
        return kept

    return logged


def test_a_path_of_a_stranger_is_one_short_line_of_the_log(told):
    (line,) = told([logging.WARNING], "/a\nb\x1b[2J\x9b" + 60_000 * "c")

    assert len(line) < 400
    assert line.isprintable()


def test_requests_without_end_do_not_fill_the_log_and_hide_no_fault(told):
    strange, fault = [logging.WARNING] * (2 * MOST_TOLD), [logging.ERROR]

    assert len(told(strange + fault, "/")) == MOST_TOLD + 1
