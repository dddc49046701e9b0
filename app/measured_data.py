"""Measured mode of the embedded page: all its views, worked out ahead.

The twin reads no trace: it looks up what stands here for each recording, device and
step. What several steps share stands once; `static/twin/measured_lookup.js` puts a
view together again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from overlap_widget.app.measured import Measured, Place, all_opened, example
from overlap_widget.app.measured_view import measured_view
from overlap_widget.app.packed import packed
from overlap_widget.app.rank_family import family
from overlap_widget.app.ranks_data import packed_ranks, place_of
from overlap_widget.app.ranks_view import ranks_view
from overlap_widget.app.said import Cell, Data, cell, text
from overlap_widget.app.step_view import Cut
from overlap_widget.app.stream_columns import LONGEST_NAME, short_name, stream_columns
from overlap_widget.app.twin_data import scenario_data
from overlap_widget.app.what_if import run_of
from overlap_widget.model.measurement import default_step
from overlap_widget.model.recording import Recording, window
from overlap_widget.model.units import NS

MOST_STEPS = 24
"""Of a recording: a step of many kernels takes a tenth of a megabyte."""
SHARED = (
    *("recordings", "recording", "devices", "device", "steps", "step"),
    *("against", "classes", "part"),
)
"""What of a view stands once for a recording, or follows from what is chosen."""
TABLES = ("transfers", "kernels")

View = dict[str, Any]


def measured_data(
    recordings: Sequence[Recording], place: Place | None = None
) -> dict[str, Any]:
    """Every step of the recordings on every device; of the example, if there is none.

    begin:      the step that is shown first, as indices: that at `place`, else the
                default one of the first recording
    recordings: their names and devices, the step that each starts with, and `windows`
                by "device/step", both as indices
    ranks:      of the steps that several ranks have; a window holds which
    """
    begun = all_opened(recordings or (example(),), place)
    steps = [default_step(one) or 0 for one in begun.recordings]
    kept = list(map(_around, begun.recordings, _middles(begun, steps)))
    cut = list(map(_left_out, begun.recordings))
    measured = Measured(recordings=tuple(one for one, _ in kept))
    listed = _view(measured)["recordings"]
    ranks: list[View] = []
    return {
        "longest_name": LONGEST_NAME,
        "begin": (begun.recording, begun.device, begun.step - kept[begun.recording][1]),
        "recordings": [
            listed[at] | _recording(measured, at, steps[at] - first, ranks, cut[at])
            for at, (_, first) in enumerate(kept)
        ],
        "ranks": [packed_ranks(view) for view in ranks],
    }


def _middles(begun: Measured, defaults: Sequence[int]) -> list[int]:
    """The steps to keep others around: of the ranks of the shown one, that step."""
    middles = list(defaults)
    name = begun.shown.steps[begun.step].name
    for at in family(begun.recordings, begun.recording):
        names = [step.name for step in begun.recordings[at].steps]
        middles[at] = names.index(name) if name in names else defaults[at]
    middles[begun.recording] = begun.step
    return middles


def left_out(recordings: Sequence[Recording]) -> list[str]:
    """A sentence for each recording of which a page has not all steps."""
    return [
        f"{one.path}: {text(said)}" for one in recordings for said in _left_out(one)
    ]


def _left_out(recording: Recording) -> list[Data]:
    count = len(recording.steps)
    if count <= MOST_STEPS:
        return []
    return [cell("measured.steps_left_out", kept=MOST_STEPS, all=count)]


def _around(recording: Recording, step: int) -> tuple[Recording, int]:
    """As many steps around one of them as a page holds, and which is the first."""
    if len(recording.steps) <= MOST_STEPS:
        return recording, 0
    latest = len(recording.steps) - MOST_STEPS
    first = min(max(step - MOST_STEPS // 2, 0), latest)
    steps = recording.steps[first : first + MOST_STEPS]
    places = recording.step - first
    is_kept = (places >= 0) & (places < MOST_STEPS)
    kept = replace(
        recording,
        steps=steps,
        step=np.where(is_kept, places, -1).astype(np.int32),
    )
    return kept, first


def _recording(
    measured: Measured,
    at: int,
    default: int,
    ranks: list[View],
    cut_off: Sequence[Data],
) -> dict[str, Any]:
    """What the steps of one recording share, and what each has of its own.

    `default` is where its default step is among those kept, or would be; `cut_off` says
    that others aren't kept. Views of ranks go into `ranks`, where those of several
    recordings are the same.
    """
    cut, recording = cache(window), measured.recordings[at]
    chosen = _every_step(measured, at)
    views = {key: _view(one, cut, cut_off) for key, one in chosen.items()}
    sentences = _sentences(views.values())
    return {
        "default_step": min(max(default, 0), len(recording.steps) - 1),
        "devices": list(recording.devices),
        "classes": views["0/0"]["classes"],
        "steps": [_begun(view["steps"], default) for view in _first_views(views)],
        "names": _names(recording.spans.names, views.values()),
        "warnings": sentences,
        "windows": {
            key: _shown(chosen[key], cut, ranks)
            | {"view": _own(view, recording.spans.names, sentences)}
            for key, view in views.items()
        },
    }


def _shown(measured: Measured, cut: Cut, ranks: list[View]) -> View:
    """The figure of a step, its run, and where its ranks stand."""
    return {
        "figure": _figure(measured, cut),
        "run": _run(measured),
        "ranks": place_of(ranks_view(measured), ranks),
    }


def _sentences(views: Iterable[View]) -> list[Cell]:
    """Each warning of the views once."""
    sentences: list[Cell] = []
    for view in views:
        sentences += [one for one in view["warnings"] if one not in sentences]
    return sentences


def _every_step(measured: Measured, at: int) -> dict[str, Measured]:
    """What can be chosen of a recording, by "device/step"."""
    recording = measured.recordings[at]
    return {
        f"{device}/{step}": replace(measured, recording=at, device=device, step=step)
        for device in range(len(recording.devices))
        for step in range(len(recording.steps))
    }


def _first_views(views: Mapping[str, View]) -> list[View]:
    """The view of the first step on each device."""
    return [view for key, view in views.items() if key.endswith("/0")]


def _begun(steps: list[View], default: int) -> list[View]:
    """With the default step of all marked, if it is kept, and not that of these."""
    return [step | {"default": at == default} for at, step in enumerate(steps)]


def _run(measured: Measured) -> dict[str, Any] | None:
    """The step as a scenario, where it can be replayed."""
    run = run_of(measured)
    return scenario_data(run) if run else None


def _view(measured: Measured, cut: Cut = window, noted: Sequence[Data] = ()) -> View:
    """A view with more that is noted of its recording."""
    view = measured_view(measured, cut)
    assert view is not None, "there is a recording"
    at = len(measured.shown.warnings)
    view["warnings"][at:at] = noted
    return view


def _names(names: Sequence[str], views: Iterable[View]) -> list[str]:
    """Those of the tables whole, the others as a card shows them."""
    listed = {
        name for view in views for table in TABLES for name in view[table]["name"]
    }
    return [name if name in listed else short_name(name) for name in names]


def _own(view: View, names: Sequence[str], sentences: Sequence[Cell]) -> View:
    """What only this step has; names and warnings are indices into those of all."""
    places = {name: at for at, name in enumerate(names)}
    own = {key: value for key, value in view.items() if key not in SHARED}
    for table in TABLES:
        codes = [places[name] for name in view[table]["name"]]
        own[table] = packed(view[table] | {"name": codes})
    return own | {"warnings": [sentences.index(said) for said in view["warnings"]]}


def _figure(measured: Measured, cut: Cut) -> dict[str, Any]:
    """The marks as fine as there is room for: no finer ones follow when one zooms."""
    recording = measured.shown
    shown = cut(recording, recording.devices[measured.device], measured.step)
    figure = stream_columns(measured, shown, finest_s=NS)
    sources = {name: packed(columns) for name, columns in figure["sources"].items()}
    return {key: figure[key] for key in ("ranges", "props")} | {"sources": sources}
