"""Tables of a terminal: columns two spaces apart, each cell on one line."""

from collections.abc import Sequence


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
