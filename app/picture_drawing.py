"""A figure's columns as a drawing: of a simulated step, or of a step of a recording."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from overlap_widget.app.cover import covered_lanes, covered_recording
from overlap_widget.app.figure_parts import FONT
from overlap_widget.app.lane_columns import lane_columns
from overlap_widget.app.lane_marks import marks_of
from overlap_widget.app.measured import Measured
from overlap_widget.app.picture_axis import draw_axis
from overlap_widget.app.picture_frame import LEFT_PX, RIGHT_PX, Frame
from overlap_widget.app.picture_marks import draw, hatches
from overlap_widget.app.picture_style import Style, lane_styles, stream_styles
from overlap_widget.app.picture_tags import Attributes, escaped, tag
from overlap_widget.app.stream_columns import stream_columns
from overlap_widget.app.words import ENGLISH, spoken, words
from overlap_widget.model.backward import Simulation
from overlap_widget.model.recording import Window
from overlap_widget.model.scenarios import Ghost
from overlap_widget.model.simulated import timeline_of
from overlap_widget.model.units import MS

ABOVE_PX, BELOW_PX = 8, 45
"""Of a frame: half a text, and the time axis; as in the Bokeh figures."""


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """What a picture shows: columns as the figures get them, and their looks.

    x_range:   of the time axis, in milliseconds
    y_range:   of the y axis, upwards
    """

    styles: tuple[Style, ...]
    columns: Mapping[str, Any]
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    height_px: float
    axis_label: str

    @property
    def ident(self) -> str:
        """For the ids of its parts: another one in each picture of a page."""
        sources = repr(self.columns["sources"]).encode("utf-8", "replace")
        return f"overlap-{hashlib.sha256(sources).hexdigest()[:8]}"

    def is_there(self, source: str) -> bool:
        """Whether a source has rows."""
        rows = self.columns["sources"].get(source, {})
        return any(map(bool, rows.values()))

    def frame(self, left_px: float, top_px: float, width_px: float | None) -> Frame:
        """Where its data lie in a place so wide; in percent of it without a width."""
        inner_px = None if width_px is None else width_px - LEFT_PX - RIGHT_PX
        return Frame(
            *self.x_range,
            *self.y_range,
            top_px=top_px + ABOVE_PX,
            height_px=self.height_px - ABOVE_PX - BELOW_PX,
            left_px=left_px + LEFT_PX,
            width_px=inner_px,
        )


def step_drawing(
    simulation: Simulation, ghost: Ghost | None = None, *, covered: bool = False
) -> Drawing:
    """The lanes of a simulated step; with what was measured, where there is any.

    `covered` draws it up to the end of its pass.
    """
    columns = lane_columns(timeline_of(simulation), marks_of(simulation), ghost)
    if covered:
        columns = covered_lanes(columns)
    shown, rows = columns["ranges"]["lanes_x"], columns["ranges"]["lanes_y"]
    return Drawing(
        styles=lane_styles(),
        columns=columns,
        x_range=(shown["start"], shown["end"]),
        y_range=(rows["start"], rows["end"]),
        height_px=columns["props"]["lanes"]["height"],
        axis_label=words("axis.time"),
    )


def recorded_drawing(
    measured: Measured, shown: Window, *, covered: bool = False
) -> Drawing:
    """The streams of a measured step, or the part of it that is looked at.

    `covered` draws no communication, and nothing after the backward pass.
    """
    columns = stream_columns(measured, shown)
    if covered:
        columns = covered_recording({"recording": columns})["recording"]
    whole, rows = columns["ranges"]["recording_x"], columns["ranges"]["rows"]
    window_s = measured.window_s
    return Drawing(
        styles=stream_styles(),
        columns=columns,
        x_range=(window_s[0] / MS, window_s[1] / MS)
        if window_s
        else (whole["start"], whole["end"]),
        y_range=(rows["start"], rows["end"]),
        height_px=columns["props"]["recording"]["height"],
        axis_label=words("axis.step_time"),
    )


def drawn(drawing: Drawing, frame: Frame) -> str:
    """The drawing in a frame, with its patterns and its axis."""
    ident, columns = drawing.ident, drawing.columns
    return "".join(
        [
            hatches(drawing.styles, columns["sources"], ident),
            draw(drawing.styles, columns, frame, ident),
            draw_axis(frame, drawing.axis_label),
        ]
    )


def named(drawing: Drawing, title: str, summary: str) -> tuple[Attributes, str]:
    """What makes an `svg` an image with a name and a description; their elements."""
    ids = [f"{drawing.ident}-{part}" for part in ("title", "desc")]
    own = {} if spoken() == ENGLISH else {"lang": spoken()}
    attributes = {
        **own,
        "role": "img",
        "aria-labelledby": " ".join(ids),
        "font-family": FONT,
    }
    return attributes, (
        tag("title", {"id": ids[0]}, escaped(title))
        + tag("desc", {"id": ids[1]}, escaped(summary))
    )


def page_svg(drawing: Drawing, title: str, summary: str) -> str:
    """The drawing for a page: as wide as its place, its text never scaled."""
    attributes, names = named(drawing, title, summary)
    place = {
        "class": "overlap-picture",
        "width": "100%",
        "height": drawing.height_px,
        "overflow": "visible",
    }
    frame = drawing.frame(-LEFT_PX, 0, None)
    return tag("svg", {**place, **attributes}, names + drawn(drawing, frame))
