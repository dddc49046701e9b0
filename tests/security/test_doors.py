"""Who is let in: pages of this machine's own, with what the server gave them."""

import argparse
import base64
import json
import math
import re
import socket

import pytest
from tornado.httpclient import HTTPClientError

from overlap_widget.app.commands import serve

FOREIGN = [
    "https://{host}.evil.example",
    "http://evil.example",
    "http://evil.example:{port}",
    "http://localhost.evil.example:{port}",
    "http://127.0.0.1.evil.example:{port}",
    "http://127.0.0.1:{port}.evil.example",
    "http://evil.example#127.0.0.1:{port}",
    "http://{host}@evil.example",
    "http://127.0.0.1",
    "http://127.0.0.1:1{port}",
    "http://127.0.0.2:{port}",
    "http://[::1]:{port}",
    "null",
    "file://",
    "",
    "*",
]


def test_without_an_address_this_machine_alone_is_served():
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    arguments = parser.parse_args([])

    assert arguments.address == "localhost"
    assert arguments.allow_origin == []


def test_another_address_of_this_machine_does_not_answer(served):
    _, port = served.host.split(":")
    with socket.socket() as other, pytest.raises(ConnectionRefusedError):
        other.connect(("127.0.0.2", int(port)))


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_anybody_else_gets_no_websocket(served, socket_of, origin):
    _, port = served.host.split(":")
    origin = origin.format(host=served.host, port=port)

    with pytest.raises(HTTPClientError) as refused:
        socket_of("token", Origin=origin)
    assert refused.value.code == 403


def test_a_page_of_our_own_gets_one(served, socket_of):
    _, port = served.host.split(":")
    for origin in (served.address, f"http://localhost:{port}"):
        assert socket_of(served.token(), Origin=origin)


@pytest.mark.parametrize("token", ["", "garbage", "eyJ9.x", "e30", "bokeh"])
def test_a_websocket_without_a_token_of_ours_shows_no_session(closed, token):
    assert closed(token)


@pytest.mark.parametrize(
    "payload",
    [
        {"session_id": 5, "session_expiry": 99_999_999_999},
        {"session_id": ["a"], "session_expiry": 99_999_999_999},
        {"session_id": "", "session_expiry": 99_999_999_999},
        {"session_id": "a", "session_expiry": math.nan},
        {"session_id": "a", "session_expiry": math.inf},
        {"session_id": "a", "session_expiry": None},
        {"session_id": "a", "session_expiry": 1},
        {"session_id": "a"},
        [],
    ],
)
def test_a_forged_token_that_names_no_session_or_end_is_closed(closed, payload):
    text = json.dumps(payload).encode()
    assert closed(base64.urlsafe_b64encode(text).decode().rstrip("="))


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "localhost.evil.example:{port}", "[::1]"],
)
def test_a_name_of_others_that_leads_here_gets_no_page(served, host):
    _, port = served.host.split(":")
    answer = served.fetch("/?mode=measured", Host=host.format(port=port))

    assert answer.code == 403
    assert b"--allow-origin" in answer.body
    assert b"<" not in answer.body


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/static/../../../../etc/passwd",
        "/static/js/..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc/passwd",
        "/static/extensions/panel/..%2f..%2fio/server.py",
        "/assets/..%2f..%2fapp%2fcli.py",
        "/assets//etc/passwd",
        "/components/overlap_widget.app.front/Front/_esm/etc/passwd",
        "/components/overlap_widget.app.cli/main/_css/cli.py",
        "/%00",
        "/static/js/%00",
        "/static/extensions/panel/%00",
        "/..%00/",
    ],
)
def test_no_address_leads_to_a_file_of_the_machine(served, path):
    answer = served.fetch(path)

    assert 400 <= answer.code < 500
    assert b"root:" not in answer.body
    assert b"import " not in answer.body


@pytest.mark.parametrize("path", ["/", "/metadata", "/no-such-page", "/favicon.ico"])
def test_every_answer_keeps_other_pages_from_framing_and_guessing(served, path):
    headers = served.fetch(path).headers

    assert headers["Content-Security-Policy"].startswith("frame-ancestors 'self';")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_nobody_can_choose_the_session_that_another_one_gets(served):
    chosen = "a" * 44
    asked = f"/?bokeh-session-id={chosen}&bokeh-token={served.token()}"
    answers = [served.fetch(asked), served.fetch("/", Bokeh_Session_Id=chosen)]

    for answer in answers:
        assert chosen not in session_id(answer.body.decode())


def session_id(page):
    """Of the token that a page gets; its first part is JSON in base64."""
    token = re.search(r'"token":\s*"([^"]+)"', page)[1].partition(".")[0]
    return base64.urlsafe_b64decode(token + "===").decode()


def test_no_script_of_ours_makes_sessions_for_other_pages(served):
    assert served.fetch("/autoload.js?bokeh-autoload-element=a").code == 404
