"""The guided lesson and the presets: what each starts with, asks and checks, as data.

What a step says stands in the strings, under `lesson.<name>`; the front shows it, keeps
the learner's guess and checks what the learner did against the view state.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

START: Mapping[str, float | str] = {
    "mode": "explore",
    "scenario": "course",
    "plan": "layers",
    "bandwidth": 12e9,
    "overhead": 1e-3,
}
"""What every step that is simulated begins with, in SI units."""


@dataclass(frozen=True, slots=True)
class Check:
    """Something the learner brings about: a value of the view state, and its goal.

    of:   a number of the step (`tail_s`), a setting (`bucket`), or of a recorded run
          whether all but its buckets `is_fitted`
    test: `below`, `above`, `equals` or `differs` from the goal; `same_as` the number
          that the goal names; `below_run`, that share of the recorded run's tail;
          `tried`, so many values of it while all else stays
    """

    of: str
    test: str
    goal: float | str | bool


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the lesson.

    start:  settings by key, in the order in which they are set
    checks: all of them hold at once when the step is done
    """

    name: str
    start: Mapping[str, float | str]
    checks: tuple[Check, ...]


STEPS = (
    Step(
        "overlap",
        {**START, "bucket": 12, "predict": "tail"},
        (Check("tail_s", "below", 12e-3), Check("hidden_s", "above", 0.0)),
    ),
    Step(
        "floor",
        {**START, "bucket": 7, "predict": "tail"},
        (Check("tail_s", "below", 8e-3), Check("queued_s", "equals", 0.0)),
    ),
    Step(
        "balance",
        {**START, "bucket": 1, "overhead": 3e-3, "predict": "best"},
        (Check("best_bucket", "equals", 3), Check("bucket", "same_as", "best_bucket")),
    ),
    Step(
        "queue",
        {**START, "scenario": "fast-hardware", "bucket": 1, "predict": "tail"},
        (
            Check("traffic_exceeds_work", "equals", goal=True),
            Check("bucket", "tried", 3),
        ),
    ),
    Step(
        "lever",
        {**START, "scenario": "fast-hardware", "bucket": 2, "predict": "lever"},
        (
            Check("traffic_exceeds_work", "equals", goal=False),
            Check("tail_s", "below", 6e-3),
        ),
    ),
    Step(
        "measured",
        {"mode": "measured", "predict": "tail"},
        (
            Check("tail_s", "below_run", 0.5),
            Check("plan", "differs", "measured"),
            Check("is_fitted", "equals", goal=True),
        ),
    ),
)
STEP_NAMES = tuple(step.name for step in STEPS)
QUESTIONS = ("tail", "best", "regime", "lever")
"""What can be asked of a state before its answer is revealed."""

PRESETS: Mapping[str, Mapping[str, float | str]] = {
    "one_bucket": {**START, "bucket": 12},
    "three_layers": {**START, "bucket": 3},
    "each_layer": {**START, "bucket": 1},
    "costly_starts": {**START, "bucket": 1, "overhead": 3e-3},
    "fast_hardware": {**START, "scenario": "fast-hardware", "bucket": 2},
    "slow_link": {
        **START,
        "scenario": "traffic-above-work",
        "bandwidth": 4e9,
        "bucket": 2,
    },
}


def lesson_data() -> list[dict[str, Any]]:
    """The steps as plain data, for the front and for the twin."""
    return [
        {
            "name": step.name,
            "start": dict(step.start),
            "checks": [asdict(check) for check in step.checks],
        }
        for step in STEPS
    ]


def presets_data() -> list[dict[str, Any]]:
    """The presets as plain data, in the order of their number keys."""
    return [{"name": name, "start": dict(start)} for name, start in PRESETS.items()]
