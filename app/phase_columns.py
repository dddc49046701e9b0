"""Columns of what stands above the lanes and over them: phases, a part of the step."""

from collections.abc import Sequence

from overlap_widget.app.said import cell
from overlap_widget.app.step_part import bands
from overlap_widget.app.stream_bars import Columns
from overlap_widget.model.phase_bands import Band
from overlap_widget.model.recording import Window
from overlap_widget.model.units import MS

ROOM_ABOVE = 0.55
"""Of the phases, in heights of a lane."""
BAND_Y = (0.08, 0.46)
"""Above the highest lane."""


def bands_of(shown: Window) -> tuple[Band, ...]:
    """The phases of a step; () for a whole device, which has none."""
    if shown.recording is None or shown.step is None:
        return ()
    step = shown.recording.steps.index(shown.step)
    return bands(shown.recording, shown.device, step)


def phase_columns(found: tuple[Band, ...], lanes: int) -> dict[str, Columns]:
    """Boxes with the name of their phase and how long it takes."""
    left = [round(one.start_s / MS, 6) for one in found]
    right = [round(one.end_s / MS, 6) for one in found]
    phase = [one.phase.name.lower() for one in found]
    length = [end - start for start, end in zip(left, right, strict=True)]
    return {
        "phases": {
            "left": left,
            "right": right,
            "bottom": [lanes + BAND_Y[0]] * len(found),
            "top": [lanes + BAND_Y[1]] * len(found),
            "phase": phase,
            "start": left,
            "length": length,
        },
        "phase_labels": {
            "x": [(start + end) / 2 for start, end in zip(left, right, strict=True)],
            "y": [lanes + sum(BAND_Y) / 2] * len(found),
            "text": [
                cell("phase.long", phase=cell(f"phase.{name}"), length_s=long * MS)
                for name, long in zip(phase, length, strict=True)
            ],
            "room": length,
            "alone": [1] * len(found),
        },
    }


def left_out(
    part_s: tuple[float, float] | None, whole_ms: Sequence[float], top: float
) -> Columns:
    """What of the step lies before and after the part that is looked at."""
    if part_s is None:
        return {"left": [], "right": [], "bottom": [], "top": []}
    start, end = (moment / MS for moment in part_s)
    return {
        "left": [whole_ms[0], end],
        "right": [start, whole_ms[1]],
        "bottom": [-0.5, -0.5],
        "top": [top, top],
    }
