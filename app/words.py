"""Every word on the screen, from the file that the front reads too."""

import json
from functools import cache
from importlib.resources import files


@cache
def strings() -> dict[str, str]:
    """All texts of the language by key; templates with `{name}` places."""
    source = files("overlap_widget.static").joinpath("strings.en.json")
    texts: dict[str, str] = json.loads(source.read_text(encoding="utf-8"))
    return texts


def words(key: str, **values: object) -> str:
    """The text of a key with its places filled; KeyError for an unknown key."""
    return strings()[key].format(**values) if values else strings()[key]
