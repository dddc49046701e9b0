"""Which steps of a recording stand out, so that nobody takes them for the rule."""

from collections.abc import Sequence
from enum import StrEnum
from statistics import median

from overlap_widget.model.recording import Step

FAR = 1.25
"""So many times longer or shorter than the median of the whole steps is odd."""


class Remark(StrEnum):
    """What there is to say of a step."""

    NONE = "none"
    FIRST = "first"
    CUT = "cut"
    LONG = "long"
    SHORT = "short"


def remarks(steps: Sequence[Step], spans_s: Sequence[float]) -> list[Remark]:
    """A remark for each step, the most important one.

    A step that was cut off says that alone. One that is far longer or shorter than the
    median of the whole steps is odd; the first of several may still have warmed up.
    """
    whole_s = [
        span_s for step, span_s in zip(steps, spans_s, strict=True) if step.complete
    ]
    middle_s = median(whole_s) if whole_s else 0.0
    return [
        _remark(at == 0 < len(steps) - 1, step, span_s, middle_s)
        for at, (step, span_s) in enumerate(zip(steps, spans_s, strict=True))
    ]


def _remark(is_first: bool, step: Step, span_s: float, middle_s: float) -> Remark:
    if not step.complete:
        return Remark.CUT
    if span_s > FAR * middle_s:
        return Remark.LONG
    if span_s * FAR < middle_s:
        return Remark.SHORT
    return Remark.FIRST if is_first else Remark.NONE
