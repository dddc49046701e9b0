"""The page that our server sends before there is a session."""

import gzip
import json
import re
from pathlib import Path

import pytest

from overlap_widget.app import assets, first_page
from overlap_widget.app.first_page import first_pages
from overlap_widget.app.measured import example
from overlap_widget.app.start import start

MOST_BYTES = 900 * 1024
MOST_REQUESTS = 15


@pytest.fixture(scope="module")
def page_of():
    """The page of an address, of a server without recordings."""
    pages = first_pages(())
    return lambda query="", token="t0ken": pages(query, token)


def beginning(page):
    """What the page's own script starts with."""
    return json.loads(re.search(r'id="overlap-start">(.*?)</script>', page, re.S)[1])


def test_the_picture_is_in_the_page_with_the_numbers_of_its_address(page_of):
    """Four layers a bucket leave 14.3 ms, one alone 4.33 ms: see the model's tests."""
    assert "14.3\N{NO-BREAK SPACE}ms" in page_of()
    assert "4.33\N{NO-BREAK SPACE}ms" in page_of("bucket=1")


def test_each_page_has_a_token_of_its_own_and_all_else_alike(page_of):
    one, other = page_of(token="one"), page_of(token="other")

    assert beginning(one)["item"]["token"] == "one"
    assert one.replace('"one"', '"other"') == other


def test_what_an_address_says_never_ends_up_in_the_page(page_of):
    page = page_of("scenario=</script><script>alert(1)</script>&lang=<b>&x={token}")

    assert "alert(1)" not in page
    assert page == page_of()


def test_a_picture_that_cannot_be_drawn_leaves_the_page_that_says_so(monkeypatch):
    def drawn(settings, *_, **__):
        if settings.bucket == 1:
            raise RuntimeError("a fault of ours")
        return "a picture"

    monkeypatch.setattr(first_page, "snapshot", drawn)
    pages = first_pages(())

    assert "a picture" in pages("bucket=1", "t0ken")


def test_a_page_speaks_the_language_of_its_address(page_of):
    assert '<html lang="en" dir="ltr">' in page_of()
    assert '<html lang="es" dir="ltr">' in page_of("lang=es")


def test_a_page_with_recordings_starts_with_their_picture():
    pages = first_pages([example()])

    assert "7.05\N{NO-BREAK SPACE}ms" in pages("", "t0ken")
    assert "14.3\N{NO-BREAK SPACE}ms" in pages("mode=explore", "t0ken")


@pytest.mark.parametrize(
    ("query", "mode"), [("", "measured"), ("mode=explore", "explore")]
)
def test_recordings_are_shown_unless_the_address_names_a_mode(query, mode):
    assert start(query, [example()]).settings.mode == mode
    assert start(query).settings.mode == "explore"


def test_the_first_page_and_its_files_are_light(page_of):
    """As they are sent; the socket's 25 kB come on top."""
    page = gzip.compress(page_of().encode())
    files = assets.assets().values()

    assert len(page) + sum(len(one.packed) for one in files) <= MOST_BYTES
    assert 1 + len(files) <= MOST_REQUESTS


def test_the_page_names_files_by_what_is_in_them(page_of):
    named = re.findall(r'"(assets/[^"]+)"', page_of())

    assert set(named) == set(assets.assets())
    for address, one in assets.assets().items():
        assert gzip.decompress(one.packed) == one.content
        assert one.digest in address


def test_scripts_of_the_libraries_come_as_they_lie_on_the_disk_in_their_order():
    names = [one.name for one in assets.libraries()]

    assert [name for name in names if name.startswith(("bokeh", "panel"))] == [
        "bokeh.min.js",
        "bokeh-widgets.min.js",
        "bokeh-tables.min.js",
        "panel.min.js",
    ]
    for one in assets.libraries():
        (path,) = [
            path
            for folder in assets.FOLDERS.values()
            for path in Path(folder).rglob(one.name)
            if path.parent.name in ("js", "dist")
        ]
        assert path.read_bytes() == one.content
