"""Single texts beside a point of a figure."""

from typing import Any

from overlap_widget.app.said import Cell


def note(
    at: tuple[float, float],
    text: Cell,
    axis_end: float,
    end: float,
    caption: Cell = "",
) -> dict[str, list[Any]]:
    """A text to the right of a point; it ends at `end` where the axis ends too soon.

    It gives way to the left edge, and to a caption there in its row, if there is one.
    """
    x, y = at
    return {
        "x": [x],
        "y": [y],
        "text": [text],
        "room": [axis_end - x],
        "align": ["left"],
        "end": [end],
        "caption": [caption],
    }


def no_note() -> dict[str, list[Any]]:
    """The columns of no text at all."""
    return {key: [] for key in note((0, 0), "", 0, 0)}
