"""Files of a folder as one text, for places that take no second request.

A folder has its files in `ORDER`. A module comes after those that it imports, and its
top-level names are unique, since all end in one scope. Of styles the later ones win.
"""

import re
from functools import cache
from importlib.resources import files

from rjsmin import jsmin

_IMPORT = re.compile(r'^import \{[^}]*\} from "\.{1,2}/[\w/-]+\.js";\n', re.M)
_REMARK = re.compile(r" */\*(?s:.*?)\*/\n*")
_INDENT = re.compile(r"^ +", re.M)
_EXPORT = re.compile(r"^export (?=(async )?(function|const|class) )", re.M)


@cache
def bundle(folder: str) -> str:
    """The modules of a folder of `static`, without imports of each other and exports.

    Comments and what space can go are dropped: each session is sent the text anew.
    """
    return inner(*(f"{folder}/{name}" for name in text(folder, "ORDER").split()))


def inner(*paths: str) -> str:
    """Modules of `static`, bare, for one that stands behind them: no exports."""
    parts = [_EXPORT.sub("", text(*path.split("/"))) for path in paths]
    return bare("\n".join(parts))


def bare(module: str) -> str:
    """A module's text without imports of ours, comments and space."""
    return str(jsmin(_IMPORT.sub("", module)))


def script(path: str) -> str:
    """One module of `static`, bare; what it exports stays exported."""
    return bare(text(*path.split("/")))


@cache
def stylesheet() -> str:
    """The front's own styles: those of `static/css`, in its order, without comments."""
    names = text("css", "ORDER").split()
    return _INDENT.sub(
        "", _REMARK.sub("", "\n".join(text("css", name) for name in names))
    )


def text(*path: str) -> str:
    """A file of `static` as it stands."""
    return files("overlap_widget.static").joinpath(*path).read_text(encoding="utf-8")
