"""Bars, labels and lines of a step with one link as columns, in milliseconds."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from overlap_widget.app.columns import rows_where
from overlap_widget.app.figures import (
    BRACKET_Y,
    CAPTION_Y,
    COMPUTE_Y,
    LINK_Y,
    WAITING_Y,
)
from overlap_widget.app.said import cell
from overlap_widget.model.timeline import Kind, Timeline
from overlap_widget.model.units import MB, MS

Columns = dict[str, list[Any]]
SLOWED_HEIGHT = 0.35
"""Of the strip that marks slowed compute, on the y axis of the lanes."""

SLIVER = 0.01
"""Of the pass: no label fits a bar that is narrower, however wide the window."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A span of a timeline in milliseconds, with its number among those of its kind."""

    number: int
    name: str
    size_mb: float
    ready: float
    start: float
    end: float


def bars_of(timeline: Timeline, kind: Kind) -> list[Bar]:
    """The spans of a kind in the order of their start."""
    return [
        Bar(
            number=number,
            name=timeline.names[timeline.name[row]],
            size_mb=float(timeline.size_bytes[row]) / MB,
            ready=float(timeline.ready_s[row]) / MS,
            start=float(timeline.start_s[row]) / MS,
            end=float(timeline.end_s[row]) / MS,
        )
        for number, row in enumerate(timeline.rows_of(kind), start=1)
    ]


def compute_bars(layers: Sequence[Bar]) -> Columns:
    """The layers, one after the other; one that takes no time has no bar."""
    shown = [one for one in layers if one.end > one.start]
    starts, ends = [one.start for one in shown], [one.end for one in shown]
    return _columns(starts, ends, COMPUTE_Y) | _fields(shown)


def layer_labels(bars: Columns) -> Columns:
    """The middle of each layer's bar, and its name without what several share.

    Slivers have no label: all of a lane get the room of its longest.
    """
    pass_ms = max(bars["right"], default=0.0)
    widths = zip(bars["left"], bars["right"], strict=True)
    is_sliver = [right - left < SLIVER * pass_ms for left, right in widths]
    names = _short(bars["layers"])
    shown = [
        "" if sliver else name for sliver, name in zip(is_sliver, names, strict=True)
    ]
    return _labels(bars, shown)


def _short(names: Sequence[str]) -> list[str]:
    """Without the words before the last, where several names begin with them."""
    words_of = [name.rsplit(" ", 1) for name in names]
    begin = Counter(first for first, *_ in words_of)
    return [
        parts[-1] if begin[parts[0]] > 1 else name
        for parts, name in zip(words_of, names, strict=True)
    ]


def bucket_labels(bars: Columns) -> Columns:
    """The number of each transfer in the middle of its bar."""
    return _labels(bars, [str(number) for number in bars["bucket"]])


def link_bars(transfers: Sequence[Bar], since: float, until: float) -> Columns:
    """The part of each transfer between two times; none where nothing remains."""
    shown = [one for one in transfers if max(one.start, since) < min(one.end, until)]
    left = [max(one.start, since) for one in shown]
    right = [min(one.end, until) for one in shown]
    return _columns(left, right, LINK_Y) | _fields(shown)


def waiting_bars(transfers: Sequence[Bar], late: float = 0.0) -> dict[str, Columns]:
    """From ready to start, one below the other while several wait.

    The first `late` of each are waiting for the late rank, the rest for the link.
    """
    waiting = [one for one in transfers if one.start > one.ready]
    rows = _rows([(one.ready, one.start) for one in waiting])
    low, high = WAITING_Y
    height = min(0.45, (high - low) / (max(rows, default=0) + 1))
    tops = [high - row * height for row in rows]
    arrived = [min(one.ready + late, one.start) for one in waiting]
    bars = {
        "bottom": [top - 0.72 * height for top in tops],
        "top": tops,
    } | _fields(waiting)
    for_rank = {"left": [one.ready for one in waiting], "right": arrived} | bars
    for_link = {"left": arrived, "right": [one.start for one in waiting]} | bars
    return {"late": _filled(for_rank), "waiting": _filled(for_link)}


def _filled(bars: Columns) -> Columns:
    """Only the bars that have a length."""
    ends = zip(bars["left"], bars["right"], strict=True)
    return rows_where(bars, [left < right for left, right in ends])


def slowed_strips(spans: Sequence[tuple[float, float]]) -> Columns:
    """A strip along the foot of the compute lane while a transfer slows it."""
    foot_y = COMPUTE_Y[0]
    strip_y = (foot_y - SLOWED_HEIGHT, foot_y)
    return _columns([start for start, _ in spans], [end for _, end in spans], strip_y)


def pass_ends(ends: Sequence[float]) -> Columns:
    """A line across the compute lane where each pass ends but the last."""
    low, high = COMPUTE_Y
    count = len(ends)
    return {
        "x0": list(ends),
        "y0": [low - SLOWED_HEIGHT] * count,
        "x1": list(ends),
        "y1": [high + SLOWED_HEIGHT] * count,
    }


def _rows(spans: Sequence[tuple[float, float]]) -> list[int]:
    """The first row that is free for each span; spans come ordered by start."""
    ends: list[float] = []
    rows = []
    for start, end in spans:
        free = (row for row, until in enumerate(ends) if until <= start)
        row = next(free, len(ends))
        ends[row : row + 1] = [end]
        rows.append(row)
    return rows


def _fields(bars: Sequence[Bar]) -> Columns:
    """What the card of a bar names."""
    return {
        "bucket": [one.number for one in bars],
        "layers": [one.name for one in bars],
        "size": [one.size_mb for one in bars],
        "ready": [one.ready for one in bars],
        "start": [one.start for one in bars],
        "end": [one.end for one in bars],
    }


def ready_lines(transfers: Sequence[Bar]) -> Columns:
    """From the moment a bucket is ready down to the start of its transfer."""
    return {
        "x0": [one.ready for one in transfers],
        "y0": [COMPUTE_Y[0]] * len(transfers),
        "x1": [one.start for one in transfers],
        "y1": [LINK_Y[1]] * len(transfers),
    }


def bracket(pass_ms: float, end_ms: float) -> Columns:
    """A line over the exposed part with a foot at each end."""
    foot_y = LINK_Y[1] + 0.2
    return {
        "x0": [pass_ms, pass_ms, end_ms],
        "y0": [BRACKET_Y, foot_y, foot_y],
        "x1": [end_ms, pass_ms, end_ms],
        "y1": [BRACKET_Y, BRACKET_Y, BRACKET_Y],
    }


def captions() -> Columns:
    """The names of the lanes."""
    lanes = tuple(CAPTION_Y)
    return {
        "x": [0] * len(lanes),
        "y": [CAPTION_Y[lane] for lane in lanes],
        "text": [cell(f"lane.{lane}") for lane in lanes],
    }


def _columns(
    left: list[float], right: list[float], between_y: tuple[float, float]
) -> Columns:
    low, high = between_y
    return {
        "left": left,
        "right": right,
        "bottom": [low] * len(left),
        "top": [high] * len(left),
    }


def _labels(bars: Columns, texts: Sequence[str]) -> Columns:
    """A text in the middle of each bar, with the room it has."""
    spans = list(
        zip(bars["left"], bars["right"], bars["bottom"], bars["top"], strict=True)
    )
    return {
        "x": [(left + right) / 2 for left, right, *_ in spans],
        "y": [(bottom + top) / 2 for *_, bottom, top in spans],
        "text": list(texts),
        "room": [right - left for left, right, *_ in spans],
    }
