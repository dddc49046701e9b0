"""What is chosen of the open recordings, and the numbers of that step."""

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from overlap_widget.app.measured import Measured
from overlap_widget.app.ranks_view import rank_numbers
from overlap_widget.app.step_part import cut_part, part_view, phase_lengths
from overlap_widget.app.step_rows import step_rows
from overlap_widget.model.breakdown import break_down
from overlap_widget.model.recording import Recording, Window, window
from overlap_widget.model.timeline import Kind

Cut = Callable[[Recording, int, int], Window]
"""`window`, or a remembering form of it."""


def shown_window(measured: Measured, cut: Cut = window) -> Window:
    """The chosen step of the chosen device."""
    recording = measured.shown
    return cut(recording, recording.devices[measured.device], measured.step)


def step_view(measured: Measured, cut: Cut = window) -> dict[str, Any]:
    """What is chosen and what there is to choose, and the numbers of the step."""
    recording = measured.shown
    device = recording.devices[measured.device]
    return {
        "recording": measured.recording,
        "devices": list(recording.devices),
        "device": measured.device,
        "steps": step_rows(recording, device),
        "step": measured.step,
        "part": part_view(measured),
        "numbers": _numbers(measured, cut)
        | phase_lengths(measured)
        | rank_numbers(measured),
    }


def _numbers(measured: Measured, cut: Cut) -> dict[str, Any]:
    shown = cut_part(measured, shown_window(measured, cut))
    numbers = break_down(shown.timeline)
    if measured.part_s is not None:  # its edges may be idle
        numbers = replace(numbers, span_s=measured.part_s[1] - measured.part_s[0])
    sizes = shown.timeline.size_bytes[shown.timeline.kind == Kind.COMMUNICATION]
    return {
        **asdict(numbers),
        "idle_s": numbers.idle_s,
        "overlap": numbers.overlap,
        "transfers": len(sizes),
        "size_bytes": None if np.isnan(sizes).any() else float(sizes.sum()),
        "kernels": len(shown.timeline),
        "backward_found": shown.backward_found,
    }
