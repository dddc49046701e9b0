"""Pages from templates of ours; whatever they fill in is text, unless it is marked."""

import json
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

_TEMPLATES = Environment(
    loader=PackageLoader("overlap_widget.app", "."),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def json_in_page(data: dict[str, Any]) -> Markup:
    """JSON that stands in a page as it is: no name in it can end its element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704  which is all it escapes


@cache
def template(name: str) -> Template:
    """A template beside this module."""
    return _TEMPLATES.get_template(name)
