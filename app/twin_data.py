"""What the twin of the model works on: scenarios, links, rules, stops, lesson.

The twin computes in the embedded page what Python computes in the served one. It has
the code of the model but none of its tables: those are handed over as plain data.
"""

from dataclasses import asdict
from typing import Any

import numpy as np

from overlap_widget.app import figures
from overlap_widget.app.catalogue import SHIPPED, Catalogue
from overlap_widget.app.fields import NUMBERS
from overlap_widget.app.lesson import lesson_data, presets_data
from overlap_widget.app.map_axes import AXES, Axis
from overlap_widget.app.map_table import round_places
from overlap_widget.app.settings import DEFAULT
from overlap_widget.app.titles import scenario_title
from overlap_widget.model.links import NamedLink
from overlap_widget.model.rules import Rule
from overlap_widget.model.scenarios import Scenario


def twin_data(catalogue: Catalogue = SHIPPED) -> dict[str, Any]:
    """All tables of the model, in SI units, as plain data."""
    return {
        "scenarios": [
            scenario_data(scenario) for scenario in catalogue.scenarios.values()
        ],
        "links": [_link(link) for link in catalogue.links.values()],
        "rules": [_rule(name, rule) for name, rule in catalogue.rules.items()],
        "stops": {
            key: list(number.control(DEFAULT).stops) for key, number in NUMBERS.items()
        },
        "axes": {name: _axis(axis) for name, axis in AXES.items()},
        "places": _places(),
        "lesson": lesson_data(),
        "presets": presets_data(),
    }


def scenario_data(scenario: Scenario) -> dict[str, Any]:
    """A scenario as the twin takes it."""
    layers, link = scenario.layers, scenario.link
    return {
        "name": scenario.name,
        "title": scenario_title(scenario),
        "layers": {
            "name": [layer.name for layer in layers],
            "backward_s": [layer.backward_s for layer in layers],
            "gradient_bytes": [layer.gradient_bytes for layer in layers],
        },
        "overhead_s": link.overhead_s,
        "bandwidth_bytes_per_s": link.bandwidth_bytes_per_s,
        "element_bytes": scenario.element_bytes,
        "ghost": asdict(scenario.ghost) if scenario.ghost else None,
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


def _rule(name: str, rule: Rule) -> dict[str, Any]:
    """A rule by its name, for which the twin has code; or by the bytes of a bucket."""
    filling = rule.filling
    if filling is None:
        return {"name": name}
    if filling.is_most:
        return {
            "name": name,
            "fill": "within_bytes",
            "limit_bytes": filling.limit_bytes,
        }
    return {
        "name": name,
        "fill": "by_bytes",
        "limit_bytes": filling.limit_bytes,
        "first_limit_bytes": filling.first_limit_bytes,
    }


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
        "ghost_y": {name: list(rows) for name, rows in figures.GHOST_Y.items()},
        "ghost_caption_y": figures.GHOST_CAPTION_Y,
        "lanes_y": {name: list(room) for name, room in figures.LANES_ROOM.items()},
        "map_height": figures.MAP_HEIGHT,
        "levels": list(figures.LEVELS),
    }
