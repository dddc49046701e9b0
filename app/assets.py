"""Files that every page of our server asks for: front, styles, Bokeh's, Panel's.

Each is packed once and has its hash in its name, so a browser may keep it for ever.
"""

import gzip
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from bokeh.resources import Resources
from bokeh.settings import settings as bokeh_settings
from panel.io.resources import DIST_DIR, bundle_resources

from overlap_widget.app.front import module
from overlap_widget.app.front_config import config
from overlap_widget.app.page_styles import page_styles

UNUSED = ("bokeh-gl",)
"""Of Bokeh's parts: drawing with the graphics card."""
FOLDERS = {
    "static/extensions/panel/": Path(DIST_DIR),
    "static/js/": Path(bokeh_settings.bokehjs_path()) / "js",
}
"""Where the files lie that the libraries name by these addresses."""
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}


@dataclass(frozen=True)
class Asset:
    """A file in memory; `name` is its plain one, such as "front.js"."""

    name: str
    content: bytes

    @cached_property
    def packed(self) -> bytes:
        """The content as gzip."""
        return gzip.compress(self.content, mtime=0)

    @cached_property
    def digest(self) -> str:
        """What tells it from any other version of it."""
        return hashlib.sha256(self.content).hexdigest()[:16]

    @property
    def address(self) -> str:
        """Where it is served, from the page's own address on."""
        stem, dot, ending = self.name.rpartition(".")
        return f"assets/{stem}-{self.digest}{dot}{ending}"

    @property
    def media_type(self) -> str:
        """Its type, as HTTP names it."""
        return f"{TYPES[Path(self.name).suffix]}; charset=utf-8"


@cache
def front() -> Asset:
    """The front, its driver, and all that never changes of what it gets."""
    text = json.dumps(config(), ensure_ascii=False, separators=(",", ":"))
    return Asset("front.js", f"{module()}\nexport const config = {text};\n".encode())


@cache
def styles() -> Asset:
    """The styles of the front and of the picture before it."""
    return Asset("overlap.css", page_styles().encode())


@cache
def libraries() -> tuple[Asset, ...]:
    """The scripts of Bokeh and Panel that a session needs, in their order."""
    resources = Resources(mode="server", root_url="/", path_versioner=None)
    wanted = bundle_resources([], resources).js_files
    return tuple(_library(path) for path in _paths(str(url) for url in wanted))


def _paths(urls: Iterable[str]) -> Iterable[Path]:
    for url in urls:
        plain = url.partition("?")[0].removeprefix("/")
        for start, folder in FOLDERS.items():
            name = plain.removeprefix(start)
            if name != plain and not name.startswith(UNUSED):
                yield folder / name


def _library(path: Path) -> Asset:
    return Asset(path.name, path.read_bytes())


@cache
def assets() -> dict[str, Asset]:
    """All of them by their addresses."""
    return {one.address: one for one in (front(), styles(), *libraries())}


def pack() -> None:
    """Pack all of them, before the first page asks."""
    for one in assets().values():
        _ = one.packed
