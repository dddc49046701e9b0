"""What the server answers to who asks for headers alone, and what caches may keep."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

# In a process of its own: a server changes what the libraries do in its process.
ASKING = """
import http.client, json
from overlap_widget.app.assets import assets
from overlap_widget.app.server import make_server

server = make_server((), 0, "127.0.0.1", ())

def ask(method, path, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    return [answer.status, answer.getheaders(), len(body)]

def asked():
    paths = ["/", "/room", "/" + next(iter(assets()))]
    packed = {"Accept-Encoding": "gzip"}
    return {
        method: [ask(method, path, **kind) for path in paths for kind in ({}, packed)]
        for method in ("GET", "HEAD")
    }

async def look():
    told = await server.io_loop.run_in_executor(None, asked)
    print(json.dumps(told | {"sessions": len(server.get_sessions("/"))}))
    server.io_loop.stop()

server.start()
server.io_loop.add_callback(look)
server.io_loop.start()
"""
WAYS = ["page", "packed page", "room", "packed room", "file", "packed file"]
OWN = ("date", "etag", "content-length")
"""Headers that differ between two answers with the page, which has a token."""


@pytest.fixture(scope="module")
def told():
    """The answers to both methods, and how many sessions there are after them."""
    command = [sys.executable, "-c", ASKING]
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, timeout=120
    )
    return json.loads(done.stdout)


def answer(told, method, way):
    status, pairs, size_bytes = told[method][WAYS.index(way)]
    headers = [(name.lower(), value) for name, value in pairs]
    return SimpleNamespace(status=status, headers=headers, size_bytes=size_bytes)


@pytest.mark.parametrize("way", WAYS)
def test_who_asks_for_headers_gets_those_of_the_page_without_it(told, way):
    whole, head = (answer(told, method, way) for method in ("GET", "HEAD"))
    left_out = OWN if "page" in way else OWN[:1]

    assert head.status == whole.status == 200
    assert head.size_bytes == 0 < whole.size_bytes
    assert [pair for pair in head.headers if pair[0] not in left_out] == [
        pair for pair in whole.headers if pair[0] not in left_out
    ]


def test_asking_makes_no_session(told):
    assert told["sessions"] == 0


@pytest.mark.parametrize("way", WAYS)
def test_caches_hear_once_that_answers_differ_by_how_they_are_packed(told, way):
    headers = answer(told, "GET", way).headers

    assert [value for name, value in headers if name == "vary"] == ["Accept-Encoding"]
