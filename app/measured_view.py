"""The view state of a measured step: numbers, tables and the marks of its lanes."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.app.measured import Measured
from overlap_widget.app.words import words
from overlap_widget.model.breakdown import Breakdown, break_down, exposed_s
from overlap_widget.model.recording import Recording, Window, window
from overlap_widget.model.timeline import Collective, Kind

MOST_TRANSFERS, MOST_KERNELS = 200, 100
"""Rows of the tables; the rest is counted."""

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
        "steps": [
            _step(cut(recording, device, index))
            for index in range(len(recording.steps))
        ],
        "step": measured.step,
        "numbers": _numbers(shown, numbers),
        "sentence": f"measured.{_sentence(numbers)}",
        "warnings": [
            *(_sentence_of(warning) for warning in recording.warnings),
            *_limits(numbers),
        ],
        "transfers": _transfers(shown),
        "kernels": _kernels(shown),
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


def _step(cut: Window) -> dict[str, Any]:
    numbers = break_down(cut.timeline)
    return {
        "name": cut.step.name if cut.step else "",
        "complete": bool(cut.step and cut.step.complete),
        "span_s": numbers.span_s,
        "exposed_s": numbers.exposed_s,
        "tail_s": numbers.tail_s,
    }


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


def _transfers(shown: Window) -> dict[str, Any]:
    timeline = shown.timeline
    rows = timeline.rows_of(Kind.COMMUNICATION)
    listed = rows[:MOST_TRANSFERS]
    return {
        "number": list(range(1, len(listed) + 1)),
        "name": [timeline.names[code] for code in timeline.name[listed]],
        "collective": [
            Collective(code).name.lower() for code in timeline.collective[listed]
        ],
        "bytes": [_known(size) for size in timeline.size_bytes[listed]],
        "start_s": timeline.start_s[listed].tolist(),
        "end_s": timeline.end_s[listed].tolist(),
        "exposed_s": exposed_s(timeline)[listed].tolist(),
        "transfers_total": len(rows),
    }


def _kernels(shown: Window) -> dict[str, Any]:
    """Names of communication first, then those that take the most time."""
    timeline = shown.timeline
    pair = timeline.name.astype(np.int64) * len(Kind) + timeline.kind
    pairs, row, count = np.unique(pair, return_inverse=True, return_counts=True)
    time_s = np.bincount(row, timeline.end_s - timeline.start_s, minlength=len(pairs))
    computes = pairs % len(Kind) != Kind.COMMUNICATION
    order = np.lexsort((-time_s, computes))[:MOST_KERNELS]
    return {
        "kernels_total": len(pairs),
        "name": [timeline.names[pairs[at] // len(Kind)] for at in order],
        "kind": [Kind(pairs[at] % len(Kind)).name.lower() for at in order],
        "count": count[order].tolist(),
        "time_s": time_s[order].tolist(),
    }


def _known(number: NDArray[np.float64] | float) -> float | None:
    return None if np.isnan(number) else float(number)
