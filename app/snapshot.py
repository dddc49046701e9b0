"""What a page shows before its scripts run, and where they never do."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from overlap_widget.app.cover import question_of
from overlap_widget.app.measured import Measured, Place, all_opened
from overlap_widget.app.measured_view import measured_view
from overlap_widget.app.picture import lanes_svg, streams_svg
from overlap_widget.app.quantities import count_text, size_text, time_text
from overlap_widget.app.said import text as said
from overlap_widget.app.settings import Settings, simulation_of
from overlap_widget.app.templates import template
from overlap_widget.app.titles import scenario_title
from overlap_widget.app.verdicts import (
    Verdict,
    measured_verdict,
    question,
    simulated_verdict,
)
from overlap_widget.app.words import words
from overlap_widget.model.recording import Recording

SUMS = ("hidden", "communication", "backward", "step")
Numbers = dict[str, float | None]
"""Times by their names; None for one that is covered."""
MEASURED = ("exposed", "hidden", "communication", "compute", "idle", "span")


def snapshot(
    settings: Settings,
    recordings: Sequence[Recording],
    place: Place | None = None,
    late: str = "embed.blocked",
) -> str:
    """The start of a page as markup: title, verdict, picture, numbers.

    Where the page asks a question first, nothing in it tells the answer. `late` is the
    key of what is said where the page's scripts don't come.
    """
    measures = settings.mode == "measured"
    shown = (
        _of_recording(settings, all_opened(recordings, place))
        if measures
        else _of_simulation(settings)
    )
    return template("snapshot.html").render(**shown, late=late)


def _of_simulation(settings: Settings) -> dict[str, Any]:
    simulation, effects = simulation_of(settings), settings.effects
    is_in = {
        "late": effects.late_s > 0,
        "slowed": effects.slows_compute,
        "passes": effects.micro_steps > 1,
        "ghost": settings.scenario.ghost is not None,
    }
    legend = ["compute", "hidden", "exposed", "waiting"]
    numbers: Numbers = {"tail": simulation.tail.total_s}
    numbers |= {key: getattr(simulation, f"{key}_s") for key in SUMS}
    asks = question_of(settings) is not None
    if asks:
        open_ones: Numbers = dict.fromkeys(numbers)
        numbers = open_ones | {"backward": numbers["backward"]}
    return _page(
        settings,
        question(settings) if asks else simulated_verdict(simulation),
        lanes_svg(settings),
        [*legend, *(role for role, there in is_in.items() if there)],
        numbers,
    )


def _of_recording(settings: Settings, measured: Measured) -> dict[str, Any]:
    view = measured_view(measured)
    assert view, "a page has a recording"
    asks = question_of(settings) is not None
    numbers = {key: view["numbers"][f"{key}_s"] for key in MEASURED}
    return _page(
        settings,
        question(settings) if asks else measured_verdict(view),
        streams_svg(measured, covered=asks),
        ["compute", "hidden", "exposed", "other"],
        {} if asks else numbers,
    )


def _page(
    settings: Settings,
    verdict: Verdict,
    picture: str,
    legend: Sequence[str],
    numbers: Numbers,
) -> dict[str, Any]:
    """What the template is filled with."""
    return {
        "words": words,
        "theme": "" if settings.theme == "auto" else settings.theme,
        "title": words("title"),
        "verdict": verdict,
        "asks": question_of(settings) is not None,
        "run": _run(settings),
        "legend": legend,
        "picture": Markup(picture),
        "numbers": [
            (words(f"number.{key}"), _number_text(time_s))
            for key, time_s in numbers.items()
        ],
        "joined": _joined,
    }


def _run(settings: Settings) -> str:
    """What is estimate and what is measured, where a recorded step is explored."""
    ghost = settings.scenario.ghost
    if ghost is None or settings.mode != "explore":
        return ""
    layers = settings.scenario.layers
    sizes_bytes = [one.gradient_bytes for one in layers]
    is_told = question_of(settings) is None
    return words(
        "what_if.estimate" if is_told else "what_if.estimate.covered",
        title=said(scenario_title(settings.scenario)),
        backward=_joined(time_text(ghost.backward_s)),
        tail=_joined(time_text(ghost.tail_s)),
        pieces=count_text("pieces", len(layers)),
        piece=_joined(size_text(sum(sizes_bytes) / len(sizes_bytes))),
    )


def _number_text(time_s: float | None) -> str:
    if time_s is None:
        return words("predict.open_number")
    return _joined(time_text(time_s))


def _joined(quantity: str) -> str:
    """A number that stays with its unit, as the front writes it."""
    return quantity.replace(" ", "\N{NO-BREAK SPACE}")
