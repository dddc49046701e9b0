"""The curve: the tail for every bucket size, its floors, and where the learner is."""

from itertools import count
from typing import Any

from overlap_widget.app.lane_columns import round_up
from overlap_widget.app.notes import no_note, note
from overlap_widget.app.settings import LAYERS, Settings
from overlap_widget.app.words import words
from overlap_widget.model.sweep import Sweep
from overlap_widget.model.units import MS

MOST_TICKS, FEWER_TICKS = 12, 8
MOST_LARGE_DOTS = 40
LARGE_DOTS, SMALL_DOTS = {"size": 8, "line_alpha": 1}, {"size": 4, "line_alpha": 0}


def curve_columns(settings: Settings, swept: Sweep, tail_s: float) -> dict[str, Any]:
    """Sources, ranges and properties of the curve; `tail_s` is of the step shown."""
    tails_ms = [one.tail.total_s / MS for one in swept.sizes]
    floor_ms = [one.floor_s / MS for one in swept.sizes]
    best_ms, tail_ms = swept.best.plan_tail_s / MS, tail_s / MS
    sizes = list(range(1, len(tails_ms) + 1))
    margin = max(0.5, len(sizes) / 24)  # so that the marks of both ends are whole
    ends: list[float] = [1 - margin, len(sizes) + margin]
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
        "props": {
            "curve_ticks": {"ticks": size_ticks(len(sizes))},
            "curve_dots": LARGE_DOTS if len(sizes) <= MOST_LARGE_DOTS else SMALL_DOTS,
        },
    }


def size_ticks(most: int) -> list[int]:
    """The sizes that the axis names: all up to twelve, else 1 and at most eight round.

    Their numbers must stand side by side on a narrow screen.
    """
    if most <= MOST_TICKS:
        return list(range(1, most + 1))
    steps = (part * 10**power for power in count() for part in (1, 2, 5))
    every = next(step for step in steps if most // step <= FEWER_TICKS)
    return [1, *range(every, most + 1, every)]


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
