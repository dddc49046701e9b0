"""The widget as a frame of its own page, for a notebook that can't reach Python.

It needs no kernel, no extension and no network, and stays alive in what a notebook is
converted to.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from markupsafe import escape

from overlap_widget.app.address import address, read_address
from overlap_widget.app.embedded import embedded_page
from overlap_widget.app.measured import all_opened
from overlap_widget.app.reading import Trace, loaded
from overlap_widget.app.settings import Settings
from overlap_widget.app.what_if import beginning
from overlap_widget.app.words import speaking, words

HEIGHT_PX = 720


@dataclass(frozen=True, slots=True)
class Frame:
    """A whole page that a notebook shows in an `<iframe>`.

    page:       the HTML that `overlap export` would write
    height_px:  of the frame; what doesn't fit in it scrolls
    title:      of the frame, for those who can't see it
    """

    page: str = field(repr=False)
    height_px: int = HEIGHT_PX
    title: str = field(default_factory=lambda: words("title"), repr=False)

    def _repr_html_(self) -> str:
        """Closed off from the notebook: the page runs scripts, and that is all."""
        return (
            f'<iframe srcdoc="{escape(self.page)}" title="{escape(self.title)}" '
            f'width="100%" height="{self.height_px}" style="border: 0" '
            'sandbox="allow-scripts" allow="clipboard-write"></iframe>'
        )


def frame(
    recordings: Trace | Sequence[Trace] | None = None,
    query: str | None = None,
    height_px: int = HEIGHT_PX,
) -> Frame:
    """The widget for a notebook cell, set up as `Explorer` is.

    ValueError for a query that the page couldn't show as it stands and for what is no
    height, TraceError for a file that is no recording.
    """
    if not isinstance(height_px, int) or height_px < 1:
        raise ValueError(f"height_px={height_px!r} is no number of pixels, such as 720")
    measured = all_opened(loaded(recordings))
    settings = _settings(query or "", beginning(query or "", measured.recordings))
    if measured.recordings and "mode=" not in (query or ""):
        settings = replace(settings, mode="measured")
    page = embedded_page(settings, measured.recordings)
    with speaking(settings.lang):
        return Frame(page, height_px)


def _settings(query: str, start: Settings) -> Settings:
    settings, notices = read_address(query, start)
    if notices:
        raise ValueError(
            f"query={query!r} can't be shown as it stands; the nearest is "
            f"query={address(settings)!r}"
        )
    return settings
