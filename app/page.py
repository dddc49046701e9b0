"""The page of a session: an Explorer in our own template."""

import logging
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import cast

import panel as pn
from bokeh.document import Document
from bokeh.io import curdoc
from bokeh.server.contexts import BokehSessionContext
from jinja2 import Environment, Template

from overlap_widget.app.explorer import Explorer
from overlap_widget.app.front import Front, linked_front, whole_front
from overlap_widget.app.settings import FAULT
from overlap_widget.app.words import speaking, words
from overlap_widget.model.recording import Recording

LOG = logging.getLogger(__name__)
MOST_DIGITS = 100_000
"""More than any address holds, which a server cuts at 64 KiB."""


def read_long_numbers() -> None:
    """Let Panel read any number in an address; Python refuses 4300 digits and more.

    Without it such an address ends in an error of the server before we see it.
    """
    sys.set_int_max_str_digits(MOST_DIGITS)


def page(
    recordings: Sequence[Recording] = (), document: Document | None = None
) -> Explorer:
    """An Explorer for a session, the current one's by default, as its address says."""
    document = document or curdoc()
    query = _query_of_first_page(document)
    if query is None:  # another server's page: it has no code or words of ours
        explorer = _begun(recordings, _query_of_location(), whole_front)
        _fill(document, explorer.settings.lang)
    else:
        explorer = _begun(recordings, query, linked_front)
    pn.state.on_session_destroyed(lambda _session: explorer.close())
    return explorer


def _begun(
    recordings: Sequence[Recording], query: str, front: Callable[[], Front]
) -> Explorer:
    """As its address says; where a fault of ours prevents that, as it starts, and said.

    A session that isn't made leaves its page waiting for ever.
    """
    try:
        return Explorer(recordings, query, front)
    except Exception:
        LOG.exception("A session starts without what its address asks for")
        return Explorer(recordings, "", front, notices=(FAULT,))


def _query_of_first_page(document: Document) -> str | None:
    """The query that our own first page was asked with, if the session is of one."""
    context = cast(BokehSessionContext | None, document.session_context)
    query: str | None = context.token_payload.get("query") if context else None
    return query


def _query_of_location() -> str:
    return pn.state.location.search if pn.state.location else ""


def _fill(document: Document, lang: str) -> None:
    """Have the server render the page in our template."""
    document.template = _template()
    with speaking(lang):
        said = {"dir": words("language.dir"), "noscript": words("noscript")}
        document.title = words("title")
    document.template_variables.update(said, lang=lang)


@cache
def _template() -> Template:
    source = files("overlap_widget.app").joinpath("page.html").read_text("utf-8")
    return Environment(autoescape=False).from_string(source)
