"""When everything happens: the end of each layer, the start of each transfer.

The rule, for the buckets in their order:

    start = max(ready on all ranks, end of the transfer before)
    end   = start + what the link asks for the bucket's bytes
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from overlap_widget.model.effects import OFF, Effects
from overlap_widget.model.layer import Layer, Plan
from overlap_widget.model.link import Cost

ROUNDING = 1e-12
"""Of a moment: differences below it are rounding."""
Totals = tuple[list[float], list[float]]


@dataclass(slots=True)
class Schedule:
    """Columns of the transfers, and the ends of the layers; grows while it is made.

    done_s:   when the first k layers are done, k = 0 to all
    queued_s: how long the last transfer waited for the link
    pending:  the first transfer that may not have ended yet
    """

    done_s: list[float]
    sizes_bytes: list[float] = field(default_factory=list)
    ready_s: list[float] = field(default_factory=list)
    start_s: list[float] = field(default_factory=list)
    end_s: list[float] = field(default_factory=list)
    queued_s: float = 0.0
    pending: int = 0

    @property
    def columns(self) -> tuple[list[float], ...]:
        """Size, ready, start and end of each transfer."""
        return self.sizes_bytes, self.ready_s, self.start_s, self.end_s


def running_totals(layers: Sequence[Layer]) -> Totals:
    """When the first k layers are done [s], and the bytes they hold, k = 0 to all.

    Every size below is a difference of these totals: exact for whole bytes up to
    2^53, and the same numbers for one plan and for the search over all plans.
    """
    return (
        list(_running_sums(layer.backward_s for layer in layers)),
        list(_running_sums(layer.gradient_bytes for layer in layers)),
    )


def sent_bytes(layers: Sequence[Layer], effects: Effects) -> float:
    """Bytes of all gradients that a step sends; `layers` are those of one pass."""
    return running_totals(tuple(layers) * effects.sending_passes)[1][-1]


def hideable_s(layers: Sequence[Layer], effects: Effects) -> float:
    """The most time that transfers can hide behind, under any plan.

    That of the passes that communicate: gradients that are added up over micro-steps
    exist only in the last one. Transfers that slow compute have at most the time that
    it takes with one of them always beside it.
    """
    all_s, silent_s = (
        running_totals(tuple(layers) * passes)[0][-1]
        for passes in (
            effects.micro_steps,
            effects.micro_steps - effects.sending_passes,
        )
    )
    pace = 1 + effects.slowdown if effects.slows_compute else 1.0
    return (all_s - silent_s) * pace


def _running_sums(values: Iterable[float]) -> Iterator[float]:
    """Sums of the first k values, none negative, without the drift of plain addition.

    Neumaier's sum keeps what each addition rounds off, so that twelve times 5 ms is
    60 ms to the last bit.
    """
    total = lost = 0.0
    yield total
    for value in values:
        new = total + value
        large, small = (total, value) if total >= value else (value, total)
        lost += (large - new) + small
        total = new
        yield total + lost


def start_after(ready_s: float, free_s: float) -> float:
    """When a transfer starts: once its bucket is ready and the link is free.

    A link that is free within a trillionth of the moment after counts as free at it:
    that is the rounding of the sums and no waiting.
    """
    return free_s if free_s - ready_s > ROUNDING * ready_s else ready_s


def schedule(
    totals: Totals, plan: Plan, link: Cost, effects: Effects = OFF
) -> Schedule:
    """Run the passes whose `running_totals` these are, all of a step.

    `plan` groups the layers of one pass. Raises ValueError when an end is past what a
    float64 can hold.
    """
    undisturbed_s, held_bytes = totals
    first = len(undisturbed_s) - 1 - sum(plan) * effects.sending_passes
    slows = effects.slows_compute
    found = Schedule(undisturbed_s[: first + 1] if slows else undisturbed_s)
    for count in plan * effects.sending_passes:
        if slows:
            _compute(found, undisturbed_s[first : first + count + 1], effects.slowdown)
        size_bytes = held_bytes[first + count] - held_bytes[first]
        first += count
        ready_s = found.done_s[first if effects.overlap else -1]
        _send(found, size_bytes, ready_s, effects.late_s, link)
    return found


def _send(
    found: Schedule, size_bytes: float, ready_s: float, late_s: float, link: Cost
) -> None:
    """Add the transfer of a bucket that is ready on this rank."""
    everywhere_s = ready_s + late_s
    start_s = start_after(everywhere_s, found.end_s[-1] if found.end_s else 0.0)
    end_s = start_s + link.transfer_s(size_bytes)
    if not end_s < math.inf:  # also true of NaN
        raise ValueError("the times and sizes are too large to add up")
    found.sizes_bytes.append(size_bytes)
    found.ready_s.append(ready_s)
    found.start_s.append(start_s)
    found.end_s.append(end_s)
    found.queued_s = start_s - everywhere_s


def _compute(found: Schedule, undisturbed_s: list[float], slowdown: float) -> None:
    """Add the layers between these moments, later where transfers run beside them."""
    delay_s = found.done_s[-1] - undisturbed_s[0]
    for begin_s, end_s in itertools.pairwise(undisturbed_s):
        delay_s += _slowed_s(found, begin_s + delay_s, end_s - begin_s, slowdown)
        found.done_s.append(end_s + delay_s)


def _slowed_s(found: Schedule, now_s: float, work_s: float, slowdown: float) -> float:
    """How much longer than `work_s` a layer takes that begins now.

    While a transfer runs, work goes on at 1 / (1 + slowdown) of its pace.
    """
    slowed_s = 0.0
    for number in range(found.pending, len(found.end_s)):
        start_s, end_s = found.start_s[number], found.end_s[number]
        if end_s <= now_s:
            found.pending = number + 1
            continue
        gap_s = max(0.0, start_s - now_s)
        if work_s <= gap_s:
            break
        now_s, work_s = now_s + gap_s, work_s - gap_s
        beside_s = min(work_s * (1 + slowdown), end_s - now_s)
        slowed_s += beside_s * slowdown / (1 + slowdown)
        now_s, work_s = now_s + beside_s, work_s - beside_s / (1 + slowdown)
    return slowed_s
