"""Texts of a figure's columns where they fit, as the front fits those of Bokeh."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from overlap_widget.app.layer_texts import layer_text
from overlap_widget.app.picture_frame import (
    CHARACTER_PX,
    Frame,
    columns_of,
    number,
    text_px,
)
from overlap_widget.app.picture_style import Texts
from overlap_widget.app.picture_tags import escaped, group, painted, shown_from, tag
from overlap_widget.app.said import Cell
from overlap_widget.app.said import text as said

Columns = Mapping[str, Sequence[Any]]

NOTE_CHARACTER_PX = 8.5
"""Of notes, some of them larger and bold; as in `static/front/figure_texts.js`."""
BESIDE_PX = 4
"""What a text needs of its room beside its characters."""
NO_BREAK = "\N{NO-BREAK SPACE}"
"""To both sides of a note, between its letters and the line that it stands at."""
LINE, EDGE_PX = 1.2, 1
"""How high a text's ground is, as a share of its size; what it leaves at its edges."""
MIDDLE = 0.36
"""How far below the middle of a line its letters stand, as a share of their size."""


@dataclass(frozen=True, slots=True)
class Note:
    """A text beside a point: a row of the columns that `notes.note` makes."""

    x: float
    y: float
    text: str
    room: float
    end: float
    clear_px: float


def draw_texts(style: Texts, rows: Columns, frame: Frame) -> str:
    """All texts of a source that fit somewhere."""
    if "end" in rows:
        parts = _notes(style, rows, frame)
    elif "room" in rows:
        parts = _labels(style, rows, frame)
    else:
        parts = [
            _text(style, frame, (frame.start, y), text, "start")
            for y, text in zip(rows["y"], map(said, rows["text"]), strict=True)
        ]
    font = {"font-size": number(style.size_px)}
    if style.is_bold:
        font["font-weight"] = "bold"
    return group(painted(fill=style.colour) | font, parts)


def _labels(style: Texts, rows: Columns, frame: Frame) -> list[str]:
    """In the middle of their bars, from the width on at which they fit them.

    A label gets at least the room of a long one, so that a row of equal bars has all
    of its labels or none, unless each stands `alone`.
    """
    texts = [_shown(style, text) for text in rows["text"]]
    least = 0 if "alone" in rows else _long_of(texts)
    by_width: dict[int, list[str]] = {}
    for x, y, text, room in zip(rows["x"], rows["y"], texts, rows["room"], strict=True):
        needed_px = CHARACTER_PX * max(columns_of(text), least) + BESIDE_PX
        since = frame.since(frame.share(room), needed_px)
        if since is not None and text:
            drawn = _text(style, frame, (x, y), text, "middle")
            by_width.setdefault(since, []).append(drawn)
    middle = {"text-anchor": "middle"}
    return [
        group(middle | shown_from(since), drawn)
        for since, drawn in sorted(by_width.items())
    ]


def _shown(style: Texts, text: Cell) -> str:
    """A label in words; those of the compute lane are names of layers."""
    return layer_text(said(text)) if style.source == "compute_labels" else said(text)


def _long_of(texts: Iterable[str]) -> int:
    """The length that three of four texts don't exceed; one long name goes alone."""
    lengths = sorted(map(columns_of, texts))
    return lengths[int(0.75 * len(lengths))] if lengths else 0


def _notes(style: Texts, rows: Columns, frame: Frame) -> list[str]:
    keys = ("x", "y", "text", "room", "end", "caption")
    each = zip(*(rows[key] for key in keys), strict=True)
    notes = [
        Note(
            x, y, f"{NO_BREAK}{said(text)}{NO_BREAK}", room, end, text_px(said(caption))
        )
        for x, y, text, room, end, caption in each
    ]
    return [
        part
        for note in notes
        if frame.start <= note.x <= frame.end
        for part in _placed(style, frame, note)
    ]


def _placed(style: Texts, frame: Frame, note: Note) -> Iterator[str]:
    """To the right of its point where there is room, else to the left of its end.

    It gives way to a caption at the left edge in both places.
    """
    needed_px = NOTE_CHARACTER_PX * columns_of(note.text) + BESIDE_PX
    fits = frame.since(frame.share(note.room), needed_px)
    clears = frame.since(frame.share(note.x - frame.start), note.clear_px)
    before_px = needed_px + note.clear_px
    ends = frame.since(frame.share(note.end - frame.start), before_px)
    if fits is not None and clears is not None:
        beside = _text(style, frame, (note.x, note.y), note.text, "start")
        yield group(shown_from(max(fits, clears)), [beside])
    if ends is not None and (fits is None or ends < fits):
        before = _text(style, frame, (note.end, note.y), note.text, "end")
        yield group(shown_from(ends, fits or 0), [before])


def _text(
    style: Texts, frame: Frame, at: tuple[float, float], text: str, anchor: str
) -> str:
    """One text, and what keeps lines behind it from striking it through."""
    x, y = at
    baseline_px = frame.y(y) + MIDDLE * style.size_px
    place = frame.x(x, style.dx_px) | {"y": number(baseline_px)}
    if anchor == "end":
        place["text-anchor"] = anchor
    drawn = tag("text", place, escaped(text))
    return _behind(style, frame, at, text, anchor) + drawn if style.ground else drawn


def _behind(
    style: Texts, frame: Frame, at: tuple[float, float], text: str, anchor: str
) -> str:
    """A ground for a text; a line at its edge stays whole."""
    edge_px = style.padding_px or -EDGE_PX
    wide_px = text_px(text, style.size_px) + 2 * edge_px
    high_px = LINE * style.size_px + 2 * style.padding_px
    left_px = (
        style.dx_px
        + {
            "start": -edge_px,
            "middle": -wide_px / 2,
            "end": edge_px - wide_px,
        }[anchor]
    )
    return tag(
        "rect",
        frame.x(at[0], left_px)
        | {"y": number(frame.y(at[1]) - high_px / 2)}
        | {"width": number(wide_px), "height": number(high_px)}
        | painted(fill=style.ground),
    )
