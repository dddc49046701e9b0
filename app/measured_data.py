"""Measured mode of the embedded page: all its views, worked out ahead.

The twin reads no trace: it looks up what stands here for each recording, device and
step. What several steps share stands once; `static/twin/measured_lookup.js` puts a
view together again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from overlap_widget.app.measured import Measured, all_opened, example
from overlap_widget.app.measured_view import measured_view
from overlap_widget.app.packed import packed
from overlap_widget.app.ranks_data import packed_ranks, place_of
from overlap_widget.app.ranks_view import ranks_view
from overlap_widget.app.step_view import Cut
from overlap_widget.app.stream_columns import LONGEST_NAME, short_name, stream_columns
from overlap_widget.app.twin_data import scenario_data
from overlap_widget.app.what_if import run_of
from overlap_widget.app.words import words
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


def measured_data(recordings: Sequence[Recording]) -> dict[str, Any]:
    """Every step of the recordings on every device; of the example, if there is none.

    recordings: their names and devices, the step that each starts with, and `windows`
                by "device/step", both as indices
    ranks:      of the steps that several ranks have; a window holds which
    """
    given = all_opened(recordings or (example(),)).recordings
    kept = [_around_default(one) for one in given]
    measured = Measured(recordings=tuple(one for one, _ in kept))
    listed = _view(measured)["recordings"]
    ranks: list[View] = []
    return {
        "longest_name": LONGEST_NAME,
        "recordings": [
            listed[at] | {"default_step": step} | _recording(measured, at, step, ranks)
            for at, (_, step) in enumerate(kept)
        ],
        "ranks": [packed_ranks(view) for view in ranks],
    }


def left_out(recordings: Sequence[Recording]) -> list[str]:
    """A sentence for each recording of which a page has not all steps."""
    return [f"{one.path}: {said}" for one in recordings if (said := _left_out(one))]


def _left_out(recording: Recording) -> str:
    count = len(recording.steps)
    if count <= MOST_STEPS:
        return ""
    return words("measured.steps_left_out", kept=MOST_STEPS, all=count)


def _around_default(recording: Recording) -> tuple[Recording, int]:
    """The steps around the default one, and where that is then."""
    default, count = default_step(recording) or 0, len(recording.steps)
    said = _left_out(recording)
    if not said:
        return recording, default
    first = min(max(default - MOST_STEPS // 2, 0), count - MOST_STEPS)
    steps = recording.steps[first : first + MOST_STEPS]
    places = recording.step - first
    is_kept = (places >= 0) & (places < MOST_STEPS)
    kept = replace(
        recording,
        steps=steps,
        step=np.where(is_kept, places, -1).astype(np.int32),
        warnings=(*recording.warnings, said.removesuffix(".")),
    )
    return kept, default - first


def _recording(
    measured: Measured, at: int, default: int, ranks: list[View]
) -> dict[str, Any]:
    """What the steps of one recording share, and what each has of its own.

    Views of ranks go into `ranks`, where those of several recordings are the same.
    """
    cut, recording = cache(window), measured.recordings[at]
    chosen = _every_step(measured, at)
    views = {key: _view(one, cut) for key, one in chosen.items()}
    sentences = _sentences(views.values())
    return {
        "devices": list(recording.devices),
        "classes": views["0/0"]["classes"],
        "steps": [
            _begun(views[f"{at}/0"]["steps"], default)
            for at in range(len(recording.devices))
        ],
        "names": _names(recording.spans.names, views.values()),
        "warnings": sentences,
        "windows": {
            key: {
                "view": _own(view, recording.spans.names, sentences),
                "figure": _figure(chosen[key], cut),
                "run": _run(chosen[key]),
                "ranks": place_of(ranks_view(chosen[key]), ranks),
            }
            for key, view in views.items()
        },
    }


def _sentences(views: Iterable[View]) -> list[str]:
    """Each warning of the views once."""
    return list(dict.fromkeys(said for view in views for said in view["warnings"]))


def _every_step(measured: Measured, at: int) -> dict[str, Measured]:
    """What can be chosen of a recording, by "device/step"."""
    recording = measured.recordings[at]
    return {
        f"{device}/{step}": replace(measured, recording=at, device=device, step=step)
        for device in range(len(recording.devices))
        for step in range(len(recording.steps))
    }


def _begun(steps: list[View], default: int) -> list[View]:
    """With the step marked that a page begins with: of those left out it is one too."""
    return [step | {"default": at == default} for at, step in enumerate(steps)]


def _run(measured: Measured) -> dict[str, Any] | None:
    """The step as a scenario, where it can be replayed."""
    run = run_of(measured)
    return scenario_data(run) if run else None


def _view(measured: Measured, cut: Cut = window) -> View:
    view = measured_view(measured, cut)
    assert view is not None, "there is a recording"
    return view


def _names(names: Sequence[str], views: Iterable[View]) -> list[str]:
    """Those of the tables whole, the others as a card shows them."""
    listed = {
        name for view in views for table in TABLES for name in view[table]["name"]
    }
    return [name if name in listed else short_name(name) for name in names]


def _own(view: View, names: Sequence[str], sentences: Sequence[str]) -> View:
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
