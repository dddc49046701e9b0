"""The view state of two steps that are compared: numbers of both, and what differs.

The step that is shown is the one after; what it is compared with is the one before.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from overlap_widget.app.against import compared
from overlap_widget.app.comparison_said import comparison_said
from overlap_widget.app.measured import Measured
from overlap_widget.app.said import as_data
from overlap_widget.app.step_view import Cut, step_view
from overlap_widget.model.comparison import StepNumbers, compare, spread_s
from overlap_widget.model.recording import window

View = dict[str, Any]
OF_NUMBERS = {field.name for field in fields(StepNumbers)} - {"complete", "spread_s"}


def against_view(
    measured: Measured, shown: Mapping[str, Any], cut: Cut = window
) -> View | None:
    """What the shown step, given as its view, is compared with; None for nothing."""
    if measured.against is None:
        return None
    before = step_view(compared(measured), cut)
    found = compare(step_numbers(before), step_numbers(shown))
    return {
        **{key: before[key] for key in ("recording", "device", "step")},
        **{key: before[key] for key in ("devices", "steps")},
        "numbers": before["numbers"],
        "said": [as_data(said) for said in comparison_said(found)],
        "rows": {
            "name": [row.name for row in found.rows],
            "before": [row.before for row in found.rows],
            "after": [row.after for row in found.rows],
        },
    }


def step_numbers(view: Mapping[str, Any]) -> StepNumbers:
    """What is compared of a step, of its view."""
    steps = view["steps"]
    known = {key: view["numbers"].get(key) for key in OF_NUMBERS}
    lengths_s = [step["span_s"] for step in steps if step["complete"]]
    return StepNumbers(
        **known,
        complete=steps[view["step"]]["complete"] if steps else True,
        spread_s=spread_s(lengths_s),
    )


def both_figures(shown: View, before: View) -> dict[str, View]:
    """The figures of both steps on one time axis: that of the longer one."""
    figures = {"recording": shown, "against": before}
    frame = f"{shown['frame']} {before['frame']}"
    longer = max(
        (one["ranges"]["recording_x"] for one in figures.values()),
        key=lambda axis: axis["end"],
    )
    return {
        name: one | {"frame": frame, "ranges": one["ranges"] | {"recording_x": longer}}
        for name, one in figures.items()
    }
