"""The view state of all bucket sizes on a link, whichever of them is set."""

from functools import lru_cache
from typing import Any

from overlap_widget.app.curve_columns import sizes_columns
from overlap_widget.app.settings import Settings, cost_of
from overlap_widget.model.effects import Effects
from overlap_widget.model.layer import Layer
from overlap_widget.model.link import Link, MeasuredLink
from overlap_widget.model.sweep import Sweep, sweep

KEPT = 32
"""Of what was worked out: a class looks at the same few settings."""


def sweep_of(settings: Settings) -> Sweep:
    """All bucket sizes on the link of these settings."""
    return _sweep(*_asked(settings))


def sweep_view(settings: Settings) -> dict[str, Any]:
    """Table and columns of the curve; the same object while they are the same."""
    return _view(*_asked(settings))


Asked = tuple[tuple[Layer, ...], Link | MeasuredLink, Effects]


def _asked(settings: Settings) -> Asked:
    return settings.scenario.layers, cost_of(settings), settings.effects


@lru_cache(KEPT)
def _sweep(*asked: *Asked) -> Sweep:
    return sweep(*asked)


@lru_cache(KEPT)
def _view(*asked: *Asked) -> dict[str, Any]:
    swept = _sweep(*asked)
    return {"sizes": _sizes(swept), "figures": {"curve": sizes_columns(swept)}}


def _sizes(swept: Sweep) -> dict[str, list[Any]]:
    """The curve as a table: each bucket size with its tail and the split of it."""
    sizes = swept.sizes
    return {
        "bucket": [one.bucket for one in sizes],
        "transfers": [one.transfers for one in sizes],
        "tail_s": [one.tail.total_s for one in sizes],
        "late_s": [one.tail.late_s for one in sizes],
        "queued_s": [one.tail.queued_s for one in sizes],
        "overhead_s": [one.tail.overhead_s for one in sizes],
        "wire_s": [one.tail.wire_s for one in sizes],
        "regime": [one.regime.value for one in sizes],
    }
