"""Columns for the figure of several ranks: what each did in one step, on one clock."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.app.rank_figure import figure_height
from overlap_widget.app.said import Data
from overlap_widget.model.breakdown import exposed
from overlap_widget.model.intervals import Intervals, difference, intersection
from overlap_widget.model.marks import marks, visible_parts
from overlap_widget.model.timeline import Kind, Timeline
from overlap_widget.model.units import MS, NS

SCREEN_PX = 1000
MOST_MARKS = 8000
"""In all rows together; merging gets coarser rather than pass it."""
COMPUTE_Y, LINK_Y = (0.55, 0.86), (0.14, 0.45)
"""Within a row, whose height is 1."""
SOURCES = ("compute", "hidden", "exposed", "waits", "waits_exposed")

Columns = dict[str, list[Any]]
Parts = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RankLane:
    """What one rank did in a step.

    text:     "Rank 3", as a sentence
    timeline: its spans in the step, since the first of them
    start_s:  when that one starts, on the clock of all ranks
    waiting:  when it waits for another rank, on the clock of `timeline`
    """

    text: Data
    timeline: Timeline
    start_s: float
    waiting: Intervals


def rank_columns(lanes: Sequence[RankLane]) -> dict[str, Any]:
    """Sources, ranges and properties of the figure; the first rank on top."""
    whole_ms = _whole_ms(lanes)
    pixel_s = (whole_ms["end"] - whole_ms["start"]) * MS / SCREEN_PX
    parts = _few(lanes, pixel_s)
    return {
        "names": [one.text for one in lanes],
        "sources": {name: _bars(lanes, parts, name) for name in SOURCES},
        "ranges": {
            "ranks_x": whole_ms,
            "rank_rows": {"start": 0, "end": max(1, len(lanes))},
        },
        "props": {"ranks": {"height": figure_height(len(lanes))}},
    }


def _whole_ms(lanes: Sequence[RankLane]) -> dict[str, Any]:
    """From the first start to the last end of all ranks, with a little room."""
    ends_s = [one.start_s + float(one.timeline.end_s.max(initial=0.0)) for one in lanes]
    start_s = min((one.start_s for one in lanes), default=0.0)
    end_s = max(ends_s, default=0.0)
    margin_s = 0.02 * (end_s - start_s) or MS
    return {"start": (start_s - margin_s) / MS, "end": (end_s + margin_s) / MS}


def _few(lanes: Sequence[RankLane], pixel_s: float) -> list[dict[str, Parts]]:
    """The parts of each lane by source, merged until all together are few enough."""
    while True:
        parts = [_parts(one, pixel_s) for one in lanes]
        if sum(len(rows) for one in parts for rows in one.values()) <= MOST_MARKS:
            return parts
        pixel_s = max(1.5 * pixel_s, NS)


def _parts(lane: RankLane, pixel_s: float) -> dict[str, Parts]:
    """Rows [start, end, covered] of what each source draws, on the lane's clock."""
    bare = exposed(lane.timeline)
    return {
        "compute": _merged(lane.timeline, Kind.COMPUTE, pixel_s),
        "hidden": _merged(lane.timeline, Kind.COMMUNICATION, pixel_s),
        "exposed": _visible(lane, difference(bare, lane.waiting), pixel_s),
        "waits": _visible(lane, difference(lane.waiting, bare), pixel_s),
        "waits_exposed": _visible(lane, intersection(lane.waiting, bare), pixel_s),
    }


def _merged(timeline: Timeline, kind: Kind, pixel_s: float) -> Parts:
    """Spans of a kind, those narrower than a pixel together."""
    end_s = float(timeline.end_s.max(initial=0.0))
    drawn = marks(timeline, timeline.kind == kind, (0.0, end_s), pixel_s)
    return np.column_stack([drawn.start_s, drawn.end_s, drawn.end_s - drawn.start_s])


def _visible(lane: RankLane, parts: Intervals, pixel_s: float) -> Parts:
    """What to draw of parts of the time in which the lane communicates.

    Few however many transfers there are: what is left less than a pixel apart is one.
    """
    busy = lane.timeline.busy(Kind.COMMUNICATION)
    if not len(busy) or not len(parts):
        return np.empty((0, 3))
    at = np.searchsorted(busy[:, 0], parts[:, 0], side="right") - 1
    span_s = (busy[:, 1] - busy[:, 0])[np.maximum(at, 0)]
    seen = visible_parts(parts, span_s, pixel_s)
    if not len(seen):
        return seen
    apart = seen[1:, 0] - seen[:-1, 1] >= pixel_s
    first = np.flatnonzero(np.r_[True, apart])
    last = np.flatnonzero(np.r_[apart, True])
    covered_s = np.add.reduceat(seen[:, 2], first)
    return np.column_stack([seen[first, 0], seen[last, 1], covered_s])


def _bars(
    lanes: Sequence[RankLane], parts: Sequence[dict[str, Parts]], name: str
) -> Columns:
    """The bars of a source in all rows, in milliseconds to the nanosecond.

    `name` is an index into the names of the lanes.
    """
    counts = [len(one[name]) for one in parts]
    rows = np.concatenate([np.empty((0, 3)), *(one[name] for one in parts)])
    at = np.repeat(np.arange(len(lanes)), counts)
    start_s = np.array([one.start_s for one in lanes])[at]
    bottom, top = COMPUTE_Y if name == "compute" else LINK_Y
    y = len(lanes) - 1 - at
    return {
        "left": np.round((start_s + rows[:, 0]) / MS, 6).tolist(),
        "right": np.round((start_s + rows[:, 1]) / MS, 6).tolist(),
        "bottom": (y + bottom).tolist(),
        "top": (y + top).tolist(),
        "name": at.tolist(),
        "length": np.round(rows[:, 2] / MS, 6).tolist(),
    }
