"""A part of a step: what of its spans lies between two moments."""

from dataclasses import replace

import numpy as np

from overlap_widget.model.recording import Window
from overlap_widget.model.timeline import Timeline


def part(shown: Window, start_s: float, end_s: float) -> Window:
    """The step between two moments of its clock, which goes on counting from its start.

    A span that crosses a moment is cut there; its size stays that of the whole. The
    backward pass ends where it ends.
    """
    timeline = shown.timeline
    rows = (timeline.end_s > start_s) & (timeline.start_s < end_s)
    return replace(shown, timeline=_clipped(timeline.select(rows), start_s, end_s))


def _clipped(timeline: Timeline, start_s: float, end_s: float) -> Timeline:
    begin_s = np.maximum(timeline.start_s, start_s)
    return replace(
        timeline,
        start_s=begin_s,
        end_s=np.minimum(timeline.end_s, end_s),
        ready_s=np.clip(timeline.ready_s, start_s, begin_s),
    )
