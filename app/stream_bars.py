"""Bars of a measured step as columns: kernels, exposed parts, the tail."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.app.notes import no_note, note
from overlap_widget.app.said import cell
from overlap_widget.app.stream_lanes import Lane
from overlap_widget.model.breakdown import exposed, tail
from overlap_widget.model.intervals import Intervals, intersection, length_s, union
from overlap_widget.model.marks import Marks, visible_parts
from overlap_widget.model.timeline import Collective, Kind, Timeline
from overlap_widget.model.units import MS

MOST_MARKS = 4000
"""In all lanes together; merging gets coarser rather than pass it."""
BAR_Y, CAPTION_Y = (0.10, 0.60), 0.82
"""Within a lane, whose height is 1."""
TAIL_Y = (-0.36, -0.14)
"""Under the lowest lane."""
OUTLINED_PX = 3
NO_ROWS = np.empty(0, dtype=np.int64)

Columns = dict[str, list[Any]]
Window = tuple[float, float]


def kernel_bars(
    timeline: Timeline, lanes: list[Lane], drawn: list[Marks], kind: Kind
) -> Columns:
    """The marks of all lanes of a kind."""
    named = _moved if kind == Kind.COMMUNICATION else _named
    return _joined(
        [
            _spans(lane.y, one.start_s, one.end_s) | named(timeline, one.row, one.spans)
            for lane, one in zip(lanes, drawn, strict=True)
            if lane.kind == kind
        ],
        named(timeline, NO_ROWS, NO_ROWS),
    )


def exposed_bars(
    timeline: Timeline,
    lanes: list[Lane],
    around_s: Window,
    pixel_s: float,
    outlined_s: float,
) -> Columns:
    """The parts of communication lanes during which nothing computes.

    An outline is for what is wide or most of a transfer: with one, a gap of 1 µs inside
    of a hidden transfer would look like 20.
    """
    bare = intersection(exposed(timeline), np.array([around_s]))
    parts = [
        _exposed_parts(timeline, lane, bare, pixel_s, outlined_s)
        for lane in lanes
        if lane.kind == Kind.COMMUNICATION
    ]
    return _joined(parts, _moved(timeline, NO_ROWS, NO_ROWS) | {"outline": []})


def tail_bar(timeline: Timeline) -> Columns:
    """One thin bar from the end of the pass to the last transfer; its own length."""
    after, end_s = tail(timeline), timeline.backward_end_s
    if end_s is None or not len(after):
        return _spans(0, np.empty(0), np.empty(0)) | {"tail": []}
    return _spans(0, np.array([end_s]), after[-1:, 1]) | {
        "bottom": [TAIL_Y[0]],
        "top": [TAIL_Y[1]],
        "tail": [length_s(after) / MS],
    }


def tail_label(bar: Columns, axis_ms: float) -> Columns:
    """The tail's length beside its bar."""
    if not bar["tail"]:
        return no_note()
    text = cell("mark.tail", tail_s=bar["tail"][0] * MS)
    place = (bar["right"][0], sum(TAIL_Y) / 2)
    return note(place, text, axis_end=axis_ms, end=bar["left"][0])


def _exposed_parts(
    timeline: Timeline, lane: Lane, bare: Intervals, pixel_s: float, outlined_s: float
) -> Columns:
    """The parts of a lane's transfers in `bare`, the time in which nothing computes."""
    rows = np.flatnonzero(lane.rows)
    rows = rows[np.argsort(timeline.start_s[rows], kind="stable")]
    start_s, end_s = timeline.start_s[rows], timeline.end_s[rows]
    parts = intersection(union(start_s, end_s), bare)
    at = np.searchsorted(start_s, parts[:, 0], side="right") - 1
    drawn = visible_parts(parts, (end_s - start_s)[at], pixel_s)
    at = np.searchsorted(start_s, drawn[:, 0], side="right") - 1
    width_s = drawn[:, 1] - drawn[:, 0]
    most = drawn[:, 2] >= (end_s - start_s)[at] / 2
    outlined = (width_s >= outlined_s) | most
    alone = np.ones(len(drawn), dtype=np.int64)
    return (
        _spans(lane.y, drawn[:, 0], drawn[:, 1])
        | _moved(timeline, rows[at], alone)
        | {
            "length": np.round(drawn[:, 2] / MS, 6).tolist(),
            "outline": outlined.astype(float).tolist(),
        }
    )


def _spans(
    y: float, start_s: NDArray[np.float64], end_s: NDArray[np.float64]
) -> Columns:
    """Bars of a lane in milliseconds, to the nanosecond."""
    left, right = np.round(start_s / MS, 6), np.round(end_s / MS, 6)
    return {
        "left": left.tolist(),
        "right": right.tolist(),
        "bottom": [y + BAR_Y[0]] * len(left),
        "top": [y + BAR_Y[1]] * len(left),
        "start": left.tolist(),
        "length": np.round((end_s - start_s) / MS, 6).tolist(),
    }


def _named(
    timeline: Timeline, rows: NDArray[np.int64], spans: NDArray[np.int64]
) -> Columns:
    """What the card of a mark says of the span that it is named for."""
    return {
        "name": timeline.name[rows].tolist(),
        "kernels": spans.tolist(),
    }


def _moved(
    timeline: Timeline, rows: NDArray[np.int64], spans: NDArray[np.int64]
) -> Columns:
    """That, and what the transfer moves."""
    collectives = [Collective(code) for code in timeline.collective[rows]]
    return _named(timeline, rows, spans) | {
        "collective": [one.name.lower() for one in collectives],
        "bytes": [
            None if np.isnan(size) else float(size)
            for size in timeline.size_bytes[rows]
        ],
    }


def _joined(parts: list[Columns], fields: Columns) -> Columns:
    """The bars of several lanes as one source; no rows without a lane."""
    nothing = _spans(0, np.empty(0), np.empty(0)) | fields
    return {key: [value for part in parts for value in part[key]] for key in nothing}
