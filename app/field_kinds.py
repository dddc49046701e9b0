"""The kinds of keys of an address: numbers, choices, and lists of a page's parts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from overlap_widget.app.controls import Control
from overlap_widget.app.settings import ALL, Settings

Put = Callable[[Settings, Any], Settings]


@dataclass(frozen=True, slots=True)
class Number:
    """A number that a control moves, in its SI unit."""

    control: Callable[[Settings], Control]
    read: Callable[[str], float]
    value: Callable[[Settings], float]
    put: Put
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few texts."""

    options: Callable[[Settings], tuple[str, ...]]
    value: Callable[[Settings], str]
    put: Put
    also: Mapping[str, str] = field(default_factory=dict)
    """Other ways to write an option in an address."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Some of a page's parts."""

    names: tuple[str, ...]
    value: Callable[[Settings], str]
    put: Put

    def read(self, text: str) -> str:
        """`all`, `none`, or the names, each once and in the order of `names`.

        ValueError where another name is among them, or none at all.
        """
        if text in (ALL, "none"):
            return text
        asked = set(text.split(","))
        if not asked <= set(self.names):
            raise ValueError(f"{text!r} names a part that no page has")
        if len(asked) == len(self.names):
            return ALL
        return ",".join(name for name in self.names if name in asked)
