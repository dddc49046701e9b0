"""When a step is in its forward pass, its backward pass and its optimizer.

By the compute kernels whose phase the recording tells, in the order of their start.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.recording import Phase, Recording
from overlap_widget.model.timeline import Kind

SHORT = 0.005
"""Shorter than this share of the step, kernels of another phase break no band."""


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of one phase, in seconds since the first span of the step."""

    phase: Phase
    start_s: float
    end_s: float


def phase_bands(recording: Recording, device: int, step: int) -> tuple[Band, ...]:
    """The bands of a step of a device, none over another; () where nothing tells."""
    rows = (recording.device == device) & (recording.step == step)
    spans = recording.spans
    if not rows.any():
        return ()
    origin_s, length_s = _hull(spans.start_s[rows], spans.end_s[rows])
    computes = np.flatnonzero(rows & (spans.kind == Kind.COMPUTE))
    if not (recording.phase[computes] != Phase.UNKNOWN).any():
        return ()
    order = computes[np.argsort(spans.start_s[computes], kind="stable")]
    runs = _runs(
        recording.phase[order],
        spans.start_s[order] - origin_s,
        spans.end_s[order] - origin_s,
    )
    known = [one for one in _without_short(runs, SHORT * length_s) if one.phase]
    return _apart(known)


def _hull(
    start_s: NDArray[np.float64], end_s: NDArray[np.float64]
) -> tuple[float, float]:
    return float(start_s.min()), float(end_s.max() - start_s.min())


def _runs(
    phase: NDArray[np.uint8], start_s: NDArray[np.float64], end_s: NDArray[np.float64]
) -> list[Band]:
    """Kernels after each other of one phase, as one band."""
    first = np.flatnonzero(np.r_[True, phase[1:] != phase[:-1]])
    ends_s = np.maximum.reduceat(end_s, first)
    return [
        Band(Phase(int(phase[at])), float(start_s[at]), float(end))
        for at, end in zip(first, ends_s, strict=True)
    ]


def _without_short(runs: list[Band], short_s: float) -> list[Band]:
    """What stands between two runs of one phase and is short joins them."""
    kept: list[Band] = []
    for run in runs:
        while (
            len(kept) > 1
            and kept[-2].phase == run.phase
            and _is_short(kept[-1], short_s)
        ):
            kept.pop()
        if kept and kept[-1].phase == run.phase:
            kept[-1] = _joined(kept[-1], run)
        else:
            kept.append(run)
    return kept


def _is_short(run: Band, short_s: float) -> bool:
    return run.end_s - run.start_s < short_s


def _joined(one: Band, later: Band) -> Band:
    return Band(one.phase, one.start_s, max(one.end_s, later.end_s))


def _apart(bands: list[Band]) -> tuple[Band, ...]:
    """Each from where the one before it ends; none without length, one phase once."""
    apart: list[Band] = []
    for band in bands:
        start_s = max(band.start_s, apart[-1].end_s if apart else band.start_s)
        if band.end_s > start_s:
            apart.append(Band(band.phase, start_s, band.end_s))
    return tuple(apart)
