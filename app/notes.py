"""Single texts beside a point of a figure."""

from typing import Any


def note(
    x: float, y: float, text: str, axis_end: float, end: float
) -> dict[str, list[Any]]:
    """A text to the right of a point; it ends at `end` where the axis ends too soon."""
    return {
        "x": [x],
        "y": [y],
        "text": [f"\N{NO-BREAK SPACE}{text}\N{NO-BREAK SPACE}"],
        "room": [axis_end - x],
        "align": ["left"],
        "end": [end],
    }


def no_note() -> dict[str, list[Any]]:
    """The columns of no text at all."""
    return {key: [] for key in note(0, 0, "", 0, 0)}
