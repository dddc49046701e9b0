"""What the server answers to who asks for headers alone, and what caches may keep."""

from types import SimpleNamespace

import pytest

ASKING = """
import http.client
from overlap_widget.app.assets import assets

def ask(port, method, path, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    return [answer.status, answer.getheaders(), len(body)]

def asked(port):
    paths = ["/", "/room", "/" + next(iter(assets()))]
    packed = {"Accept-Encoding": "gzip"}
    ways = [(path, kind) for path in paths for kind in ({}, packed)]
    return {
        method: [ask(port, method, path, **kind) for path, kind in ways]
        for method in ("GET", "HEAD")
    }
"""
WAYS = ["page", "packed page", "room", "packed room", "file", "packed file"]
OWN = ("date", "etag", "content-length")
"""Headers that differ between two answers with the page, which has a token."""


@pytest.fixture(scope="module")
def met(ask_server):
    """The answers to both methods, and how many sessions there are after them."""
    return ask_server(ASKING)


def answer(met, method, way):
    status, pairs, size_bytes = met["told"][method][WAYS.index(way)]
    headers = [(name.lower(), value) for name, value in pairs]
    return SimpleNamespace(status=status, headers=headers, size_bytes=size_bytes)


@pytest.mark.parametrize("way", WAYS)
def test_who_asks_for_headers_gets_those_of_the_page_without_it(met, way):
    whole, head = (answer(met, method, way) for method in ("GET", "HEAD"))
    left_out = OWN if "page" in way else OWN[:1]

    assert head.status == whole.status == 200
    assert head.size_bytes == 0 < whole.size_bytes
    assert [pair for pair in head.headers if pair[0] not in left_out] == [
        pair for pair in whole.headers if pair[0] not in left_out
    ]


def test_asking_makes_no_session(met):
    assert met["sessions"] == 0


@pytest.mark.parametrize("way", WAYS)
def test_caches_hear_once_that_answers_differ_by_how_they_are_packed(met, way):
    headers = answer(met, "GET", way).headers

    assert [value for name, value in headers if name == "vary"] == ["Accept-Encoding"]
