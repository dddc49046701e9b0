"""A part of the step: chosen by hand, its numbers, and its phases."""

import math
from dataclasses import replace
from typing import Any

from overlap_widget.app.measured import Measured
from overlap_widget.app.remembered import remembered
from overlap_widget.app.step_rows import step_rows
from overlap_widget.model.part import part
from overlap_widget.model.phase_bands import phase_bands
from overlap_widget.model.recording import Phase, Window

PHASES = (Phase.FORWARD, Phase.BACKWARD, Phase.OPTIMIZER)

bands = remembered(phase_bands)


def choose_part(measured: Measured, start_s: float, end_s: float) -> Measured:
    """A part of the step that is shown; all of it where the part covers it.

    Nothing changes for a part without length, or outside of the step. Compared are
    whole steps only.
    """
    if not -math.inf < start_s < end_s < math.inf:
        return measured
    device = measured.shown.devices[measured.device]
    span_s = step_rows(measured.shown, device)[measured.step]["span_s"]
    start_s, end_s = max(start_s, 0.0), min(end_s, span_s)
    if start_s >= end_s:
        return measured
    if (start_s, end_s) == (0.0, span_s):
        return whole_step(measured)
    return replace(measured, part_s=(start_s, end_s), against=None)


def whole_step(measured: Measured) -> Measured:
    """All of the step again."""
    return replace(measured, part_s=None)


def cut_part(measured: Measured, shown: Window) -> Window:
    """What of the chosen step is looked at in numbers."""
    return shown if measured.part_s is None else part(shown, *measured.part_s)


def part_view(measured: Measured) -> dict[str, float] | None:
    """The part in seconds; None for the whole step."""
    if measured.part_s is None:
        return None
    start_s, end_s = measured.part_s
    return {"start_s": start_s, "end_s": end_s}


def phase_lengths(measured: Measured) -> dict[str, Any]:
    """How long each phase takes of what is looked at; None where nothing tells."""
    recording = measured.shown
    device = recording.devices[measured.device]
    low_s, high_s = measured.part_s or (-math.inf, math.inf)
    lengths: dict[str, Any] = {}
    found = bands(recording, device, measured.step)
    for phase in PHASES:
        inside = [
            max(0.0, min(one.end_s, high_s) - max(one.start_s, low_s))
            for one in found
            if one.phase == phase
        ]
        lengths[f"{phase.name.lower()}_s"] = sum(inside) if inside else None
    return lengths
