"""The served app in a real browser: `open_page` fails a test whose page logs errors."""

import re
import subprocess
import sys
from contextlib import contextmanager

import pytest


@pytest.fixture(scope="session")
def serving():
    """`with serving(*arguments) as address`: `overlap serve` while the block lasts."""
    return serve


@contextmanager
def serve(*arguments):
    command = [sys.executable, "-m", "overlap_widget.app", "serve"]
    process = subprocess.Popen(
        [*command, *map(str, arguments), "--port", "0", "--no-show"],
        stdout=subprocess.PIPE,
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
