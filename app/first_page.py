"""The first page of a session, made before it: a picture, and what makes it live."""

import logging
from collections.abc import Callable, Sequence
from functools import lru_cache

from markupsafe import Markup

from overlap_widget.app.assets import front, libraries, styles
from overlap_widget.app.bundles import inner
from overlap_widget.app.measured import example
from overlap_widget.app.settings import DEFAULT, Settings
from overlap_widget.app.snapshot import snapshot
from overlap_widget.app.start import start
from overlap_widget.app.templates import json_in_page, template
from overlap_widget.app.words import speaking, words
from overlap_widget.model.recording import Recording

LOG = logging.getLogger(__name__)
ROOT = "overlap-live"
"""The element of the page that the session is shown in."""
MOST_PAGES = 64
"""Pages that are kept: of a room nearly all ask for the same one."""
STARTING = ("embed/after_paint.js", "served/one_view.js", "served/start.js")
"""The modules of the page's script, in their order."""
_TOKEN = "{token}"


def first_pages(recordings: Sequence[Recording]) -> Callable[[str, str], str]:
    """What makes the page of an address (`query`) for a session (`token`).

    All of it but the token is kept for those who ask for the same state.
    """

    @lru_cache(MOST_PAGES)
    def kept(settings: Settings) -> tuple[str, str]:
        with speaking(settings.lang):
            before, _, after = _page(settings, recordings).partition(_TOKEN)
        return before, after

    def made(query: str, token: str) -> str:
        try:
            parts = kept(start(query, recordings).settings)
        except Exception:  # the session tells its page, which starts all the same
            LOG.exception("The picture of an address could not be drawn")
            parts = kept(DEFAULT)
        return token.join(parts)

    return made


def _page(settings: Settings, recordings: Sequence[Recording]) -> str:
    item = {"token": _TOKEN, "elementid": ROOT, "use_for_title": False}
    scripts = [one.address for one in libraries()]
    shown = list(recordings) or [example()]
    begun = {"front": front().address, "scripts": scripts, "item": item}
    page = template("served.html").render(
        lang=settings.lang,
        dir=words("language.dir"),
        theme="" if settings.theme == "auto" else settings.theme,
        title=words("title"),
        styles=styles().address,
        front=front().address,
        scripts=scripts,
        snapshot=Markup(snapshot(settings, shown, late="served.late")),
        start=json_in_page(begun),
        script=Markup(inner(*STARTING)),
    )
    return page.encode(errors="replace").decode()  # names may hold what is no text
