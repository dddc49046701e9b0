"""The view state of a measured step: numbers, tables and the marks of its lanes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from overlap_widget.app.class_remarks import class_remarks
from overlap_widget.app.comparison_view import against_view
from overlap_widget.app.kernel_classes import classes_view, kinds_as_loaded
from overlap_widget.app.measured import Measured
from overlap_widget.app.measured_tables import (
    kernels_table,
    kind_counts,
    transfers_table,
)
from overlap_widget.app.said import Said, as_data
from overlap_widget.app.step_part import cut_part
from overlap_widget.app.step_view import Cut, shown_window, step_view
from overlap_widget.app.what_if import what_if_view
from overlap_widget.model.recording import Recording, window

Numbers = Mapping[str, Any]


def measured_view(measured: Measured, cut: Cut = window) -> dict[str, Any] | None:
    """All but the figure, as plain data; None without a recording.

    `cut` may be a remembering form of `window`.
    """
    if not measured.recordings:
        return None
    recording = measured.shown
    shown = cut_part(measured, shown_window(measured, cut))
    chosen = step_view(measured, cut)
    numbers = chosen["numbers"]
    return {
        "recordings": _recordings(measured.recordings),
        **chosen,
        "against": against_view(measured, chosen, cut),
        "sentence": f"measured.{_sentence(numbers)}",
        "warnings": [
            *(_sentence_of(warning) for warning in recording.warnings),
            *map(as_data, (*class_remarks(shown), *_limits(numbers))),
        ],
        "transfers": transfers_table(shown),
        "kernels": kernels_table(shown, kinds_as_loaded(recording), measured.search),
        "kinds": kind_counts(shown),
        "classes": classes_view(measured),
        "what_if": what_if_view(measured),
    }


def _recordings(recordings: Sequence[Recording]) -> list[dict[str, Any]]:
    """File names, with their folders where two files have the same name."""
    files = Counter(Path(path).name for path in {one.path for one in recordings})
    titles = [
        one.path if files[Path(one.path).name] > 1 else Path(one.path).name
        for one in recordings
    ]
    return [
        {
            "name": title,
            "format": one.format,
            "rank": one.rank,
        }
        for title, one in zip(_apart(titles, recordings), recordings, strict=True)
    ]


def _apart(titles: Sequence[str], recordings: Sequence[Recording]) -> list[str]:
    """Those of one file are numbered where their ranks don't tell them apart."""
    met: Counter[tuple[str, int | None]] = Counter()
    apart = []
    for title, one in zip(titles, recordings, strict=True):
        met[title, one.rank] += 1
        count = met[title, one.rank]
        apart.append(title if count == 1 else f"{title} ({count})")
    return apart


def _sentence_of(warning: str) -> str:
    """A remark as a sentence; remarks of a loader have no capital and no stop."""
    return f"{warning[:1].upper()}{warning[1:]}."


def _limits(numbers: Numbers) -> list[Said]:
    """What one recording alone can't tell of its communication."""
    is_alone = numbers["communication_s"] > 0 and "waiting_s" not in numbers
    return [Said("measured.one_rank", {})] if is_alone else []


def _sentence(numbers: Numbers) -> str:
    if numbers["communication_s"] == 0:
        return "none"
    return "exposed" if numbers["exposed_s"] > 0 else "hidden"
