"""A sentence as data: its key in the strings, and what fills its places.

Values are in SI units and the end of their names says which: `tail_s` fills `{tail}`
as a time, `last_bytes` as a size, `slowdown_share` as a percentage, and
`last_layers` is counted: "2 layers". The page and the terminal both write it from the
same data; `static/front/said.js` does there what `text` does here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from overlap_widget.app.quantities import (
    count_text,
    percent_text,
    rate_text,
    size_text,
    time_text,
)
from overlap_widget.app.words import words

COUNTED = ("layers", "transfers", "passes", "ranks", "waiting", "files", "rules")


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, or a part of one that fills a place of another."""

    key: str
    values: dict[str, Any]


def as_data(said: Said) -> dict[str, Any]:
    """The sentence for the front: plain data."""
    values = {
        name: as_data(value) if isinstance(value, Said) else value
        for name, value in said.values.items()
    }
    return {"key": said.key, "values": values}


def text(said: Said) -> str:
    """The sentence in words."""
    return words(said.key, **dict(_place(*value) for value in said.values.items()))


def _place(name: str, value: Any) -> tuple[str, str]:
    """The place that a value fills, and its text."""
    if isinstance(value, Said):
        return name, text(value)
    for ending, shown in _TEXTS.items():
        if name.endswith(ending):
            return name.removesuffix(ending), shown(value)
    place, _, noun = name.rpartition("_")
    if noun in COUNTED:
        return place, count_text(noun, value)
    return name, str(value)


_TEXTS: dict[str, Callable[[float], str]] = {
    "_bytes_per_s": rate_text,
    "_s": time_text,
    "_bytes": size_text,
    "_share": percent_text,
}
