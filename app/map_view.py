"""The view state of the map, wherever on it the settings are."""

from functools import lru_cache
from typing import Any

from overlap_widget.app.map_axes import AXES, sizes_shown
from overlap_widget.app.map_columns import map_columns
from overlap_widget.app.map_table import map_table
from overlap_widget.app.settings import Settings
from overlap_widget.model.effects import Effects
from overlap_widget.model.landscape import landscape
from overlap_widget.model.layer import Layer

KEPT = 32
"""Of the maps that were drawn: a class looks at the same few."""


def map_view(settings: Settings) -> dict[str, Any]:
    """Table and columns of the map; the same object while they are the same.

    It varies bandwidth or overhead of the straight line, also where a measured table
    is set.
    """
    bandwidth, overhead_s = settings.bandwidth_bytes_per_s, settings.overhead_s
    fixed = overhead_s if settings.axis == "bandwidth" else bandwidth
    return _view(settings.scenario.layers, settings.axis, fixed, settings.effects)


@lru_cache(KEPT)
def _view(
    layers: tuple[Layer, ...], axis_name: str, fixed: float, effects: Effects
) -> dict[str, Any]:
    axis, one = AXES[axis_name], (fixed,)
    is_bandwidth = axis_name == "bandwidth"
    found = landscape(
        layers,
        axis.values if is_bandwidth else one,
        one if is_bandwidth else axis.values,
        sizes_shown(len(layers)),
        effects,
    )
    return {
        "table": map_table(found, axis),
        "figures": {"map": map_columns(found, axis)},
    }
