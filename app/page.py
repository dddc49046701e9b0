"""The page of a session: an Explorer in our own template."""

import sys
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import panel as pn
from bokeh.io import curdoc
from jinja2 import Environment, Template

from overlap_widget.app.explorer import Explorer
from overlap_widget.app.words import speaking, words
from overlap_widget.model.recording import Recording

MOST_DIGITS = 100_000
"""More than any address holds, which a server cuts at 64 KiB."""


def read_long_numbers() -> None:
    """Let Panel read any number in an address; Python refuses 4300 digits and more.

    Without it such an address ends in an error of the server before we see it.
    """
    sys.set_int_max_str_digits(MOST_DIGITS)


def page(recordings: Sequence[Recording] = ()) -> Explorer:
    """An Explorer for the current session, set up as its address says."""
    query = pn.state.location.search if pn.state.location else ""
    explorer = Explorer(recordings, query)
    document = curdoc()
    document.template = _template()
    with speaking(explorer.settings.lang):
        said = {"dir": words("language.dir"), "noscript": words("noscript")}
        document.title = words("title")
    document.template_variables.update(said, lang=explorer.settings.lang)
    pn.state.on_session_destroyed(lambda _session: explorer.close())
    return explorer


@cache
def _template() -> Template:
    source = files("overlap_widget.app").joinpath("page.html").read_text("utf-8")
    return Environment(autoescape=False).from_string(source)
