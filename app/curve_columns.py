"""The curve: the tail for every bucket size, its floors, and where the learner is."""

import math
from typing import Any

from overlap_widget.app.lane_columns import round_up
from overlap_widget.app.notes import no_note, note
from overlap_widget.app.settings import LAYERS, Settings
from overlap_widget.app.words import words
from overlap_widget.model.sweep import Sweep
from overlap_widget.model.units import MS

MOST_TICKS = 12


def curve_columns(settings: Settings, swept: Sweep, tail_s: float) -> dict[str, Any]:
    """Sources, ranges and properties of the curve; `tail_s` is of the step shown."""
    tails_ms = [one.tail.total_s / MS for one in swept.sizes]
    floor_ms = [one.floor_s / MS for one in swept.sizes]
    best_ms, tail_ms = swept.best.plan_tail_s / MS, tail_s / MS
    sizes = list(range(1, len(tails_ms) + 1))
    ends: list[float] = [0.5, len(sizes) + 0.5]
    every = max(1, math.ceil(len(sizes) / MOST_TICKS))
    return {
        "sources": {
            "tails": {"x": sizes, "y": tails_ms},
            "floor": {"x": sizes, "y": floor_ms},
            "best_plan": {"x": ends, "y": [best_ms, best_ms]},
            **_here(settings, tail_ms, ends),
        },
        "ranges": {
            "curve_x": {"start": ends[0], "end": ends[1]},
            "curve_y": {"start": 0, "end": round_up(max(*tails_ms, tail_ms) * 1.05)},
        },
        "props": {"curve_ticks": {"ticks": [1, *sizes[every - 1 :: every]]}},
    }


def _here(
    settings: Settings, tail_ms: float, ends: list[float]
) -> dict[str, dict[str, list[Any]]]:
    """A ring on the curve, or a line across for a plan that has no bucket size."""
    empty: dict[str, list[Any]] = {"x": [], "y": []}
    if settings.plan == LAYERS:
        ring: dict[str, list[Any]] = {"x": [settings.bucket], "y": [tail_ms]}
        return {"here": ring, "named_plan": empty, "named_note": no_note()}
    text = note((ends[0], tail_ms), words("mark.named_plan"), ends[1], ends[1])
    line: dict[str, list[Any]] = {"x": ends, "y": [tail_ms, tail_ms]}
    return {"here": empty, "named_plan": line, "named_note": text}
