"""Text in lines of a width, broken between words."""

import re
from collections.abc import Callable

_COUNTED = re.compile(r"(?<=\d) (?=[^\W\d]|%)")
"""Between a number and what it counts, or its unit."""


def wrapped(text: str, width: float, width_of: Callable[[str], float]) -> list[str]:
    """Lines no wider than that; a number keeps what it counts, a longer word is cut."""
    words = _COUNTED.sub("\N{NO-BREAK SPACE}", text).split(" ")
    lines: list[str] = []
    for piece in (piece for word in words for piece in _cut(word, width, width_of)):
        longer = f"{lines[-1]} {piece}" if lines else piece
        if lines and width_of(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(piece)
    return lines


def _cut(word: str, width: float, width_of: Callable[[str], float]) -> list[str]:
    """A word in pieces that each fit; one character at least."""
    pieces = [""]
    for character in word:
        if pieces[-1] and width_of(pieces[-1] + character) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces
