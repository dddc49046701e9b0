"""The view state of a simulated step: numbers for the text, columns for figures."""

from typing import Any

from overlap_widget.app.explanation import explanation, remarks
from overlap_widget.app.lane_columns import curve_columns, lane_columns
from overlap_widget.app.said import as_data
from overlap_widget.app.settings import Settings
from overlap_widget.model.backward import Simulation, simulate
from overlap_widget.model.breakdown import exposed_s
from overlap_widget.model.link import Link
from overlap_widget.model.plans import best_bucket, tails, whole_layers
from overlap_widget.model.regime import regime
from overlap_widget.model.simulated import timeline_of
from overlap_widget.model.timeline import Kind, Timeline


def explore_view(settings: Settings) -> dict[str, Any]:
    """Everything that the front shows of the settings in Explore, as plain data."""
    layers = settings.scenario.layers
    link = Link(settings.overhead_s, settings.bandwidth_bytes_per_s)
    simulation = simulate(layers, whole_layers(len(layers), settings.bucket), link)
    timeline = timeline_of(simulation)
    by_size = tails(layers, link)
    best = best_bucket(by_size)
    return {
        "numbers": _numbers(simulation, settings.bucket)
        | {"best_bucket": best, "best_tail_s": by_size[best - 1].total_s},
        "regime": regime(simulation).value,
        "explanation": [as_data(said) for said in explanation(simulation)],
        "remarks": [as_data(said) for said in remarks(simulation)],
        "transfers": _table(timeline),
        "figures": {
            "lanes": lane_columns(timeline),
            "curve": curve_columns([tail.total_s for tail in by_size], settings.bucket),
        },
    }


def _numbers(simulation: Simulation, bucket: int) -> dict[str, Any]:
    transfers, tail = simulation.transfers, simulation.tail
    return {
        "backward_s": simulation.backward_s,
        "communication_s": simulation.communication_s,
        "hidden_s": simulation.hidden_s,
        "tail_s": tail.total_s,
        "queued_s": tail.queued_s,
        "overhead_s": tail.overhead_s,
        "wire_s": tail.wire_s,
        "step_s": simulation.backward_s + tail.total_s,
        "traffic_to_work": simulation.traffic_to_work,
        "transfers": len(transfers),
        "bucket_layers": bucket,
        "bucket_bytes": transfers[0].size_bytes,
    }


def _table(timeline: Timeline) -> dict[str, list[Any]]:
    """The transfers in the order of their start."""
    rows = timeline.rows_of(Kind.COMMUNICATION)
    return {
        "number": list(range(1, len(rows) + 1)),
        "layers": [timeline.names[name] for name in timeline.name[rows]],
        "bytes": timeline.size_bytes[rows].tolist(),
        "ready_s": timeline.ready_s[rows].tolist(),
        "start_s": timeline.start_s[rows].tolist(),
        "end_s": timeline.end_s[rows].tolist(),
        "exposed_s": exposed_s(timeline)[rows].tolist(),
    }
