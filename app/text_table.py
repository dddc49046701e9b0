"""Text of a terminal: lines of its width, and tables of columns two spaces apart."""

import re
from collections.abc import Sequence
from textwrap import fill

WIDTH = 88
"""Of sentences, in characters; a table is as wide as it is."""
_UNIT = re.compile(r"(?<=\d) (?=\S)")
"""Between a number and what it counts."""


def wrapped(sentence: str) -> str:
    """A sentence as lines; a number stays with its unit, a long name stays whole."""
    joined = _UNIT.sub("\N{NO-BREAK SPACE}", on_one_line(sentence))
    lines = fill(joined, WIDTH, break_long_words=False, break_on_hyphens=False)
    return lines.replace("\N{NO-BREAK SPACE}", " ")


def aligned(rows: Sequence[Sequence[str]], sides: str) -> str:
    """The rows as lines, each column to its side: `<` or `>`."""
    cells = [[on_one_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(
            f"{cell:{side}{width}}"
            for cell, side, width in zip(row, sides, widths, strict=True)
        ).rstrip()
        for row in cells
    )


def on_one_line(text: str) -> str:
    """A layer or step may have any name; what can't be printed would break a table."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
