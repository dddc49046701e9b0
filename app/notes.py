"""Single texts beside a point of a figure."""

from typing import Any

CAPTION_CHARACTER_PX = 7.2


def note(
    at: tuple[float, float], text: str, axis_end: float, end: float, caption: str = ""
) -> dict[str, list[Any]]:
    """A text to the right of a point; it ends at `end` where the axis ends too soon.

    It gives way to a caption at the left edge of its row, if there is one.
    """
    x, y = at
    return {
        "x": [x],
        "y": [y],
        "text": [f"\N{NO-BREAK SPACE}{text}\N{NO-BREAK SPACE}"],
        "room": [axis_end - x],
        "align": ["left"],
        "end": [end],
        "clear_px": [CAPTION_CHARACTER_PX * len(caption)],
    }


def no_note() -> dict[str, list[Any]]:
    """The columns of no text at all."""
    return {key: [] for key in note((0, 0), "", 0, 0)}
