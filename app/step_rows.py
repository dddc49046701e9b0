"""The steps of a recording beside each other: how long, how much exposed, how whole."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from overlap_widget.app.remembered import remembered
from overlap_widget.model.breakdown import break_down
from overlap_widget.model.measurement import default_step
from overlap_widget.model.recording import Recording, Window, window
from overlap_widget.model.step_remarks import remarks

Row = dict[str, Any]


@remembered
def step_rows(recording: Recording, device: int) -> list[Row]:
    """One row a step of a device, as plain data."""
    parts = [break_down(shown.timeline) for shown in windows(recording, device)]
    spans_s = [part.span_s for part in parts]
    noted = remarks(recording.steps, spans_s)
    default = default_step(recording)
    return [
        {
            "name": step.name,
            "complete": step.complete,
            "remark": remark.value,
            "default": at == default,
            "span_s": part.span_s,
            "exposed_s": part.exposed_s,
            "tail_s": part.tail_s,
        }
        for at, (step, part, remark) in enumerate(
            zip(recording.steps, parts, noted, strict=True)
        )
    ]


def windows(recording: Recording, device: int) -> Iterator[Window]:
    """Every step of a device, cut in one go: a step costs what it holds."""
    here = np.flatnonzero(recording.device == device)
    order = here[np.argsort(recording.step[here], kind="stable")]
    edges = np.searchsorted(recording.step[order], np.arange(len(recording.steps) + 1))
    for at in range(len(recording.steps)):
        rows = order[edges[at] : edges[at + 1]]
        alone = replace(
            recording,
            spans=recording.spans.select(rows),
            device=recording.device[rows],
            step=recording.step[rows],
            phase=recording.phase[rows],
            group=recording.group[rows],
            loaded_kind=recording.loaded_kind[rows],
            sequence=None,
        )
        yield window(alone, device, at)
