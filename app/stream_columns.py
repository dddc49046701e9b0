"""Columns for the figure of a measured step: one lane a stream and kind."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.app.figures import AXIS_HEIGHT, ROW_HEIGHT
from overlap_widget.app.measured import Measured
from overlap_widget.app.notes import no_note, note
from overlap_widget.app.quantities import time_text
from overlap_widget.app.words import words
from overlap_widget.model.breakdown import exposed, tail
from overlap_widget.model.intervals import Intervals, intersection, length_s, union
from overlap_widget.model.marks import Marks, marks
from overlap_widget.model.timeline import Kind, Timeline
from overlap_widget.model.units import MS, NS

MOST_LANES = 12
SCREEN_PX = 1000
"""Widths that marks are merged for: what one screen shows of a lane."""
MOST_MARKS = 4000
"""In all lanes together; merging gets coarser rather than pass it."""
LONGEST_NAME = 140
BAR_Y, CAPTION_Y = (0.10, 0.60), 0.82
"""Within a lane, whose height is 1."""
TAIL_Y = (-0.36, -0.14)
"""Under the lowest lane."""

ORDER = (Kind.COMPUTE, Kind.COMMUNICATION, Kind.OTHER)


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """The spans of one kind on one stream, and where they are drawn."""

    stream: int
    kind: Kind
    rows: NDArray[np.bool_]
    y: float


def stream_columns(measured: Measured, timeline: Timeline) -> dict[str, Any]:
    """Sources, ranges and properties of the recording's figure.

    Marks reach one window's width to both sides of what is visible, so that a pan
    shows them at once and finer ones can follow.
    """
    span_s = float(timeline.end_s.max(initial=0.0))
    start_s, end_s = measured.window_s or (0.0, span_s)
    width_s = end_s - start_s
    around_s = (start_s - width_s, end_s + width_s)
    lanes = _lanes(timeline)
    drawn, pixel_s = _drawn(timeline, lanes, around_s, width_s / SCREEN_PX)
    pass_end_s = timeline.backward_end_s
    return {
        "frame": f"{measured.recording}/{measured.device}/{measured.step}",
        "names": [_short(name) for name in timeline.names],
        "sources": _sources(timeline, lanes, drawn, pixel_s),
        "ranges": {
            "recording_x": _whole_ms(span_s),
            "rows": {"start": -0.5, "end": max(1, len(lanes))},
        },
        "props": {
            "recording": {"height": AXIS_HEIGHT + ROW_HEIGHT * (len(lanes) or 1) + 24},
            "pass_end": {"location": -1 if pass_end_s is None else pass_end_s / MS},
        },
    }


def _sources(
    timeline: Timeline, lanes: list[Lane], drawn: list[Marks], pixel_s: float
) -> dict[str, Any]:
    kinds = {"compute": Kind.COMPUTE, "other": Kind.OTHER, "hidden": Kind.COMMUNICATION}
    bars: dict[str, Any] = {
        source: _joined(
            [
                _bars(timeline, lane, one)
                for lane, one in zip(lanes, drawn, strict=True)
                if lane.kind == kind
            ]
        )
        for source, kind in kinds.items()
    }
    span_s = float(timeline.end_s.max(initial=0.0))
    top_y = len(lanes) - 1 + CAPTION_Y
    return (
        bars
        | _backward_end(timeline, top_y, _whole_ms(span_s)["end"])
        | {
            "exposed": _outlined(
                _joined(
                    [
                        _exposed_bars(timeline, lane, pixel_s)
                        for lane in lanes
                        if lane.kind == Kind.COMMUNICATION
                    ]
                ),
                pixel_s,
            ),
            "captions": {
                "x": [0.0] * len(lanes),
                "y": [lane.y + CAPTION_Y for lane in lanes],
                "text": [_caption(lane) for lane in lanes],
            },
        }
    )


def _lanes(timeline: Timeline) -> list[Lane]:
    """Compute streams first, then communication, then the rest; busiest first."""
    found: list[tuple[int, Kind]] = []
    for kind in ORDER:
        streams, counts = np.unique(
            timeline.stream[timeline.kind == kind], return_counts=True
        )
        busiest = streams[np.argsort(-counts, kind="stable")]
        found.extend((int(stream), kind) for stream in busiest)
    shown = found[:MOST_LANES]
    return [
        Lane(
            stream=stream,
            kind=kind,
            rows=(timeline.kind == kind) & (timeline.stream == stream),
            y=float(len(shown) - 1 - row),
        )
        for row, (stream, kind) in enumerate(shown)
    ]


def _drawn(
    timeline: Timeline,
    lanes: list[Lane],
    around_s: tuple[float, float],
    pixel_s: float,
) -> tuple[list[Marks], float]:
    """The marks of each lane, merged until there are few enough, and how coarsely."""
    while True:
        drawn = [marks(timeline, lane.rows, around_s, pixel_s) for lane in lanes]
        if sum(map(len, drawn)) <= MOST_MARKS:
            return drawn, pixel_s
        pixel_s *= 1.5


def _bars(timeline: Timeline, lane: Lane, drawn: Marks) -> dict[str, list[Any]]:
    return _spans(lane.y, drawn.start_s, drawn.end_s) | {
        "name": timeline.name[drawn.row].tolist(),
        "kernels": drawn.spans.tolist(),
    }


def _exposed_bars(
    timeline: Timeline, lane: Lane, pixel_s: float
) -> dict[str, list[Any]]:
    """The parts of a communication lane during which nothing computes."""
    rows = lane.rows
    busy = union(timeline.start_s[rows], timeline.end_s[rows])
    parts = _wider_joined(intersection(busy, exposed(timeline)), pixel_s)
    at = np.searchsorted(np.sort(timeline.start_s[rows]), parts[:, 0], side="right") - 1
    order = np.flatnonzero(rows)[np.argsort(timeline.start_s[rows], kind="stable")]
    return _spans(lane.y, parts[:, 0], parts[:, 1]) | {
        "name": timeline.name[order[at]].tolist(),
        "kernels": [1] * len(parts),
    }


def _outlined(bars: dict[str, list[Any]], pixel_s: float) -> dict[str, list[Any]]:
    """Only what is wide enough gets an outline, or a gap of 1 µs would look like 20."""
    wide_ms = 3 * pixel_s / MS
    return bars | {"outline": [float(length >= wide_ms) for length in bars["length"]]}


def _wider_joined(parts: Intervals, pixel_s: float) -> Intervals:
    """Parts with gaps narrower than a pixel drawn as one, at most MOST_MARKS."""
    while len(parts) > 1:
        gap = parts[1:, 0] - parts[:-1, 1] >= pixel_s
        parts = np.column_stack(
            [parts[np.r_[True, gap], 0], parts[np.r_[gap, True], 1]]
        )
        if len(parts) <= MOST_MARKS:
            break
        pixel_s = 1.5 * pixel_s or NS
    return parts


def _backward_end(timeline: Timeline, top_y: float, axis_ms: float) -> dict[str, Any]:
    """Where the backward pass ends, and a thin bar under all lanes for the tail."""
    end_s, after = timeline.backward_end_s, tail(timeline)
    nothing = np.empty(0)
    if end_s is None:
        bar = _spans(0, nothing, nothing) | {"tail": []}
        return {"tail": bar, "tail_label": no_note(), "pass_label": no_note()}
    named = note(end_s / MS, top_y, words("lane.pass_end"), axis_ms, end_s / MS)
    if not len(after):
        bar = _spans(0, nothing, nothing) | {"tail": []}
        return {"tail": bar, "tail_label": no_note(), "pass_label": named}
    last_ms, tail_s = after[-1, 1] / MS, length_s(after)
    text = words("lane.tail", tail=time_text(tail_s))
    bar = _spans(0, np.array([end_s]), after[-1:, 1]) | {
        "bottom": [TAIL_Y[0]],
        "top": [TAIL_Y[1]],
        "tail": [tail_s / MS],
    }
    below = note(last_ms, sum(TAIL_Y) / 2, text, axis_ms, end_s / MS)
    return {"tail": bar, "tail_label": below, "pass_label": named}


def _spans(
    y: float, start_s: NDArray[np.float64], end_s: NDArray[np.float64]
) -> dict[str, list[Any]]:
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


def _joined(parts: list[dict[str, list[Any]]]) -> dict[str, list[Any]]:
    """The bars of several lanes as one source; no rows without a lane."""
    nothing = _spans(0, np.empty(0), np.empty(0)) | {"name": [], "kernels": []}
    return {key: [value for part in parts for value in part[key]] for key in nothing}


def _caption(lane: Lane) -> str:
    kind = words(f"lane.{lane.kind.name.lower()}")
    return words("lane.stream", kind=kind, stream=lane.stream)


def _whole_ms(span_s: float) -> dict[str, Any]:
    """All of the step with a little room, and no way to pan out of it."""
    margin_s = 0.02 * span_s or MS
    start, end = -margin_s / MS, (span_s + margin_s) / MS
    return {"start": start, "end": end, "bounds": [start, end]}


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
