"""The curve: the tail for every bucket size, its floors, and where the learner is."""

from itertools import count
from typing import Any

from overlap_widget.app.lane_columns import round_up
from overlap_widget.app.settings import LAYERS, Settings
from overlap_widget.model.sweep import Sweep
from overlap_widget.model.units import MS

MOST_TICKS, FEWER_TICKS = 12, 8
MOST_LARGE_DOTS = 40
LARGE_DOTS, SMALL_DOTS = {"size": 8, "line_alpha": 1}, {"size": 4, "line_alpha": 0}


def sizes_columns(swept: Sweep) -> dict[str, Any]:
    """Sources and properties of the curve: the tail of each size, and the floors."""
    sizes = swept.sizes
    buckets = [one.bucket for one in sizes]
    best_ms = swept.best.plan_tail_s / MS
    # Where transfers slow compute the best is the shortest step, and no floor of tails.
    is_floor = not any(one.slowed_s for one in sizes)
    return {
        "sources": {
            "tails": {"x": buckets, "y": [one.tail.total_s / MS for one in sizes]},
            "floor": {"x": buckets, "y": [one.floor_s / MS for one in sizes]},
            "best_plan": {
                "x": _ends(swept) if is_floor else [],
                "y": [best_ms, best_ms] if is_floor else [],
            },
        },
        "props": {
            "curve_ticks": {"ticks": size_ticks(len(sizes))},
            "curve_dots": LARGE_DOTS if len(sizes) <= MOST_LARGE_DOTS else SMALL_DOTS,
        },
    }


def here_columns(settings: Settings, swept: Sweep, tail_s: float) -> dict[str, Any]:
    """Where the learner is on the curve, and its ranges; `tail_s` is of the step."""
    start, end = _ends(swept)
    longest_ms = max(tail_s, *(one.tail.total_s for one in swept.sizes)) / MS
    return {
        "sources": _here(settings, tail_s / MS, [start, end]),
        "ranges": {
            "curve_x": {"start": start, "end": end},
            "curve_y": {"start": 0, "end": round_up(longest_ms * 1.05)},
        },
    }


def _ends(swept: Sweep) -> list[float]:
    """Of the axis, with room for the marks of the first and the last size."""
    most = len(swept.sizes)
    margin = max(0.5, most / 24)
    return [1 - margin, most + margin]


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
) -> dict[str, dict[str, list[float]]]:
    """A ring on the curve, or a line across for a plan that has no bucket size."""
    nowhere: dict[str, list[float]] = {"x": [], "y": []}
    if settings.plan != LAYERS:
        return {"here": nowhere, "named_plan": {"x": ends, "y": [tail_ms, tail_ms]}}
    ring: dict[str, list[float]] = {"x": [settings.bucket], "y": [tail_ms]}
    return {"here": ring, "named_plan": nowhere}
