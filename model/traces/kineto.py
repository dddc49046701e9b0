"""A PyTorch profiler (Kineto) trace as a Recording.

Read are Chrome JSON files since 2020, from NVIDIA and AMD GPUs. GPU work is kernels,
copies and fills; annotations and synchronisation are neither compute nor
communication and are left aside. Times are microseconds in the file, and integer
nanoseconds here until the start of the first span is subtracted.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.recording import Recording, Step
from overlap_widget.model.timeline import Collective, Kind, Timeline
from overlap_widget.model.traces import sentences
from overlap_widget.model.traces.chrome_json import Reading, events
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.gathering import WANTED, gather
from overlap_widget.model.traces.kineto_events import (
    GLOO_RANGE,
    XLA_PROCESSES,
    Columns,
    KinetoEvents,
)
from overlap_widget.model.traces.odd_spans import chosen, cleaned
from overlap_widget.model.traces.rank import rank_in
from overlap_widget.model.traces.source import READS, Progress, chunks
from overlap_widget.model.traces.steps import (
    WHOLE_FILE,
    launch_of,
    launched_inside,
    step_names,
    step_of,
    steps_with_completeness,
)

FORMAT = "PyTorch profiler (Kineto)"

_BACKWARD_NAME = re.compile(r"backward|bwd|dgrad|wgrad", re.IGNORECASE)
_NS_PER_S = 1e9


def load(
    path: str, count_peer_copies: bool = False, progress: Progress | None = None
) -> Recording:
    """Read a trace, in bounded memory; raises TraceError with the reason.

    `count_peer_copies` makes communication of copies between GPUs. `progress` hears
    the share of the file that was read, 0 to 1.
    """
    reading = Reading()
    pieces = chunks(path, reading.damage, progress)
    found = gather(events(path, pieces, WANTED, reading))
    if not len(found.work["name"]):
        raise TraceError(f"{path}: {_why_no_work(found)}")
    work, odd = cleaned(found.work, _host_ns(found))
    if not len(work["name"]):
        raise TraceError(f"{path}: no GPU work has a believable time: {'; '.join(odd)}")
    work, peers = _with_peers(_in_order(work), count_peer_copies)
    warnings = [
        *sentences.on_damage(reading.damage),
        *odd,
        *peers,
        *sentences.on_unknown_collectives(_unknown(work, found.names)),
    ]
    rank = rank_in([reading.head, *reading.notes])
    return _recording(path, rank, work, found, warnings)


def _recording(
    path: str, rank: int | None, work: Columns, found: KinetoEvents, warnings: list[str]
) -> Recording:
    step, steps, backward, guesses = _steps(work, found)
    unranked = [sentences.ONE_RANK] if rank is None else []
    return Recording(
        path=path,
        format=FORMAT,
        rank=rank,
        spans=_timeline(work, found.names, backward),
        device=work["device"],
        step=step,
        backward=backward,
        steps=steps,
        warnings=(*warnings, *unranked, *guesses),
    )


def _why_no_work(found: KinetoEvents) -> str:
    if found.seen[XLA_PROCESSES[0]]:
        return f"is a JAX/XLA trace, which isn't read yet; {READS}"
    why = "no GPU work in the file (permissions, WSL, or CUDA activity off)"
    if found.seen[GLOO_RANGE]:
        why += "; its gloo communication ran on the CPU"
    return f"{why}; profile a run on a GPU with ProfilerActivity.CUDA"


def _host_ns(found: KinetoEvents) -> NDArray[np.int64]:
    marked = np.array([mark.start_ns for mark in found.marks], dtype=np.int64)
    times: NDArray[np.int64] = np.append(found.launches["start_ns"], marked)
    return times


def _in_order(work: Columns) -> Columns:
    return chosen(work, np.lexsort((work["length_ns"], work["start_ns"])))


def _with_peers(work: Columns, counted: bool) -> tuple[Columns, list[str]]:
    peers = work["collective"] == Collective.PEER_COPY
    said = sentences.on_peer_copies(int(peers.sum()), counted)
    if counted:
        kind = np.where(peers, Kind.COMMUNICATION, work["kind"]).astype(np.uint8)
        return {**work, "kind": kind}, said
    return {
        **work,
        "collective": np.where(peers, 0, work["collective"]).astype(np.uint8),
        "size_bytes": np.where(peers, 0.0, work["size_bytes"]),
    }, said


def _steps(
    work: Columns, found: KinetoEvents
) -> tuple[NDArray[np.int32], tuple[Step, ...], NDArray[np.bool_], list[str]]:
    """Step and backward of each piece of work, the steps, and what was guessed."""
    guesses = []
    launch = launch_of(work, found.launches)
    names = step_names(found.marks)
    if names:
        step, by_clock = step_of(work, launch, found.launches, found.marks)
        steps = steps_with_completeness(names, step, work["kind"], work["size_bytes"])
        guesses += [sentences.BY_CLOCK] if by_clock else []
    else:
        step = np.zeros(len(launch), dtype=np.int32)
        steps = (Step(WHOLE_FILE, complete=True),)
        guesses.append(sentences.NO_MARKS)
    backward = (work["kind"] == Kind.COMPUTE) & (
        launched_inside(launch, found.launches, found.backward)
        if (launch >= 0).any()
        else _named_backward(found.names)[work["name"]]
    )
    if not backward.any() and (work["kind"] == Kind.COMMUNICATION).any():
        guesses.append(sentences.BACKWARD_GUESSED)
    return step, steps, backward, guesses


def _named_backward(names: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([bool(_BACKWARD_NAME.search(name)) for name in names])


def _unknown(work: Columns, names: Sequence[str]) -> list[str]:
    rows = work["collective"] == Collective.UNKNOWN
    return [names[name] for name in work["name"][rows]]


def _timeline(
    work: Columns, names: Sequence[str], backward: NDArray[np.bool_]
) -> Timeline:
    """On a clock in seconds that starts with the first span."""
    since_ns = work["start_ns"] - work["start_ns"].min()
    start_s, end_s = since_ns / _NS_PER_S, (since_ns + work["length_ns"]) / _NS_PER_S
    return Timeline(
        start_s=start_s,
        end_s=end_s,
        ready_s=start_s,
        kind=work["kind"],
        collective=work["collective"],
        size_bytes=work["size_bytes"],
        stream=work["stream"],
        name=work["name"],
        names=tuple(names),
        backward_end_s=float(end_s[backward].max()) if backward.any() else None,
    )
