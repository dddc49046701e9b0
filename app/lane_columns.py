"""Columns for the figures of Explore, in milliseconds."""

import math
from typing import Any

from overlap_widget.app.figures import CAPTION_Y, LANES_ROOM, TAIL_TEXT_Y
from overlap_widget.app.lane_bars import (
    bars_of,
    bracket,
    bucket_labels,
    captions,
    compute_bars,
    layer_labels,
    link_bars,
    pass_ends,
    ready_lines,
    slowed_strips,
    waiting_bars,
)
from overlap_widget.app.lane_ghost import ghost_bars, ghost_captions, ghost_end_ms
from overlap_widget.app.lane_marks import NO_MARKS, LaneMarks
from overlap_widget.app.notes import note
from overlap_widget.app.quantities import time_text
from overlap_widget.app.said import cell
from overlap_widget.model.scenarios import Ghost
from overlap_widget.model.timeline import Kind, Timeline
from overlap_widget.model.units import MS

ROUND_STEPS = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
LANES_TOP = 10
ROOM_AFTER_PASS = 1.2
"""The time axis shows the pass and a fifth more, so that it rarely has to grow."""


def lane_columns(
    timeline: Timeline, marks: LaneMarks = NO_MARKS, ghost: Ghost | None = None
) -> dict[str, Any]:
    """Sources, ranges and properties of the lanes figure, with a lane for a ghost."""
    layers = bars_of(timeline, Kind.COMPUTE)
    transfers = bars_of(timeline, Kind.COMMUNICATION)
    pass_ms = (timeline.backward_end_s or 0.0) / MS
    end_ms = max(one.end for one in transfers)
    axis_ms = time_axis_ms(pass_ms, max(end_ms, ghost_end_ms(ghost)))
    compute = compute_bars(layers)
    hidden = link_bars(transfers, 0.0, pass_ms)
    exposed = link_bars(transfers, pass_ms, math.inf)
    sources = {
        "compute": compute,
        "compute_labels": layer_labels(compute),
        "hidden": hidden,
        "hidden_labels": bucket_labels(hidden),
        "exposed": exposed,
        "exposed_labels": bucket_labels(exposed),
        **waiting_bars(transfers, marks.late),
        "slowed": slowed_strips(marks.slowed),
        "passes": pass_ends(marks.passes),
        "ready": ready_lines(transfers),
        "bracket": bracket(pass_ms, end_ms),
        "captions": ghost_captions(captions(), ghost),
        **ghost_bars(ghost),
    }
    sources |= _notes(pass_ms, end_ms, axis_ms)
    return {"sources": sources} | _frame(pass_ms, axis_ms, ghost)


def _frame(pass_ms: float, axis_ms: float, ghost: Ghost | None) -> dict[str, Any]:
    """The ranges of both axes, and what else follows from the pass and the ghost."""
    low_y, height_px = LANES_ROOM["ghost" if ghost else "plain"]
    return {
        "ranges": {
            "lanes_x": {"start": 0, "end": axis_ms},
            "lanes_y": {"start": low_y, "end": LANES_TOP},
        },
        "props": {"pass_end": {"location": pass_ms}, "lanes": {"height": height_px}},
    }


def _notes(pass_ms: float, end_ms: float, axis_ms: float) -> dict[str, Any]:
    """The tail over its bracket, and the end of the pass beside its line."""
    return {
        "tail_label": note(
            (pass_ms, TAIL_TEXT_Y),
            time_text((end_ms - pass_ms) * MS),
            axis_end=axis_ms,
            end=pass_ms,
        ),
        "pass_label": note(
            (pass_ms, CAPTION_Y["compute"]),
            cell("mark.pass_end"),
            axis_end=axis_ms,
            end=pass_ms,
            caption=cell("lane.compute"),
        ),
    }


def time_axis_ms(pass_ms: float, end_ms: float) -> float:
    """Where the time axis ends: one place for all tails that fit, else the next.

    It depends on the pass alone while it can, so that a growing tail doesn't make
    the pass look shorter.
    """
    usual_ms = round_up(ROOM_AFTER_PASS * pass_ms)
    return usual_ms if end_ms <= 0.99 * usual_ms else round_up(1.02 * end_ms)


def round_up(value: float) -> float:
    """The next of 1, 1.5, 2, ... 10 times a power of ten; 1 for nothing at all.

    The power is read off the digits: a logarithm may be off by one next to it, and
    not the same in every language.
    """
    if value <= 0:
        return 1.0
    power = float(f"1e{exponent_of(value)}")
    step = next((one for one in ROUND_STEPS if one * power >= value), 10)
    return step * power


def exponent_of(value: float) -> int:
    """Of a positive number as it is written in scientific notation."""
    return int(f"{value:.16e}".partition("e")[2])
