"""Exported pages in a real browser: an error of any of their frames fails the test."""

import functools
import http.server
import threading

import pytest

from overlap_widget.app.cli import main


@pytest.fixture(scope="session")
def export(tmp_path_factory):
    """`export(*options)` writes a page as the command does; the same options once."""

    @functools.cache
    def write(*options):
        path = tmp_path_factory.mktemp("export") / "page.html"
        assert main(["export", str(path), *options]) == 0
        return path

    return write


@pytest.fixture(scope="session")
def page_file(export):
    """The page of the course, as it is exported without options."""
    return export()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A folder and the address that serves it: `site.folder`, `site.address`."""
    folder = tmp_path_factory.mktemp("site")
    handler = functools.partial(_Quiet, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield _Site(folder, f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    server.server_close()


class _Site:
    def __init__(self, folder, address):
        self.folder, self.address = folder, address


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        """Another test may write another page under the same name."""
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_):
        """Keep the terminal for the tests."""


@pytest.fixture
def open_page(pages, until_live):
    """Open an address or a file, watched: `open_page(path, at="#...", width=320)`.

    `page.asked` lists every request. With a content `policy` the file is served, and
    may complain of that; `may_complain` are parts of what else may. All other errors,
    of any frame, fail the test at its end. `own`: a page that nobody has next.
    """

    def open_it(where, at="", live=True, policy="", may_complain=(), **options):
        width, height = options.pop("width", 1280), options.pop("height", 900)
        options["own"] = options.get("own") or bool(policy)
        page = take(width, height, "exported", prepare=_list_requests, **options)
        page.asked = []
        page.known = [*may_complain, *(["Content Security Policy"] if policy else [])]
        address = where if isinstance(where, str) else where.as_uri()
        if policy:
            body = where.read_bytes()
            headers = {"content-type": "text/html", "content-security-policy": policy}
            address = "http://policy.test/"
            page.route("**/*", lambda route: route.fulfill(body=body, headers=headers))
        page.goto(address + at)
        if live:
            until_live(page)
        return page

    with pages.lend() as take:
        yield open_it


def _list_requests(page):
    page.on("request", lambda request: page.asked.append(request.url))
