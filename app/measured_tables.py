"""The tables of a measured step: its transfers, and its kernels by name and class."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.breakdown import exposed_s
from overlap_widget.model.recording import Window
from overlap_widget.model.timeline import Collective, Kind, Timeline

MOST_TRANSFERS, MOST_KERNELS = 200, 100
"""Rows of the tables; the rest is counted."""
MIXED = 255
"""In place of a kind: the spans of a name differ."""


def transfers_table(shown: Window) -> dict[str, Any]:
    """The transfers in the order of their start, as columns."""
    timeline = shown.timeline
    rows = timeline.rows_of(Kind.COMMUNICATION)
    listed = rows[:MOST_TRANSFERS]
    return {
        "number": list(range(1, len(listed) + 1)),
        "name": [timeline.names[code] for code in timeline.name[listed]],
        "collective": [
            Collective(code).name.lower() for code in timeline.collective[listed]
        ],
        "bytes": [_known(size) for size in timeline.size_bytes[listed]],
        "start_s": timeline.start_s[listed].tolist(),
        "end_s": timeline.end_s[listed].tolist(),
        "exposed_s": exposed_s(timeline)[listed].tolist(),
        "transfers_total": len(rows),
    }


def kernels_table(
    shown: Window, loaded: NDArray[np.uint8], search: str = ""
) -> dict[str, Any]:
    """Names of communication first, then those that take the most time, as columns.

    loaded:  uint8[len(names)], the kind that each name was loaded as; `MIXED` where
             its kernels differ
    search:  only names that hold this text, in capitals or not
    """
    timeline = shown.timeline
    pair = timeline.name.astype(np.int64) * len(Kind) + timeline.kind
    pairs, row, count = np.unique(pair, return_inverse=True, return_counts=True)
    time_s = np.bincount(row, timeline.end_s - timeline.start_s, minlength=len(pairs))
    name, kind = pairs // len(Kind), pairs % len(Kind)
    found = np.flatnonzero(_hold(timeline, name, search))
    order = np.lexsort((-time_s[found], kind[found] != Kind.COMMUNICATION))
    listed = found[order[:MOST_KERNELS]]
    return {
        "kernels_total": len(found),
        "name": [timeline.names[code] for code in name[listed]],
        "kind": [Kind(code).name.lower() for code in kind[listed]],
        "loaded": [_kind_name(loaded[code]) for code in name[listed]],
        "count": count[listed].tolist(),
        "time_s": time_s[listed].tolist(),
    }


def kind_counts(shown: Window) -> dict[str, int]:
    """How many spans count as what."""
    counts = np.bincount(shown.timeline.kind, minlength=len(Kind))
    return {kind.name.lower(): int(counts[kind]) for kind in Kind}


def longest_names(shown: Window, kind: Kind, most: int) -> list[str]:
    """The names of a kind that take the most time."""
    timeline = shown.timeline
    rows = timeline.kind == kind
    long_s = (timeline.end_s - timeline.start_s)[rows]
    time_s = np.bincount(timeline.name[rows], long_s, minlength=len(timeline.names))
    order = np.argsort(-time_s, kind="stable")[:most]
    return [timeline.names[code] for code in order if time_s[code] > 0]


def _hold(
    timeline: Timeline, name: NDArray[np.int64], search: str
) -> NDArray[np.bool_]:
    text = search.strip().casefold()
    if not text:
        return np.ones(len(name), dtype=bool)
    return np.array(
        [text in timeline.names[code].casefold() for code in name], dtype=bool
    )


def _kind_name(code: int) -> str | None:
    return None if code == MIXED else Kind(code).name.lower()


def _known(number: NDArray[np.float64] | float) -> float | None:
    return None if np.isnan(number) else float(number)
