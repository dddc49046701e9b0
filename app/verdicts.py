"""The sentence that everything is about, and why it holds: as text, for any picture."""

from dataclasses import dataclass
from typing import Any

from overlap_widget.app.cover import question_of
from overlap_widget.app.explanation import explanation, remarks
from overlap_widget.app.quantities import count_text, time_text
from overlap_widget.app.said import text
from overlap_widget.app.settings import Settings, simulation_of
from overlap_widget.app.words import strings, words
from overlap_widget.model.backward import Simulation
from overlap_widget.model.effects import Effects

_PLACE = "\N{OBJECT REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A sentence around the time that it is about, and the sentences that explain it.

    before, number, after: the verdict; no number where nothing is exposed
    """

    before: str
    number: str
    after: str
    why: str

    @property
    def sentence(self) -> str:
        """The verdict in one."""
        return f"{self.before}{self.number}{self.after}"


def simulated_verdict(simulation: Simulation) -> Verdict:
    """Of a simulated step."""
    tail_s = simulation.tail.total_s
    why = " ".join(
        text(said) for said in (*explanation(simulation), *remarks(simulation))
    )
    if tail_s <= 0:
        return _verdict("verdict.none", "", "", why)
    return _verdict("verdict.waits", "tail", time_text(tail_s), why)


def measured_verdict(view: dict[str, Any]) -> Verdict:
    """Of a measured step, from the view state that the front gets."""
    numbers, sentence = view["numbers"], view["sentence"]
    values = _measured_values(numbers)
    keys = [f"{sentence}.why"]
    if numbers["communication_s"] > 0:
        is_found = numbers["backward_found"]
        keys.append("measured.tail" if is_found else "measured.tail_guessed")
    if numbers["idle_s"] > numbers["exposed_s"]:
        keys.append("measured.idle")
    why = " ".join(words(key, **values) for key in keys if key in strings())
    return _verdict(sentence, "exposed", values["exposed"], why)


def question(settings: Settings) -> Verdict:
    """What a page asks while it covers the answer; ValueError if it doesn't."""
    asked = question_of(settings)
    if asked is None:
        raise ValueError("nothing is asked of these settings")
    if settings.mode == "measured":
        return Verdict(words("predict.ask.measured"), "", "", words("predict.hidden"))
    simulation = simulation_of(settings)
    sentence = words(
        f"predict.ask.{_asked(asked, settings.effects)}",
        backward=time_text(simulation.backward_s).replace(" ", "\N{NO-BREAK SPACE}"),
        transfers=count_text("transfers", len(simulation.transfers)),
    )
    return Verdict(sentence, "", "", words("predict.hidden"))


def _asked(question: str, effects: Effects) -> str:
    if question == "best" and effects.slows_compute:
        return "step"
    return "tail.passes" if question == "tail" and effects.micro_steps > 1 else question


def _measured_values(numbers: dict[str, Any]) -> dict[str, str]:
    times = ("idle", "span", "compute", "communication", "hidden", "exposed", "tail")
    return {key: time_text(numbers[f"{key}_s"]) for key in times} | {
        noun: count_text(noun, numbers[noun]) for noun in ("transfers", "kernels")
    }


def _verdict(key: str, place: str, number: str, why: str) -> Verdict:
    whole = words(key, **{place: _PLACE}) if place else words(key)
    before, found, after = whole.partition(_PLACE)
    return Verdict(before, number if found else "", after, why)
