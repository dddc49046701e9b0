"""How the time of a timeline divides: compute, hidden and exposed communication."""

from dataclasses import dataclass

import numpy as np

from overlap_widget.model.intervals import (
    Intervals,
    covered_s,
    difference,
    intersection,
    length_s,
)
from overlap_widget.model.timeline import Kind, Timeline

ROUNDING = 1e-12
"""Of the length of a step: what sums of many parts may be off by."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Seconds by union of intervals; hidden + exposed = communication.

    span_s:          from the first start to the last end
    compute_s:       some kernel computes
    communication_s: some transfer runs
    hidden_s:        both at once
    exposed_s:       a transfer runs and nothing computes
    tail_s:          communication after the end of the backward pass
    """

    span_s: float
    compute_s: float
    communication_s: float
    hidden_s: float
    exposed_s: float
    tail_s: float

    @property
    def idle_s(self) -> float:
        """Neither computes nor communicates."""
        return idle_s(self.span_s, self.compute_s, self.exposed_s)

    @property
    def overlap(self) -> float | None:
        """Hidden over communication, 0 to 1; None without communication."""
        if self.communication_s == 0:
            return None
        return self.hidden_s / self.communication_s


def idle_s(span_s: float, compute_s: float, exposed_s: float) -> float:
    """What is left of a step beside compute and exposed; what is only rounding is 0."""
    rest_s = span_s - compute_s - exposed_s
    return rest_s if rest_s > ROUNDING * span_s else 0.0


def break_down(timeline: Timeline) -> Breakdown:
    """Divide the time of a timeline; all zero for an empty one."""
    compute = timeline.busy(Kind.COMPUTE)
    communication = timeline.busy(Kind.COMMUNICATION)
    communication_s = length_s(communication)
    hidden_s = min(length_s(intersection(communication, compute)), communication_s)
    return Breakdown(
        span_s=float(timeline.end_s.max() - timeline.start_s.min())
        if len(timeline)
        else 0.0,
        compute_s=length_s(compute),
        communication_s=communication_s,
        hidden_s=hidden_s,
        exposed_s=communication_s - hidden_s,
        tail_s=length_s(tail(timeline)),
    )


def exposed(timeline: Timeline) -> Intervals:
    """When a transfer runs and nothing computes, as a union."""
    return difference(timeline.busy(Kind.COMMUNICATION), timeline.busy(Kind.COMPUTE))


def exposed_s(timeline: Timeline) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Seconds of each span during which nothing computes: float64[n].

    Exactly 0 where one stretch of compute covers the whole span, and never below.
    """
    hidden_s = covered_s(timeline.busy(Kind.COMPUTE), timeline.start_s, timeline.end_s)
    return np.maximum(timeline.end_s - timeline.start_s - hidden_s, 0.0)


def tail(timeline: Timeline) -> Intervals:
    """Communication after the backward pass, as a union.

    Where nothing computes there is no pass to hide behind: all of it is tail.
    """
    communication = timeline.busy(Kind.COMMUNICATION)
    if timeline.backward_end_s is None or not len(communication):
        return communication
    past_it = np.array([[timeline.backward_end_s, np.inf]])
    return intersection(communication, past_it)
