"""The styles of a page that starts as a picture: the front's, and those around it."""

import re
from functools import cache

from overlap_widget.app.bundles import stylesheet, text
from overlap_widget.app.picture import picture_css

_SPARE = re.compile(r"(?<=[{};,>])\s+|\s+(?=[{>])|(?<=[\w-]:)\s+|;(?=\s*\})")
"""What styles don't need: space at signs, and the last semicolon of a block."""
_DARK = re.compile(r'^\.overlap\[data-theme="dark"\] (\{.*?^\})', re.M | re.S)


@cache
def page_styles() -> str:
    """The front's styles and the page's; the dark ones also where the system is."""
    front = stylesheet()
    dark = _DARK.search(front)
    assert dark, "roles.css has no dark theme"
    by_system = (
        "@media (prefers-color-scheme: dark) {"
        f" .overlap-snapshot:not([data-theme]) {dark[1]} }}"
    )
    all_of_it = "\n".join([front, by_system, picture_css(), text("embed", "embed.css")])
    return _SPARE.sub("", all_of_it)
