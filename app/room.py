"""The embedded page, for a whole room at once: one file, and no sessions."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future

from overlap_widget.app.assets import Asset
from overlap_widget.app.embedded import embedded_page
from overlap_widget.app.handlers import ASK_AGAIN, AssetHandler
from overlap_widget.app.settings import DEFAULT
from overlap_widget.model.recording import Recording

ADDRESS = "room"


def room_page(recordings: Sequence[Recording]) -> Asset:
    """The page with these recordings, packed; it takes seconds where there are many."""
    page = Asset("room.html", embedded_page(DEFAULT, recordings).encode())
    _ = page.packed
    return page


class Room(AssetHandler):
    """Hands the page out, once it is made."""

    def initialize(self, page: Future[Asset]) -> None:
        """`page` is being made beside the server."""
        self.page = page

    async def get(self) -> None:
        """Answer with the page."""
        self.answer(await asyncio.wrap_future(self.page), ASK_AGAIN)

    head = get
