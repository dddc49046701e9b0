"""All bucket sizes of whole layers on one link: what each of them ends with."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.backward import Tail, tail_of
from overlap_widget.model.effects import Effects
from overlap_widget.model.grid import OneLink, slowed_schedules
from overlap_widget.model.layer import Plan
from overlap_widget.model.link import Cost
from overlap_widget.model.schedule import Totals, schedule

FEW = 40
"""Layers up to which slowed sizes are quicker one by one than all at once."""
MOST_SLOWED = 10_000
"""Layers of all sending passes: more of them would take minutes."""


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """The ends of the schedules of several plans, float64[plans] each.

    last_bytes: bytes of the last bucket
    queued_s:   how long it waits for the link
    backward_s: when the last pass ends
    """

    last_bytes: NDArray[np.float64]
    queued_s: NDArray[np.float64]
    backward_s: NDArray[np.float64]


def tails_of(found: Ends, link: Cost, effects: Effects) -> list[Tail]:
    """The tail of each plan."""
    rows = zip(found.last_bytes.tolist(), found.queued_s.tolist(), strict=True)
    return [tail_of(*row, link, effects) for row in rows]


def ends_of(
    totals: Totals, plans: Sequence[Plan], link: Cost, effects: Effects
) -> Ends:
    """How each plan ends, with the numbers of `schedule` to the last bit.

    Plans that slow many layers go on together, since one by one each of them would
    look at every layer. Raises ValueError where even that would take too long.
    """
    layers = sum(plans[0]) * effects.sending_passes
    if not effects.slows_compute or layers <= FEW:
        found = [schedule(totals, plan, link, effects) for plan in plans]
        rows = [(one.sizes_bytes[-1], one.queued_s, one.done_s[-1]) for one in found]
        return Ends(*np.array(rows, dtype=np.float64).T)
    if layers > MOST_SLOWED:
        raise ValueError(
            f"a slowdown takes at most {MOST_SLOWED:,} layers, counted in every "
            f"backward pass that communicates, and not {layers:,}; put tensors together"
        )
    with np.errstate(invalid="ignore"):  # of transfers that no layer meets
        columns = slowed_schedules(totals, plans, OneLink(link), effects)
    return Ends(*(column.ravel() for column in columns))
