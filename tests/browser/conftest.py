"""The served app in a real browser: `open_page` fails a test whose page logs errors."""

import re
import subprocess
import sys
from contextlib import contextmanager
from tempfile import TemporaryFile

import pytest

from overlap_widget.app.page_messages import LEFT_OUT
from overlap_widget.app.page_socket import CLOSED


@pytest.fixture(scope="session")
def serving():
    """`with serving(*arguments) as address`: `overlap serve` while the block lasts."""
    return serve


@contextmanager
def serve(*arguments):
    """The address of a server; its log at the end: it followed all that pages sent."""
    command = [sys.executable, "-m", "overlap_widget.app", "serve"]
    with TemporaryFile("w+") as log:
        process = subprocess.Popen(
            [*command, *map(str, arguments), "--port", "0", "--no-show"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            line = process.stdout.readline()
            assert line, "overlap serve ended before it printed its address"
            yield re.search(r"http://\S+", line)[0]
        finally:
            process.terminate()
            process.wait(timeout=10)
            process.stdout.close()
        log.seek(0)
        logged = log.read()
        assert LEFT_OUT not in logged, logged
        assert CLOSED not in logged, logged
        assert "Traceback" not in logged, logged


@pytest.fixture(scope="session")
def served():
    """The address of `overlap serve`, without traces."""
    with serve() as address:
        yield address


@pytest.fixture
def open_page(pages, until_live):
    """Open an address in a new page: `open_page(address, width=320, ...)`."""

    def open_it(address, width=1280, height=800, **options):
        page = take(width, height, "served", **options)
        page.goto(address)
        until_live(page)
        page.get_by_role("heading", level=1).wait_for()
        return page

    with pages.lend() as take:
        yield open_it
