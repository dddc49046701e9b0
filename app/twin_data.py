"""What the twin of the model works on: scenarios, links, rules, stops, places.

The twin computes in the embedded page what Python computes in the served one. It has
the code of the model but none of its tables: those are handed over as plain data.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from overlap_widget.app import figures
from overlap_widget.app.fields import NUMBERS
from overlap_widget.app.map_axes import AXES, Axis
from overlap_widget.app.map_table import round_places
from overlap_widget.app.settings import DEFAULT
from overlap_widget.model.links import LINKS, NamedLink
from overlap_widget.model.rules import RULES
from overlap_widget.model.scenarios import SCENARIOS, Scenario


def twin_data() -> dict[str, Any]:
    """All tables of the model, in SI units, as plain data."""
    return {
        "scenarios": [_scenario(scenario) for scenario in SCENARIOS.values()],
        "links": [_link(link) for link in LINKS.values()],
        "rules": _rules(RULES),
        "stops": {
            key: list(number.control(DEFAULT).stops) for key, number in NUMBERS.items()
        },
        "axes": {name: _axis(axis) for name, axis in AXES.items()},
        "places": _places(),
    }


def _scenario(scenario: Scenario) -> dict[str, Any]:
    layers, link = scenario.layers, scenario.link
    return {
        "name": scenario.name,
        "layers": {
            "name": [layer.name for layer in layers],
            "backward_s": [layer.backward_s for layer in layers],
            "gradient_bytes": [layer.gradient_bytes for layer in layers],
        },
        "overhead_s": link.overhead_s,
        "bandwidth_bytes_per_s": link.bandwidth_bytes_per_s,
        "element_bytes": scenario.element_bytes,
    }


def _link(link: NamedLink) -> dict[str, Any]:
    line, table = link.line, link.table
    return {
        "name": link.name,
        "overhead_s": line.overhead_s,
        "bandwidth_bytes_per_s": line.bandwidth_bytes_per_s,
        "sizes_bytes": list(table.sizes_bytes) if table else None,
        "times_s": list(table.times_s) if table else None,
    }


def _rules(names: Iterable[str]) -> list[dict[str, Any]]:
    """Rules that the twin has code for, by their names."""
    return [{"name": name} for name in names]


def _axis(axis: Axis) -> dict[str, Any]:
    """The map's axis; its edges and their logarithms are worked out here, once."""
    edges = axis.edges
    return {
        "values": list(axis.values),
        "per_unit": axis.per_unit,
        "edges": edges.tolist(),
        "log_edges": np.log10(edges).tolist(),
        "round_places": round_places(axis),
    }


def _places() -> dict[str, Any]:
    """Where the figures draw what, and the levels of the map."""
    return {
        "caption_y": figures.CAPTION_Y,
        "compute_y": list(figures.COMPUTE_Y),
        "link_y": list(figures.LINK_Y),
        "waiting_y": list(figures.WAITING_Y),
        "bracket_y": figures.BRACKET_Y,
        "tail_text_y": figures.TAIL_TEXT_Y,
        "map_height": figures.MAP_HEIGHT,
        "levels": list(figures.LEVELS),
    }
