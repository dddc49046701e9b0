"""Why a step waits, and what would help most: as data, for any simulated step.

Words are made from it elsewhere, the same for the page and the terminal.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from overlap_widget.model.backward import Simulation, simulate
from overlap_widget.model.plans import (
    best_bucket,
    tails_and_slowed_s,
    whole_layers,
)
from overlap_widget.model.regime import Regime, regime

LEAST = 0.01
"""Of the tail: what would save less isn't worth a word."""


class Lever(Enum):
    """What one could change; the value is the key of its words."""

    OVERLAP = "overlap"
    LATE = "late"
    BUCKET = "bucket"
    OVERHEAD = "overhead"
    BANDWIDTH = "bandwidth"


@dataclass(frozen=True, slots=True)
class Help:
    """A change and the seconds it takes off the tail, after those before it.

    Overlap is switched on and the late rank catches up; the bucket size becomes the
    best one, the overhead half of what it is, the bandwidth twice.

    simulation: the step with this change and those before it
    """

    lever: Lever
    saves_s: float
    simulation: Simulation


@dataclass(frozen=True, slots=True)
class Explanation:
    """What decides the tail, and what helps, the greatest help first.

    Each help comes on top of those before it, so that together they never save more
    than the exposed tail.
    """

    regime: Regime
    helps: tuple[Help, ...]


def explain(simulation: Simulation) -> Explanation:
    """The regime of a step, and what would help; nothing where nothing is left."""
    return Explanation(regime(simulation), _helps(simulation))


def _helps(simulation: Simulation) -> tuple[Help, ...]:
    """Pull the lever that shortens the tail most, then the best of the rest, and so on.

    A pass that is slowed less isn't exposed communication, so what only helps the pass
    isn't counted; but no lever is pulled that lengthens the step.
    """
    found: list[Help] = []
    now, rest = simulation, dict(_LEVERS)
    least_s = LEAST * simulation.tail.total_s
    while True:
        pulled = [(lever, change(now)) for lever, change in rest.items()]
        worth = [one for one in pulled if _shortens(one[1], now, least_s)]
        if not worth:
            return tuple(found)
        lever, then = min(worth, key=lambda one: one[1].tail.total_s)
        found.append(Help(lever, now.tail.total_s - then.tail.total_s, then))
        now = then
        del rest[lever]


def _shortens(then: Simulation, now: Simulation, least_s: float) -> bool:
    """Whether a change takes more than this off the tail and lengthens no step."""
    saves_s = now.tail.total_s - then.tail.total_s
    return saves_s > least_s and then.step_s <= now.step_s


def _with_overlap(step: Simulation) -> Simulation:
    effects = replace(step.effects, overlap=True)
    return simulate(step.layers, step.plan, step.link, effects)


def _without_late_rank(step: Simulation) -> Simulation:
    effects = replace(step.effects, late_s=0.0)
    return simulate(step.layers, step.plan, step.link, effects)


def _with_best_bucket(step: Simulation) -> Simulation:
    size = best_bucket(*tails_and_slowed_s(step.layers, step.link, step.effects))
    plan = whole_layers(len(step.layers), size)
    return simulate(step.layers, plan, step.link, step.effects)


def _with_half_the_overhead(step: Simulation) -> Simulation:
    return simulate(
        step.layers, step.plan, step.link.scaled(overhead=0.5), step.effects
    )


def _with_twice_the_bandwidth(step: Simulation) -> Simulation:
    return simulate(step.layers, step.plan, step.link.scaled(wire=0.5), step.effects)


_LEVERS: Mapping[Lever, Callable[[Simulation], Simulation]] = {
    Lever.OVERLAP: _with_overlap,
    Lever.LATE: _without_late_rank,
    Lever.BUCKET: _with_best_bucket,
    Lever.OVERHEAD: _with_half_the_overhead,
    Lever.BANDWIDTH: _with_twice_the_bandwidth,
}
