"""What every answer of our server tells browsers, to keep others out of the page."""

from collections.abc import Collection

from bokeh.server.server import Server
from tornado.httputil import HTTPHeaders, HTTPServerRequest
from tornado.web import OutputTransform

HEADERS = {
    "X-Content-Type-Options": "nosniff",  # no file is taken for a script or a page
    "Referrer-Policy": "no-referrer",  # the state in an address is nobody else's
    "Cross-Origin-Opener-Policy": "same-origin",  # nor is the window
}


def policy(framers: Collection[str]) -> str:
    """The page may be framed by itself and by these hosts; plug-ins are for none."""
    named = " ".join(["'self'", *sorted(framers)])
    return f"frame-ancestors {named}; base-uri 'none'; object-src 'none'"


def add_headers(
    server: Server, framers: Collection[str], framed_by_all: Collection[str] = ()
) -> None:
    """Have all answers say so; those of some paths may be framed by anybody."""
    own = HEADERS | {"Content-Security-Policy": policy(framers)}

    class Headers(OutputTransform):
        """Adds them to an answer, unless it says the same differently."""

        def __init__(self, request: HTTPServerRequest) -> None:
            self.added = HEADERS if request.path in framed_by_all else own

        def transform_first_chunk(
            self,
            status_code: int,
            headers: HTTPHeaders,
            chunk: bytes,
            finishing: bool,  # noqa: ARG002  Tornado hands it over
        ) -> tuple[int, HTTPHeaders, bytes]:
            """The answer with them."""
            for name, value in self.added.items():
                headers.setdefault(name, value)
            return status_code, headers, chunk

    server._tornado.add_transform(Headers)
