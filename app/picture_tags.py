"""Elements of a picture as markup: whatever text they hold stays text.

Text from outside stands between tags alone; what attributes hold is ours.
"""

import re
from collections.abc import Iterable, Mapping
from html import escape

from overlap_widget.app.picture_frame import number
from overlap_widget.app.picture_style import LIGHT

Attributes = Mapping[str, object]

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that an XML document can't hold, not even escaped."""


def escaped(text: str) -> str:
    """A text as it stands in markup; what XML can't hold becomes U+FFFD."""
    return escape(_NO_XML.sub("\N{REPLACEMENT CHARACTER}", text), quote=False)


def tag(name: str, attributes: Attributes, inner: str | None = None) -> str:
    """An element; without anything in it, it closes itself."""
    start = "".join(
        [f"<{name}", *[f' {key}="{value}"' for key, value in attributes.items()]]
    )
    return f"{start}/>" if inner is None else f"{start}>{inner}</{name}>"


def segment(start: tuple[str, float], end: tuple[str, float]) -> str:
    """A line between two points, x as it is written and y in pixels."""
    (x1, y1), (x2, y2) = start, end
    return f'<line x1="{x1}" y1="{number(y1)}" x2="{x2}" y2="{number(y2)}"/>'


def group(attributes: Attributes, parts: Iterable[str]) -> str:
    """Elements that share attributes; nothing at all for none."""
    inner = "".join(parts)
    return tag("g", attributes, inner) if inner else ""


def painted(
    fill: str = "", line: str = "", classes: Iterable[str] = ()
) -> dict[str, object]:
    """Fill and line of these roles: light by attribute, else by the page's styles."""
    names = [f"overlap-fill-{fill}"] if fill else []
    names += [f"overlap-line-{line}"] if line else []
    paint = {"class": " ".join([*names, *classes])} if names else {}
    paint |= {"fill": LIGHT[fill]} if fill else {}
    paint |= {"stroke": LIGHT[line]} if line else {}
    return {**paint}


def shown_from(since: int, below: int = 0) -> dict[str, object]:
    """For what is shown from a width on, or below one; 0 for no such limit.

    Where no styles apply a picture is taken for a wide one.
    """
    names = [f"overlap-from-{since}"] if since else []
    names += [f"overlap-below-{below}"] if below else []
    shown = {"class": " ".join(names)} if names else {}
    shown |= {"display": "none"} if below else {}
    return {**shown}
