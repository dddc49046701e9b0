"""The view state of a measured step: numbers, tables and the marks of its lanes."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from overlap_widget.app.kernel_classes import classes_view, kinds_as_loaded
from overlap_widget.app.measured import Measured
from overlap_widget.app.measured_tables import kernels_table, transfers_table
from overlap_widget.app.step_rows import step_rows
from overlap_widget.app.words import words
from overlap_widget.model.breakdown import Breakdown, break_down
from overlap_widget.model.recording import Recording, Window, window
from overlap_widget.model.timeline import Kind

Cut = Callable[[Recording, int, int], Window]


def measured_view(measured: Measured, cut: Cut = window) -> dict[str, Any] | None:
    """All but the figure, as plain data; None without a recording.

    `cut` may be a remembering form of `window`.
    """
    if not measured.recordings:
        return None
    recording = measured.shown
    device = recording.devices[measured.device]
    shown = cut(recording, device, measured.step)
    numbers = break_down(shown.timeline)
    return {
        "recordings": _recordings(measured.recordings),
        "recording": measured.recording,
        "devices": list(recording.devices),
        "device": measured.device,
        "steps": step_rows(recording, device),
        "step": measured.step,
        "numbers": _numbers(shown, numbers),
        "sentence": f"measured.{_sentence(numbers)}",
        "warnings": [
            *(_sentence_of(warning) for warning in recording.warnings),
            *_limits(numbers),
        ],
        "transfers": transfers_table(shown),
        "kernels": kernels_table(shown, kinds_as_loaded(recording), measured.search),
        "classes": classes_view(measured),
    }


def _recordings(recordings: Sequence[Recording]) -> list[dict[str, Any]]:
    """File names, with their folders where two files have the same name."""
    names = [Path(one.path).name for one in recordings]
    return [
        {
            "name": name if names.count(name) == 1 else one.path,
            "format": one.format,
            "rank": one.rank,
        }
        for name, one in zip(names, recordings, strict=True)
    ]


def _sentence_of(warning: str) -> str:
    """A remark as a sentence; remarks of a loader have no capital and no stop."""
    return f"{warning[:1].upper()}{warning[1:]}."


def _limits(numbers: Breakdown) -> list[str]:
    """What one recording alone can't tell of its communication."""
    return [words("measured.one_rank")] if numbers.communication_s > 0 else []


def _numbers(shown: Window, numbers: Breakdown) -> dict[str, Any]:
    kinds = shown.timeline.kind
    return {
        **asdict(numbers),
        "idle_s": numbers.idle_s,
        "overlap": numbers.overlap,
        "transfers": int((kinds == Kind.COMMUNICATION).sum()),
        "kernels": len(shown.timeline),
        "backward_found": shown.backward_found,
    }


def _sentence(numbers: Breakdown) -> str:
    if numbers.communication_s == 0:
        return "none"
    return "exposed" if numbers.exposed_s > 0 else "hidden"
