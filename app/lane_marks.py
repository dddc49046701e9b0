"""What the options of a step leave in its picture."""

from dataclasses import dataclass

import numpy as np

from overlap_widget.model.backward import Simulation
from overlap_widget.model.intervals import intersection, union
from overlap_widget.model.units import MS


@dataclass(frozen=True, slots=True)
class LaneMarks:
    """Times in milliseconds; empty and 0 where the options are off.

    late:     how long each bucket waits for the late rank
    slowed:   when a transfer slows compute, from and to
    passes:   where backward passes end, all but the last
    """

    late: float = 0.0
    slowed: tuple[tuple[float, float], ...] = ()
    passes: tuple[float, ...] = ()


NO_MARKS = LaneMarks()


def marks_of(simulation: Simulation) -> LaneMarks:
    """The marks of a simulated step."""
    effects, layers = simulation.effects, len(simulation.layers)
    ends_s = simulation.done_s[layers:-1:layers]
    return LaneMarks(
        late=effects.late_s / MS,
        slowed=_slowed(simulation) if effects.slowdown > 0 else (),
        passes=tuple(end_s / MS for end_s in ends_s),
    )


def _slowed(simulation: Simulation) -> tuple[tuple[float, float], ...]:
    start_s = np.array([one.start_s for one in simulation.transfers])
    end_s = np.array([one.end_s for one in simulation.transfers])
    whole_pass = np.array([[0.0, simulation.backward_s]])
    rows = intersection(union(start_s, end_s), whole_pass) / MS
    return tuple((float(start), float(end)) for start, end in rows)
