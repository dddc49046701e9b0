"""Sentences on what a trace lacked, what was repaired and what was guessed."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.traces.list_end import (
    CUT_OFF,
    ENDS_EARLY,
    NO_LINE_END,
    SEVERAL_LISTS,
)
from overlap_widget.model.traces.rescue import LOST
from overlap_widget.model.traces.source import GZIP_DAMAGED, GZIP_ENDS_EARLY

ONE_RANK = "the file doesn't tell its rank: it is treated as one rank"
MANY_RANKS = "the file doesn't tell ranks: each of its devices is treated as one"
NO_MARKS = (
    "no step is marked (ProfilerStep#N), so the whole capture is shown as one step; "
    "call the profiler's step() after each training step"
)
BY_CLOCK = (
    "the file holds no launches of kernels, so each kernel was given to the step "
    "during which it started"
)
NO_WORK_IN_STEPS = (
    "no GPU work lies in the steps that are marked (by another clock?), so the whole "
    "capture is shown as one step"
)
BACKWARD_GUESSED = (
    "the file doesn't tell which kernels are of the backward pass, so its end is a "
    "guess and so is the tail"
)
_NO_WORK_BEFORE = (
    "the {}, and no GPU work can be read before that; copy it again, or record the run "
    "again"
)
_NAMES_SHOWN = 3

_ASIDE = frozenset(
    {
        GZIP_DAMAGED,
        GZIP_ENDS_EARLY,
        ENDS_EARLY,
        CUT_OFF,
        NO_LINE_END,
        LOST,
        SEVERAL_LISTS,
    }
)
"""Damage that has a sentence of its own; all else was repaired."""


def counted(count: int, noun: str) -> str:
    """`1 kernel`, `4 kernels`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def on_damage(damage: Counter[str]) -> list[str]:
    """What was lost, what was repaired, and where the file stops too early."""
    ends = [cause for cause in (GZIP_DAMAGED, GZIP_ENDS_EARLY) if damage[cause]]
    if damage[ENDS_EARLY] and not ends:
        ends = ["the file ends early"]
    left = "last event dropped" if damage[CUT_OFF] else "all before that is shown"
    said = [f"{cause}; {left}" for cause in ends]
    if damage[NO_LINE_END] and not ends:
        said.append("the last row has no line end: it may be cut off")
    said += on_lost(damage)
    if damage[SEVERAL_LISTS]:
        lists = damage[SEVERAL_LISTS] + 1
        said.append(f"the file holds {lists} lists of events; all of them were read")
    repairs = {cause: count for cause, count in damage.items() if cause not in _ASIDE}
    return said + [
        f"{counted(count, 'event')} repaired: {repair}"
        for repair, count in repairs.items()
    ]


def on_lost(damage: Counter[str]) -> list[str]:
    """Events that nothing can be made of."""
    if not damage[LOST]:
        return []
    return [f"{counted(damage[LOST], 'event')} too damaged to repair left out"]


def on_early_end(damage: Counter[str]) -> str | None:
    """Why there is no work in a trace that stops before any; None if it goes on."""
    if damage[GZIP_ENDS_EARLY]:
        return _NO_WORK_BEFORE.format("gzip file ends early")
    if damage[GZIP_DAMAGED]:
        return _NO_WORK_BEFORE.format("gzip file is damaged")
    return _NO_WORK_BEFORE.format("file ends early") if damage[ENDS_EARLY] else None


def on_no_rank(device: NDArray[np.int32]) -> list[str]:
    """What is taken for a rank where the file tells none; `device` is each span's."""
    one = int(device.min()) == int(device.max())
    return [ONE_RANK if one else MANY_RANKS]


def on_timeless(rows: int) -> str:
    """Rows of a table that nothing can be made of."""
    return f"{counted(rows, 'row')} without a time or cut off left out"


def on_unknown_collectives(names: Sequence[str]) -> list[str]:
    """Communication whose operation neither the name nor a note tells."""
    if not names:
        return []
    kernels = counted(len(names), "communication kernel")
    verb = "is" if len(names) == 1 else "are"
    return [f"{kernels} {verb} a collective of unknown type ({_shown(names)})"]


def on_fused(names: Sequence[str]) -> list[str]:
    """Compute that communicates as well, so that its communication can't be told."""
    if not names:
        return []
    kernels = counted(len(names), "kernel")
    verb = (
        "multiplies and communicates" if len(names) == 1 else "multiply and communicate"
    )
    rest = "counts as compute" if len(names) == 1 else "count as compute"
    return [f"{kernels} that {verb} in one {rest} ({_shown(names)})"]


def _shown(names: Sequence[str]) -> str:
    """Some of the names, each once and without what stands in its parentheses."""
    distinct = sorted(set(names))
    shown = ", ".join(
        name.partition("(")[0] or name for name in distinct[:_NAMES_SHOWN]
    )
    return f"{shown}, ..." if len(distinct) > _NAMES_SHOWN else shown


def on_unknown_categories(counts: Mapping[str, int]) -> list[str]:
    """Events on rows of a GPU of which nobody knows what they are."""
    return [
        f"{counted(count, 'event')} on rows of a GPU left out: "
        + (f"nobody knows the category {category!r}" if category else "no category")
        for category, count in counts.items()
    ]


def on_endless(count: int) -> list[str]:
    """Work of which only the start is told."""
    if not count:
        return []
    verb = "has" if count == 1 else "have"
    return [
        f"{counted(count, 'GPU event')} that {verb} a start (B) and no end left out"
    ]


def on_several_processes(devices: Sequence[str]) -> list[str]:
    """Devices that stand under several processes, as where ranks were put together."""
    return [
        f"device {device} stands under several processes, which are taken for one; "
        "open the file of each rank by itself"
        for device in devices
    ]
