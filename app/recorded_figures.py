"""The figures of measured mode: the lanes of the shown step and of what it's beside."""

from typing import Any

from overlap_widget.app.against import compared
from overlap_widget.app.comparison_view import both_figures
from overlap_widget.app.measured import Measured
from overlap_widget.app.step_view import Cut, shown_window
from overlap_widget.app.stream_columns import stream_columns
from overlap_widget.model.recording import window


def recorded_figures(measured: Measured, cut: Cut = window) -> dict[str, Any]:
    """Columns by figure; none without a recording."""
    if not measured.recordings:
        return {}
    shown = stream_columns(measured, shown_window(measured, cut))
    if measured.against is None:
        return {"recording": shown}
    before = compared(measured)
    return both_figures(shown, stream_columns(before, shown_window(before, cut)))
