"""Which step to look at first."""

import numpy as np

from overlap_widget.model.recording import Recording
from overlap_widget.model.timeline import Kind


def default_step(recording: Recording) -> int | None:
    """The step to look at first, an index into `steps`; None if none is complete.

    With communication if any has; not the first one, which often warms up; of those
    left the one of median length, the shorter of two, the earlier of equal ones.
    """
    spans, count = recording.spans, len(recording.steps)
    lengths_s = [to_nanosecond(one) for one in step_lengths_s(recording)]
    moving = recording.step[spans.kind == Kind.COMMUNICATION]
    moves = np.bincount(moving[moving >= 0], minlength=count) > 0
    choice = [at for at, step in enumerate(recording.steps) if step.complete]
    choice = [at for at in choice if moves[at]] or choice
    choice = [at for at in choice if at > 0] or choice
    ordered = sorted(choice, key=lambda at: (lengths_s[at], at))
    return ordered[(len(ordered) - 1) // 2] if ordered else None


def to_nanosecond(length_s: float) -> float:
    """A length as files have it, so that the noise of floats decides nothing."""
    return round(length_s, 9)


def step_lengths_s(recording: Recording) -> list[float]:
    """Of each step, from its first span to the end of its last; 0 without any."""
    count = len(recording.steps)
    first_s, last_s = np.full(count, np.inf), np.full(count, -np.inf)
    within = recording.step >= 0
    step, spans = recording.step[within], recording.spans
    np.minimum.at(first_s, step, spans.start_s[within])
    np.maximum.at(last_s, step, spans.end_s[within])
    lengths_s: list[float] = np.maximum(last_s - first_s, 0.0).tolist()
    return lengths_s
