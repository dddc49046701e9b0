"""What our server answers besides sessions: first pages and their files."""

from collections.abc import Callable
from typing import cast

from bokeh.server.tornado import BokehTornado
from bokeh.util.token import generate_jwt_token, generate_session_id
from tornado.web import HTTPError, RequestHandler

from overlap_widget.app.assets import Asset, assets

FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


class FirstPage(RequestHandler):
    """The page of a session that is made when its socket opens."""

    def initialize(self, page: Callable[[str, str], str]) -> None:
        """`page` makes it from the query of the address and the session's token."""
        self.page = page

    def get(self) -> None:
        """Answer with the page; the token in it is good for one session."""
        server = cast(BokehTornado, self.application)
        query = self.request.query
        key, signed = server.secret_key, server.sign_sessions
        token = generate_jwt_token(
            generate_session_id(secret_key=key, signed=signed),
            secret_key=key,
            signed=signed,
            expiration=server.session_token_expiration,
            extra_payload={"query": query},
        )
        self.set_header("Cache-Control", "no-store")
        self.write(self.page(query, token))

    head = get


class AssetHandler(RequestHandler):
    """Answers with files in memory, packed for those who take them so.

    The server, which packs the other answers, adds `Vary` to all of them.
    """

    def answer(self, found: Asset, keep: str) -> None:
        """The file, or that the browser has it already; `keep` is for its cache."""
        self.set_header("Content-Type", found.media_type)
        self.set_header("Cache-Control", keep)
        self.set_header("Etag", f'"{found.digest}"')
        if self.check_etag_header():
            self.set_status(304)
        elif "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.write(found.packed)
        else:
            self.write(found.content)


class File(AssetHandler):
    """One of the files that pages ask for; no path of it leads to a disk."""

    def get(self, address: str) -> None:
        """Answer with the file of this address, for ever."""
        found = assets().get(address)
        if found is None:
            raise HTTPError(404)
        self.answer(found, FOR_EVER)

    head = get
