"""`panel serve app`: which pages its websocket lets in."""

import importlib
from types import SimpleNamespace

import pytest
from bokeh.server import urls
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine
from tornado.web import Application, HTTPError

from overlap_widget.app import app_hooks
from overlap_widget.app.strict_socket import StrictSocket

OURS = "localhost:5006"


@pytest.fixture
def connect(in_a_loop):
    """Ask for a socket under a host, from a page of an origin."""

    def ask(host, origin):
        application = Application()
        application.websocket_origins = {OURS}
        application.auth_provider = SimpleNamespace(
            get_user_async=None, get_user=lambda _handler: "anyone"
        )
        headers = HTTPHeaders({"Host": host} | ({"Origin": origin} if origin else {}))
        request = HTTPServerRequest(
            start_line=RequestStartLine("GET", "/ws", "HTTP/1.1"),
            headers=headers,
            connection=SimpleNamespace(set_close_callback=lambda _callback: None),
        )
        handler = StrictSocket(
            application, request, application_context=None, bokeh_websocket_path=""
        )
        in_a_loop(handler.prepare())

    return ask


def test_a_page_of_the_server_gets_one_and_so_does_what_is_no_browser(connect):
    connect(OURS, f"http://{OURS}")
    connect(OURS, None)


@pytest.mark.parametrize("host", [OURS, "evil.example:5006"])
def test_a_page_of_another_gets_none_even_if_its_name_leads_here(connect, host):
    with pytest.raises(HTTPError, match="403"):
        connect(host, "http://evil.example:5006")


def test_the_hooks_of_the_app_have_it_used():
    plain = [("/ws", None), ("/metadata", dict)]
    before = urls.per_app_patterns[:]
    try:
        urls.per_app_patterns[:] = plain
        importlib.reload(app_hooks)
        assert urls.per_app_patterns == [("/ws", StrictSocket), ("/metadata", dict)]
    finally:
        urls.per_app_patterns[:] = before
