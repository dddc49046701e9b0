"""Each address of the widget in the docs is read as it stands, without a notice."""

import re
from pathlib import Path

import pytest

from overlap_widget.app.address import read_address

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
ADDRESS = re.compile(
    r"""(?:
        `\?                            # in a code span, a link in the site
        | "\?                          # in the title of a picture
        | (?:[\w./-]+\.html|5006/)[#?] # of a page, or of a server
        | `\#
    )([a-z_]+=[^\s`"')]+)""",
    re.X,
)


def addresses():
    for page in PAGES:
        for text in ADDRESS.findall(page.read_text("utf-8")):
            yield pytest.param(text.replace("&amp;", "&"), id=f"{page.name}: {text}")


def test_the_pages_have_addresses():
    assert len([*addresses()]) > 100


@pytest.mark.parametrize("address", [*addresses()])
def test_an_address_of_the_docs_is_read_as_it_stands(address):
    settings, notices = read_address(address)
    assert notices == ()
    assert settings
