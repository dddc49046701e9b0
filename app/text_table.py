"""Text of a terminal: lines of its width, and tables of columns two spaces apart."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

WIDTH = 88
"""Of sentences, in characters; a table is as wide as it is."""
MOST_WIDTH = 100
"""Of a table that leaves columns out where it would be wider."""
_UNIT = re.compile(r"(?<=\d) (?=\S)")
"""Between a number and what it counts."""


def wrapped(sentence: str) -> str:
    """A sentence as lines; a number stays with its unit, a long name stays whole."""
    joined = _UNIT.sub("\N{NO-BREAK SPACE}", on_one_line(sentence))
    lines = fill(joined, WIDTH, break_long_words=False, break_on_hyphens=False)
    return lines.replace("\N{NO-BREAK SPACE}", " ")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its head, its cells, and where they stand.

    side:  `<` for words, `>` for numbers
    spare: 0 where it always stands; the others go in this order, 1 first, until the
           table is narrow enough
    """

    head: str
    cells: tuple[str, ...]
    side: str = ">"
    spare: int = 0

    @property
    def width(self) -> int:
        """In characters."""
        return max(map(len, (self.head, *map(on_one_line, self.cells))))


def fitted(columns: Sequence[Column], most: int = MOST_WIDTH) -> str:
    """The columns as a table, without spare ones where it would be too wide."""
    kept = list(columns)
    spare = sorted((one for one in columns if one.spare), key=lambda one: one.spare)
    for one in spare:
        if _width(kept) <= most:
            break
        kept.remove(one)
    rows = zip(*((one.head, *one.cells) for one in kept), strict=True)
    return aligned(list(rows), "".join(one.side for one in kept))


def _width(columns: Sequence[Column]) -> int:
    return sum(one.width for one in columns) + 2 * (len(columns) - 1)


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
