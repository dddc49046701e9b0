"""A sentence as data: its key in the strings, and what fills its places.

Values are in SI units and the end of their names says which: `tail_s` fills `{tail}`
as a time, `last_bytes` as a size, `slowdown_share` as a percentage, `last_layers` is
counted, "2 layers", and `last_layer` is the name of a layer. The page and the terminal
both write it from the same data; `static/front/said.js` does there what `text` does
here. So a view state holds no words, and is the same in all languages.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from overlap_widget.app.layer_texts import layer_text
from overlap_widget.app.quantities import (
    count_text,
    percent_text,
    rate_text,
    size_text,
    time_text,
)
from overlap_widget.app.words import words

Data = dict[str, Any]
Cell = str | Data
"""A text of a view state: as it is, or a sentence as data."""

COUNTED = (
    *("layers", "pieces", "transfers", "passes", "ranks", "waiting"),
    *("files", "rules", "kernels"),
)


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, or a part of one that fills a place of another."""

    key: str
    values: dict[str, Any]

    def __hash__(self) -> int:
        """Equal sentences have equal ones; values may be lists."""
        return hash((self.key, *self.values))


def as_data(said: Said) -> Data:
    """The sentence for the front: plain data."""
    values = {
        name: as_data(value) if isinstance(value, Said) else value
        for name, value in said.values.items()
    }
    return {"key": said.key, "values": values}


def cell(key: str, **values: Any) -> Data:
    """A sentence as data at once."""
    return as_data(Said(key, values))


def text(said: Said | Cell) -> str:
    """The sentence in words; a text as it is."""
    if isinstance(said, str):
        return said
    if isinstance(said, dict):
        key, values = said["key"], said["values"]
    else:
        key, values = said.key, said.values
    return words(key, **dict(_place(*value) for value in values.items()))


def _place(name: str, value: Any) -> tuple[str, str]:
    """The place that a value fills, and its text."""
    if isinstance(value, Said | dict):
        return name, text(value)
    if name.endswith("layer"):
        return name, layer_text(value)
    for ending, shown in _TEXTS.items():
        if name.endswith(ending):
            return name.removesuffix(ending), shown(value)
    place, _, noun = name.rpartition("_")
    if place and noun in COUNTED:
        return place, count_text(noun, value)
    return name, str(value)


_TEXTS: dict[str, Callable[[float], str]] = {
    "_bytes_per_s": rate_text,
    "_s": time_text,
    "_bytes": size_text,
    "_share": percent_text,
}
