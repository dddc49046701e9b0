"""What the front shows of a session, part by part, covered while a question is open."""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

from overlap_widget.app.cover import (
    covered_explore,
    covered_map,
    covered_measured,
    covered_recording,
    covered_sweep,
    question_of,
)
from overlap_widget.app.explore_view import explore_view
from overlap_widget.app.map_view import map_view
from overlap_widget.app.measured import Measured
from overlap_widget.app.measured_view import measured_view
from overlap_widget.app.ranks_view import ranks_view
from overlap_widget.app.recorded_figures import recorded_figures
from overlap_widget.app.settings import Notice, Settings
from overlap_widget.app.step_view import Cut
from overlap_widget.app.sweep_view import sweep_view
from overlap_widget.app.view_state import view_state
from overlap_widget.model.recording import window

MOST_KEPT = 256
"""States of Explore that are kept, some 20 kB each."""
Makers = dict[str, Callable[[], Any]]


def makers(
    settings: Settings,
    measured: Measured,
    notices: Iterable[Notice] = (),
    cut: Cut = window,
) -> Makers:
    """How to make the view, the figures, and what is kept apart from them.

    `cut` may be a remembering form of `window`.
    """
    if settings.mode == "explore":
        return _of_simulation(settings, notices)
    return _of_recording(settings, measured, notices, cut)


def _of_simulation(settings: Settings, notices: Iterable[Notice]) -> Makers:
    asks = question_of(settings) is not None

    @cache
    def shown() -> dict[str, Any]:
        explore = _explored(settings)
        return covered_explore(explore) if asks else explore

    return {
        "view": lambda: view_state(settings, notices, shown(), None),
        "figures": lambda: shown()["figures"],
        "sweep": lambda: _sizes(settings, asks),
        "map": lambda: _links(settings, asks),
        "ranks": dict,
    }


@lru_cache(MOST_KEPT)
def _explored(settings: Settings) -> dict[str, Any]:
    """One object for all who are at these settings, as most of a room are.

    Nobody may change it.
    """
    return explore_view(settings)


def _sizes(settings: Settings, asks: bool) -> dict[str, Any]:
    swept = sweep_view(settings)
    return covered_sweep(swept) if asks else swept


def _links(settings: Settings, asks: bool) -> dict[str, Any]:
    found = map_view(settings)
    return covered_map(found) if asks else found


def _of_recording(
    settings: Settings, measured: Measured, notices: Iterable[Notice], cut: Cut
) -> Makers:
    asks = question_of(settings) is not None

    def view() -> dict[str, Any]:
        found = measured_view(measured, cut)
        shown = covered_measured(found) if found and asks else found
        return view_state(settings, notices, {}, shown)

    def figures() -> dict[str, Any]:
        found = recorded_figures(measured, cut)
        return covered_recording(found) if found and asks else found

    return {
        "view": view,
        "figures": figures,
        "sweep": dict,
        "map": dict,
        "ranks": lambda: {} if asks else ranks_view(measured),
    }
