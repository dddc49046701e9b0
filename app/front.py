"""The front as one Panel component: view state in, moves out."""

import re
from functools import cache
from importlib.resources import files
from typing import ClassVar

import param
from panel.custom import JSComponent

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./[\w-]+\.js";\n', re.M)
_COMMENT = re.compile(r"^ *(//.*|/\*\*(?s:.*?)\*/)\n", re.M)
_EXPORT = re.compile(r"^export (?=(async )?(function|const|class) )", re.M)


@cache
def bundle() -> str:
    """The front's modules in one, without imports of each other and inner exports.

    Whole lines of comments are dropped too: each session sends this text anew.
    """
    folder = files("overlap_widget.static").joinpath("front")
    names = folder.joinpath("ORDER").read_text(encoding="utf-8").split()
    texts = [folder.joinpath(name).read_text(encoding="utf-8") for name in names]
    inner = [_EXPORT.sub("", text) for text in texts]
    driver = folder.joinpath("panel.js").read_text(encoding="utf-8")
    text = "\n".join(_IMPORT.sub("", text) for text in [*inner, driver])
    return _COMMENT.sub("", text)


@cache
def stylesheet() -> str:
    """The front's own styles."""
    return files("overlap_widget.static").joinpath("front.css").read_text("utf-8")


class Front(JSComponent):
    """Controls, text, tables and figures of one session, in the browser."""

    config = param.Dict({}, doc="What never changes: strings, controls, figures.")
    view = param.Dict({}, doc="Settings, numbers and transfers, whole each time.")
    figures = param.Dict({}, doc="Columns of the figures that are shown.")
    sweep = param.Dict({}, doc="All bucket sizes: their table and columns.")
    map = param.Dict({}, doc="The map: its table and columns.")
    upload = param.Dict({}, doc="The file that is being received; empty without.")
    seq = param.Integer(0, doc="The last move that the view answers.")

    _esm = bundle()
    _stylesheets: ClassVar[list[str]] = [stylesheet()]
