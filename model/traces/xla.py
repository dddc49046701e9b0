"""A JAX/XLA profiler trace (`*.trace.json.gz`) as recordings, one a host.

It is a Chrome trace without categories: what an event is follows from the names of its
process and thread (see `xla_lanes.py`). These names may stand behind the events, so
the file is passed over twice: for the names, then for the events of the lanes that
they tell. GPUs and TPUs are read; a run on the CPU has no lanes of devices.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import chain
from typing import TypeVar

from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import sentences
from overlap_widget.model.traces.assembled import About, assembled
from overlap_widget.model.traces.chrome_json import Reading, events
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.gpu_events import GpuEvents
from overlap_widget.model.traces.opening import Progress
from overlap_widget.model.traces.options import Options
from overlap_widget.model.traces.source import chunks
from overlap_widget.model.traces.wanted_events import Wanted
from overlap_widget.model.traces.xla_events import (
    ASYNCHRONOUS,
    CONTAINERS,
    NAMELESS,
    WHOLE_GRAPHS,
    gather,
    wanted_events,
)
from overlap_widget.model.traces.xla_lanes import NAMES, Lanes, lanes_in

T = TypeVar("T")
FORMAT = "JAX/XLA profiler"
MOST_EVENTS = 1_000_000
"""The profiler writes no more into this format, and drops the latest."""

TOO_MANY = (
    "the profiler writes a million events at most, so the end of the run may be "
    "missing; record fewer steps, or leave out Python and the host"
)
NO_MARKS = (
    "no step is marked (jax.profiler.StepTraceAnnotation), so the whole capture is "
    "shown as one step"
)
_NOTHING_DONE = "is a JAX/XLA trace whose devices did nothing; profile some steps"
_FAULTS = (
    (NAMELESS, "event", "of a lane without a name left out"),
    (CONTAINERS, "operation", "around others left out"),
    (
        WHOLE_GRAPHS,
        "whole graph",
        "counted as compute, though communication may be inside",
    ),
    (
        ASYNCHRONOUS,
        "asynchronous transfer",
        "counted from the start of its first half to the end of its last",
    ),
)
_PROCESS = re.compile(rb'"name"\s*:\s*"[^"]{0,200}/(?:device|host):[A-Za-z_]+')
_COMPLETE = (b'"ph":"X"', b'"ph": "X"')


def recognises(text: bytes) -> bool:
    """Whether a piece of a Chrome trace names processes as XLA does."""
    return bool(_PROCESS.search(text))


def load(path: str, options: Options) -> tuple[Recording, ...]:
    """The recordings, one a host; raises TraceError with the reason."""
    counts: Counter[str] = Counter()
    first, second = _halves(options.progress)

    def lanes_of(pieces: Iterator[bytes], reading: Reading) -> Lanes:
        batches = events(path, pieces, Wanted(NAMES), reading)
        return lanes_in(chain.from_iterable(batches))

    lanes, damage = _passed(path, options, first, counts, lanes_of)
    if not lanes.by_place:
        why = sentences.on_early_end(damage) or _why_no_lanes(lanes)
        raise TraceError(f"{path}: {why}")

    def work_of(pieces: Iterator[bytes], reading: Reading) -> dict[str, GpuEvents]:
        wanted = Wanted(wanted_events(lanes))
        return gather(events(path, pieces, wanted, reading), lanes)

    found, damage = _passed(path, options, second, Counter(), work_of)
    if not found:
        why = sentences.on_early_end(damage) or _NOTHING_DONE
        raise TraceError(f"{path}: {why}")
    said = sentences.on_damage(damage)
    return tuple(
        assembled(one, _about(path, host, one, lanes, said, counts["X"]))
        for host, one in found.items()
    )


def _halves(progress: Progress | None) -> tuple[Progress | None, Progress | None]:
    """Each pass over the file is half of the way."""
    if progress is None:
        return None, None
    hear = progress
    return (lambda share: hear(share / 2), lambda share: hear((1 + share) / 2))


def _passed(
    path: str,
    options: Options,
    progress: Progress | None,
    counts: Counter[str],
    use: Callable[[Iterator[bytes], Reading], T],
) -> tuple[T, Counter[str]]:
    """One pass over the file: what is made of it, and how often what was wrong.

    `counts` gets the number of its events, "X".
    """
    reading = Reading()
    pieces = chunks(path, reading.damage, progress, options.limit_bytes)
    with closing(pieces):  # and the file, also when the reading is cancelled
        used = use(_counted(pieces, counts), reading)
    return used, reading.damage


def _counted(pieces: Iterator[bytes], counts: Counter[str]) -> Iterator[bytes]:
    for piece in pieces:
        counts["X"] += sum(piece.count(mark) for mark in _COMPLETE)
        yield piece


def _why_no_lanes(lanes: Lanes) -> str:
    if lanes.devices:
        return (
            "is a JAX/XLA trace whose lanes have no names, so that work can't be told "
            "from what repeats it; export it again"
        )
    return (
        "is a JAX/XLA trace of the CPU alone: it has no lanes of a GPU or TPU "
        '("/device:GPU:0"), and work on threads of the host tells nothing of a link; '
        "profile a run on devices"
    )


def _about(
    path: str,
    host: str,
    found: GpuEvents,
    lanes: Lanes,
    damage: list[str],
    events_in_file: int,
) -> About:
    said = list(damage)
    if events_in_file >= MOST_EVENTS:
        said.append(TOO_MANY)
    for fault, names in (("left out", lanes.aside), ("read as work", lanes.guessed)):
        if names:
            said.append(f"lanes that aren't known were {fault} ({', '.join(names)})")
    for what, noun, fault in _FAULTS:
        if found.seen[what]:
            said.append(f"{sentences.counted(found.seen[what], noun)} {fault}")
    name = f"{FORMAT}, host {host}" if host else FORMAT
    return About(path, name, rank=None, warnings=tuple(said), no_marks=NO_MARKS)
