"""Columns for the figure of a measured step: lanes, exposed parts, the tail."""

from typing import Any

from overlap_widget.app.figures import AXIS_HEIGHT, ROW_HEIGHT
from overlap_widget.app.measured import Measured
from overlap_widget.app.notes import no_note, note
from overlap_widget.app.phase_columns import (
    ROOM_ABOVE,
    bands_of,
    left_out,
    phase_columns,
)
from overlap_widget.app.said import cell
from overlap_widget.app.stream_bars import (
    CAPTION_Y,
    MOST_MARKS,
    OUTLINED_PX,
    Columns,
    exposed_bars,
    kernel_bars,
    tail_bar,
    tail_label,
)
from overlap_widget.app.stream_lanes import Lane, lanes_of
from overlap_widget.model.marks import Marks, marks
from overlap_widget.model.recording import Window
from overlap_widget.model.timeline import Kind, Timeline
from overlap_widget.model.units import MS, NS

SCREEN_PX = 1000
"""Widths that marks are merged for: what one screen shows of a lane."""
LONGEST_NAME = 140
ROOM_BELOW = 24
"""For the tail under the lowest lane, in pixels."""


def stream_columns(
    measured: Measured, shown: Window, finest_s: float | None = None
) -> dict[str, Any]:
    """Sources, ranges and properties of the recording's figure.

    Marks reach one window's width to both sides of what is visible, so that a pan
    shows them at once and finer ones can follow. Where none can, they are merged for
    `finest_s` instead of a pixel: kernels stand apart when one zooms in.
    """
    timeline = shown.timeline
    lanes = lanes_of(timeline)
    whole_ms = _whole_ms(timeline)
    phases = bands_of(shown)
    top = max(1, len(lanes)) + (ROOM_ABOVE if phases else 0)
    return {
        "frame": f"{measured.recording}/{measured.device}/{measured.step}",
        "names": list(map(short_name, timeline.names)),
        "sources": {
            **_bars(timeline, lanes, measured.window_s, finest_s),
            **_tail(timeline, whole_ms["end"]),
            "captions": _captions(lanes),
            "pass_label": _pass_label(shown, lanes, whole_ms["end"]),
            **phase_columns(phases, len(lanes)),
            "left_out": left_out(measured.part_s, whole_ms["bounds"], top),
        },
        "ranges": {"recording_x": whole_ms, "rows": _rows(top)},
        "props": _props(shown, top),
    }


def _rows(top: float) -> dict[str, float]:
    return {"start": -0.5, "end": top}


def _props(shown: Window, top: float) -> dict[str, Any]:
    end_s = _pass_end_s(shown)
    height = AXIS_HEIGHT + ROW_HEIGHT * top + ROOM_BELOW
    return {
        "recording": {"height": round(height)},
        "rows": _rows(top),  # other classes make other lanes of the same step
        "pass_end": {"location": None if end_s is None else end_s / MS},
    }


def _bars(
    timeline: Timeline,
    lanes: list[Lane],
    window_s: tuple[float, float] | None,
    finest_s: float | None,
) -> dict[str, Columns]:
    start_s, end_s = window_s or (0.0, float(timeline.end_s.max(initial=0.0)))
    width_s = end_s - start_s
    around_s = (start_s - width_s, end_s + width_s)
    screen_s = width_s / SCREEN_PX
    merged_s = screen_s if finest_s is None else finest_s
    drawn, pixel_s = _drawn(timeline, lanes, around_s, merged_s)
    outlined_s = OUTLINED_PX * max(pixel_s, screen_s)
    return {
        "compute": kernel_bars(timeline, lanes, drawn, Kind.COMPUTE),
        "other": kernel_bars(timeline, lanes, drawn, Kind.OTHER),
        "hidden": kernel_bars(timeline, lanes, drawn, Kind.COMMUNICATION),
        "exposed": exposed_bars(timeline, lanes, around_s, pixel_s, outlined_s),
    }


def _tail(timeline: Timeline, axis_ms: float) -> dict[str, Columns]:
    bar = tail_bar(timeline)
    return {"tail": bar, "tail_label": tail_label(bar, axis_ms)}


def _captions(lanes: list[Lane]) -> Columns:
    return {
        "x": [0.0] * len(lanes),
        "y": [lane.y + CAPTION_Y for lane in lanes],
        "text": [lane.caption for lane in lanes],
    }


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
        pixel_s = max(1.5 * pixel_s, NS)


def _pass_end_s(shown: Window) -> float | None:
    """Where to draw the end of the pass; nowhere if it is a guess that nothing uses."""
    communicates = (shown.timeline.kind == Kind.COMMUNICATION).any()
    return (
        shown.timeline.backward_end_s if shown.backward_found or communicates else None
    )


def _pass_label(shown: Window, lanes: list[Lane], axis_ms: float) -> Columns:
    end_s = _pass_end_s(shown)
    if end_s is None:
        return no_note()
    top = lanes[0]
    return note(
        (end_s / MS, top.y + CAPTION_Y),
        cell("mark.pass_end" if shown.backward_found else "mark.pass_end_guessed"),
        axis_end=axis_ms,
        end=end_s / MS,
        caption=top.caption,
    )


def _whole_ms(timeline: Timeline) -> dict[str, Any]:
    """All of the step with a little room, and no way to pan out of it."""
    span_s = float(timeline.end_s.max(initial=0.0))
    margin_s = 0.02 * span_s or MS
    start, end = -margin_s / MS, (span_s + margin_s) / MS
    return {"start": start, "end": end, "bounds": [start, end]}


def short_name(name: str) -> str:
    """Of a kernel, as the cards of its marks have room for."""
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
