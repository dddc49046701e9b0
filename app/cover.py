"""A view state without its answer: what a learner predicts isn't in the page at all.

While a question is open the step is shown up to the end of its pass, and no number of
what follows is handed to the front. `static/twin/cover.js` does the same.
"""

from typing import Any

from overlap_widget.app.columns import rows_where
from overlap_widget.app.lane_columns import round_up
from overlap_widget.app.settings import Settings

View = dict[str, Any]
KNOWN = ("backward_s", "transfers", "bucket_layers", "bucket_bytes")
"""Numbers of a step that its settings tell without any simulation."""
WHOLE = ("compute", "compute_labels", "slowed", "passes", "captions", "pass_label")
"""Of the lanes: what ends with the pass."""
OF_COMPUTE = ("compute", "other", "phases", "phase_labels")
"""Of a recording's lanes: what isn't communication."""
ROOM = 2.0
"""Passes that the time axis shows, whatever the tail: so it tells nothing of it."""
ROOM_IN_STEP = 1.4
"""The same of a recorded step, which may begin long before its backward pass."""


def question_of(settings: Settings) -> str | None:
    """What the page asks now; of a recorded step only its tail can be asked."""
    if settings.predict == "off":
        return None
    return settings.predict if settings.mode == "explore" else "tail"


def covered_explore(explore: View) -> View:
    """What the front shows of a step in Explore, up to the end of its pass."""
    numbers, figures = explore["numbers"], explore["figures"]
    return {
        "numbers": {key: numbers[key] for key in KNOWN},
        "regime": None,
        "lever": None,
        "explanation": [],
        "remarks": [],
        "transfers": None,
        "figures": {
            "lanes": covered_lanes(figures["lanes"]),
            "curve": _covered_curve(figures["curve"]),
            "map": {"sources": _emptied(figures["map"]["sources"])},
        },
    }


def covered_sweep(sweep: View) -> View:
    """The sizes that the curve's axis names, and no tail of any."""
    curve = sweep["figures"]["curve"]
    covered = {
        "sources": _emptied(curve["sources"]),
        "props": {"curve_ticks": curve["props"]["curve_ticks"]},
    }
    return {"sizes": None, "figures": {"curve": covered}}


def covered_map(found: View) -> View:
    """The axes of the map, and nothing on it."""
    drawn = found["figures"]["map"]
    covered = drawn | {"sources": _emptied(drawn["sources"])}
    return {"table": None, "figures": {"map": covered}}


def covered_measured(measured: View) -> View:
    """What is open and chosen, and nothing of what was measured."""
    kept = ("recordings", "recording", "devices", "device", "step")
    return {key: measured[key] for key in kept}


def covered_recording(figures: View) -> View:
    """The recording's lanes without communication, up to the end of its backward pass.

    What computes next waits for the tail, so it would tell how long that is.
    """
    shown = figures["recording"]
    sources, pass_ms = shown["sources"], shown["props"]["pass_end"]["location"]
    told = {key: sources[key] for key in ("captions", "pass_label")}
    began = {key: _begun_by(sources[key], pass_ms) for key in OF_COMPUTE}
    covered = {"sources": _emptied(sources) | told | began}
    return {"recording": shown | covered | _room_after(shown, pass_ms)}


def _room_after(shown: View, pass_ms: float | None) -> View:
    """An axis that goes on after the pass, whatever else the step holds."""
    if pass_ms is None:
        return {}
    start = shown["ranges"]["recording_x"]["start"]
    end = start + ROOM_IN_STEP * (pass_ms - start)
    axis = {"start": start, "end": end, "bounds": [start, end]}
    return {
        "frame": f"{shown['frame']}/covered",
        "ranges": shown["ranges"] | {"recording_x": axis},
    }


def covered_lanes(lanes: View) -> View:
    """The lanes of a simulated step up to the end of its pass."""
    sources, pass_ms = lanes["sources"], lanes["props"]["pass_end"]["location"]
    axis_ms = round_up(ROOM * pass_ms)
    shown = _emptied(sources) | {key: sources[key] for key in WHOLE}
    shown["hidden"] = _until(sources["hidden"], pass_ms)
    shown["hidden_labels"] = sources["hidden_labels"]
    shown["late"] = _until(sources["late"], pass_ms)
    shown["waiting"] = _until(sources["waiting"], pass_ms)
    ready = sources["ready"]
    shown["ready"] = rows_where(ready, [end <= pass_ms for end in ready["x1"]])
    shown["pass_label"] = sources["pass_label"] | {"room": [axis_ms - pass_ms]}
    ranges = lanes["ranges"] | {"lanes_x": {"start": 0, "end": axis_ms}}
    return lanes | {"sources": shown, "ranges": ranges}


def _covered_curve(curve: View) -> View:
    """The axis of sizes alone: how high the curve goes tells too much."""
    sizes = {"curve_x": curve["ranges"]["curve_x"]}
    return {"sources": _emptied(curve["sources"]), "ranges": sizes}


def _emptied(sources: View) -> View:
    return {name: {key: [] for key in columns} for name, columns in sources.items()}


def _until(bars: View, pass_ms: float) -> View:
    """The bars before the pass ends, cut there; what comes later is None on them."""
    cut = rows_where(bars, [left < pass_ms for left in bars["left"]])
    cut["right"] = [min(right, pass_ms) for right in cut["right"]]
    for key in ("start", "end"):
        cut[key] = [time if time <= pass_ms else None for time in cut[key]]
    return cut


def _begun_by(rows: View, pass_ms: float | None) -> View:
    """The rows that begin before the pass ends; all of them where none does."""
    starts = rows["left"] if "left" in rows else rows["x"]
    return rows_where(rows, [pass_ms is None or start < pass_ms for start in starts])
