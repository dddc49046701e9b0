"""A step as a vector picture, drawn by Python and without a browser.

It draws the columns that the Bokeh figures get, in the looks of those figures. In a
page it is the first paint, what shows without JavaScript, and the picture in print; as
a file it goes into slides and papers.
"""

from typing import Any

from overlap_widget.app.cover import question_of
from overlap_widget.app.measured import Measured
from overlap_widget.app.measured_view import measured_view
from overlap_widget.app.picture_css import picture_css
from overlap_widget.app.picture_drawing import (
    Drawing,
    page_svg,
    recorded_drawing,
    step_drawing,
)
from overlap_widget.app.picture_said import settings_text, step_text
from overlap_widget.app.picture_sheet import sheet_svg
from overlap_widget.app.quantities import count_text, time_text
from overlap_widget.app.settings import Settings, simulation_of
from overlap_widget.app.verdicts import (
    Verdict,
    measured_verdict,
    question,
    simulated_verdict,
)
from overlap_widget.app.words import words
from overlap_widget.model.backward import Simulation
from overlap_widget.model.recording import window

__all__ = ["lanes_svg", "picture_css", "picture_svg", "recording_svg", "streams_svg"]

STEP_LEGEND = (
    *("compute", "hidden", "exposed", "waiting"),
    *("late", "slowed", "passes", "ghost"),
)
RECORDED_LEGEND = ("compute", "hidden", "exposed", "other")


def lanes_svg(settings: Settings) -> str:
    """The lanes of a simulated step for a page: as wide as its place; `picture_css`.

    Where an answer is covered they end with the pass, and so they do in a file.
    """
    drawing, _verdict, summary = _simulated(settings)
    return page_svg(drawing, words("region.lanes"), summary)


def picture_svg(settings: Settings) -> str:
    """A simulated step as a file: verdict, why, legend, lanes, settings."""
    drawing, verdict, summary = _simulated(settings)
    return sheet_svg(drawing, verdict, summary, STEP_LEGEND, settings_text(settings))


def streams_svg(measured: Measured, *, covered: bool = False) -> str:
    """The lanes of a measured step for a page; ValueError without a recording."""
    drawing, view = _recorded(measured, covered)
    summary = words("predict.hidden") if covered else _recorded_summary(view)
    return page_svg(drawing, words("region.recording"), summary)


def recording_svg(measured: Measured) -> str:
    """A measured step as a file: verdict, why, legend, lanes, file and step.

    ValueError without a recording.
    """
    drawing, view = _recorded(measured)
    return sheet_svg(
        drawing,
        measured_verdict(view),
        _recorded_summary(view),
        RECORDED_LEGEND,
        step_text(view, measured.window_s),
    )


def _simulated(settings: Settings) -> tuple[Drawing, Verdict, str]:
    """Lanes, verdict and summary, or the question where the answer is covered."""
    simulation = simulation_of(settings)
    covered = question_of(settings) is not None
    drawing = step_drawing(simulation, settings.scenario.ghost, covered=covered)
    if covered:
        return drawing, question(settings), _covered_summary(simulation)
    return drawing, simulated_verdict(simulation), _step_summary(simulation)


def _recorded(
    measured: Measured, covered: bool = False
) -> tuple[Drawing, dict[str, Any]]:
    view = measured_view(measured)
    if view is None:
        raise ValueError("there is no recording to draw; name a trace")
    recording = measured.shown
    shown = window(recording, recording.devices[measured.device], measured.step)
    return recorded_drawing(measured, shown, covered=covered), view


def _step_summary(simulation: Simulation) -> str:
    """The lanes for those who can't see them."""
    return _without_tables(
        words(
            "summary.lanes",
            layers=count_text("layers", len(simulation.layers)),
            backward=time_text(simulation.backward_s),
            communication=time_text(simulation.communication_s),
            hidden=time_text(simulation.hidden_s),
            tail=time_text(simulation.tail.total_s),
            transfers=count_text("transfers", len(simulation.transfers)),
        )
    )


def _covered_summary(simulation: Simulation) -> str:
    """What they show while the answer is covered."""
    shown = words(
        "summary.lanes.covered",
        backward=time_text(simulation.backward_s),
        transfers=count_text("transfers", len(simulation.transfers)),
    )
    return f"{shown} {words('predict.hidden')}"


def _recorded_summary(view: dict[str, Any]) -> str:
    numbers = view["numbers"]
    return _without_tables(
        words(
            "summary.recording",
            kernels=count_text("kernels", numbers["kernels"]),
            span=time_text(numbers["span_s"]),
            transfers=count_text("transfers", numbers["transfers"]),
            exposed=time_text(numbers["exposed_s"]),
        )
    )


def _without_tables(summary: str) -> str:
    """Without the last sentence, which points to tables that only the widget has."""
    return summary[: summary.rindex(". ") + 1]
