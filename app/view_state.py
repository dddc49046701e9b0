"""The view state of a session: all that the front shows but figures and upload."""

from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from overlap_widget.app.address import address, state
from overlap_widget.app.cover import question_of
from overlap_widget.app.settings import Notice, Settings, settings_of
from overlap_widget.app.titles import scenario_title

FITTED = ("bandwidth_bytes_per_s", "overhead_s", "table", "effects")
"""Settings of a recorded run, all but its buckets."""


def view_state(
    settings: Settings,
    notices: Iterable[Notice],
    explore: dict[str, Any],
    measured: dict[str, Any] | None,
) -> dict[str, Any]:
    """The settings, what must be said, and the mode that is shown; the other is None.

    `explore` may hold its figures, which go on their own.
    """
    texts = {key: part for key, part in explore.items() if key != "figures"}
    return {
        "state": state(settings),
        "address": address(settings),
        "covered": question_of(settings),
        "notices": as_told(notices),
        "controls": {
            "bucket": _bucket_bounds(settings),
            "scenario": _scenario(settings),
        },
        "explore": texts or None,
        "measured": measured,
    }


def as_told(notices: Iterable[Notice]) -> list[dict[str, Any]]:
    """Notices as the front gets them."""
    return [{"key": one.key, "values": one.values} for one in notices]


def _scenario(settings: Settings) -> dict[str, Any]:
    """Its name and title, which the page may not have; of a run what was measured."""
    scenario, ghost = settings.scenario, settings.scenario.ghost
    if ghost is None:
        return {"name": scenario.name, "title": scenario_title(scenario), "run": None}
    tail_s = None if question_of(settings) else ghost.tail_s
    fresh = settings_of(scenario)
    run = {
        "tail_s": tail_s,
        "backward_s": ghost.backward_s,
        "is_fitted": all(getattr(settings, of) == getattr(fresh, of) for of in FITTED),
    }
    return {"name": scenario.name, "title": scenario_title(scenario), "run": run}


def _bucket_bounds(settings: Settings) -> dict[str, Any]:
    """The most layers of a bucket, and the bytes of the first one for each count."""
    sizes = [layer.gradient_bytes for layer in settings.scenario.layers]
    return {"max": len(sizes), "sizes_bytes": list(accumulate(sizes))}
