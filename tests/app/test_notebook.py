"""The frame of a notebook: set up as an Explorer is, closed off from the notebook."""

import html
import re
from pathlib import Path

import pytest

from overlap_widget.app import Explorer, frame
from overlap_widget.app.embedded import embedded_page
from overlap_widget.app.settings import DEFAULT

EXAMPLE = Path(__file__).parents[2] / "static" / "example-trace.json.gz"


def attributes(shown):
    """The attributes of the frame's element, as a browser reads them."""
    (element,) = re.findall(r"^<iframe (.*)></iframe>$", shown._repr_html_(), re.S)
    return {
        name: html.unescape(text)
        for name, text in re.findall(r'(\S+)="(.*?)"', element, re.S)
    }


def test_a_frame_holds_the_page_that_an_export_writes():
    assert attributes(frame())["srcdoc"] == embedded_page(DEFAULT)


def test_a_frame_starts_as_its_query_says():
    start = re.search(r'"start":"(.*?)"', frame(query="bucket=2&overhead=200us").page)

    assert "bucket=2&" in start[1]
    assert "overhead=200us" in start[1]


@pytest.mark.parametrize("query", [None, "bucket=2", "mode=explore"])
def test_a_recording_is_shown_first_unless_the_query_says_a_mode(query):
    explorer = Explorer(EXAMPLE, query)
    start = re.search(r'"start":"(.*?)"', frame(EXAMPLE, query).page)

    assert f"mode={explorer.settings.mode}" in start[1]


def test_a_page_in_a_frame_runs_scripts_and_may_do_nothing_else():
    shown = attributes(frame(height_px=500))

    assert shown["sandbox"] == "allow-scripts"
    assert shown["height"] == "500"
    assert shown["title"]


def test_a_notebook_keeps_the_page_once_and_not_in_its_text():
    assert repr(frame()) == "Frame(height_px=720)"


@pytest.mark.parametrize("query", ["bucket=99", "scenario=none", "bukcet=2", "v=2"])
def test_a_query_that_cannot_be_shown_as_it_stands_is_refused(query):
    with pytest.raises(ValueError, match=re.escape(query)) as found:
        frame(query=query)

    assert "the nearest is" in str(found.value)


def test_a_page_made_where_panel_runs_holds_none_of_its_models():
    assert "FlexBox1" not in frame().page


@pytest.mark.parametrize("height", [0, -5, "100%", '1" onload="alert(1)', None, 1.5])
def test_a_height_that_is_no_number_of_pixels_is_refused(height):
    with pytest.raises(ValueError, match="is no number of pixels"):
        frame(height_px=height)
