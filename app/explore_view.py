"""The view state of a simulated step: numbers for the text, columns for figures."""

from typing import Any

import numpy as np

from overlap_widget.app.curve_columns import here_columns
from overlap_widget.app.explanation import explanation, remarks
from overlap_widget.app.lane_columns import lane_columns
from overlap_widget.app.lane_marks import marks_of
from overlap_widget.app.map_columns import map_here
from overlap_widget.app.said import as_data
from overlap_widget.app.settings import Settings, simulation_of
from overlap_widget.app.sweep_view import sweep_of
from overlap_widget.model.backward import Simulation
from overlap_widget.model.breakdown import exposed_s
from overlap_widget.model.explain import explain
from overlap_widget.model.simulated import timeline_of
from overlap_widget.model.sweep import Sweep
from overlap_widget.model.timeline import Kind, Timeline


def explore_view(settings: Settings) -> dict[str, Any]:
    """What the front shows of the step in Explore, as plain data.

    All bucket sizes and the map are in `sweep_view` and `map_view`.
    """
    simulation, swept = simulation_of(settings), sweep_of(settings)
    timeline, tail_s = timeline_of(simulation), simulation.tail.total_s
    found = explain(simulation)
    return {
        "numbers": _numbers(simulation) | _best(swept),
        "regime": found.regime.value,
        "lever": found.helps[0].lever.value if found.helps else None,
        "explanation": [as_data(said) for said in explanation(simulation, found)],
        "remarks": [as_data(said) for said in remarks(simulation)],
        "transfers": _table(timeline, settings.effects.late_s),
        "layers": _layers(timeline),
        "figures": {
            "lanes": lane_columns(
                timeline, marks_of(simulation), settings.scenario.ghost
            ),
            "curve": here_columns(settings, swept, tail_s),
            "map": {"sources": {"map_here": map_here(settings)}},
        },
    }


def _numbers(simulation: Simulation) -> dict[str, Any]:
    transfers, tail = simulation.transfers, simulation.tail
    return {
        "backward_s": simulation.backward_s,
        "communication_s": simulation.communication_s,
        "hidden_s": simulation.hidden_s,
        "tail_s": tail.total_s,
        "late_s": tail.late_s,
        "queued_s": tail.queued_s,
        "overhead_s": tail.overhead_s,
        "wire_s": tail.wire_s,
        "step_s": simulation.step_s,
        "traffic_to_work": simulation.traffic_to_work,
        "traffic_exceeds_work": simulation.traffic_exceeds_work,
        "transfers": len(transfers),
        "bucket_layers": len(transfers[0].layers),
        "bucket_bytes": transfers[0].size_bytes,
    }


def _best(swept: Sweep) -> dict[str, Any]:
    best = swept.best
    return {
        "best_bucket": best.bucket,
        "best_tail_s": best.tail_s,
        "best_plan_tail_s": best.plan_tail_s,
    }


def _layers(timeline: Timeline) -> dict[str, list[Any]]:
    """The layers in the order of their start, also those that take no time."""
    rows = timeline.rows_of(Kind.COMPUTE)
    return {
        "name": [timeline.names[name] for name in timeline.name[rows]],
        "bytes": timeline.size_bytes[rows].tolist(),
        "start_s": timeline.start_s[rows].tolist(),
        "end_s": timeline.end_s[rows].tolist(),
    }


def _table(timeline: Timeline, late_s: float) -> dict[str, list[Any]]:
    """The transfers in the order of their start; of each wait that for a late rank."""
    rows = timeline.rows_of(Kind.COMMUNICATION)
    waited_s = timeline.start_s[rows] - timeline.ready_s[rows]
    for_late = {"late_s": np.minimum(waited_s, late_s).tolist()} if late_s > 0 else {}
    return {
        "number": list(range(1, len(rows) + 1)),
        "layers": [timeline.names[name] for name in timeline.name[rows]],
        "bytes": timeline.size_bytes[rows].tolist(),
        "ready_s": timeline.ready_s[rows].tolist(),
        "waited_s": waited_s.tolist(),
        **for_late,
        "start_s": timeline.start_s[rows].tolist(),
        "end_s": timeline.end_s[rows].tolist(),
        "exposed_s": exposed_s(timeline)[rows].tolist(),
    }
