"""The pictures of the docs are what the widget draws for the address in their title."""

import re
from pathlib import Path

import pytest

from overlap_widget.app.address import read_address
from overlap_widget.app.picture_file import picture_file

DOCS = Path(__file__).parents[2] / "docs"
PICTURE = re.compile(r'!\[[^\]]*\]\((\S+\.svg) "\?([^"]+)"\)')


def drawings():
    for page in sorted(DOCS.glob("*.md")):
        for name, query in PICTURE.findall(page.read_text()):
            yield pytest.param(page.parent / name, query, id=name)


@pytest.mark.parametrize(("path", "query"), [*drawings()])
def test_a_picture_is_what_the_widget_draws_now(path, query):
    """Where it isn't: delete it, run this again, and look at what is written."""
    settings, notices = read_address(query)
    drawn = picture_file(settings)
    if not path.exists():
        path.write_text(drawn)
        pytest.fail(f"{path.name} is new: look at it")

    assert notices == ()
    assert path.read_text() == drawn


def test_every_picture_of_the_docs_is_shown():
    shown = {
        name
        for page in DOCS.glob("*.md")
        for name, _ in PICTURE.findall(page.read_text())
    }

    assert {path.name for path in DOCS.glob("*.svg")} == shown
