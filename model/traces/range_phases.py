"""The phase of a step by the names of the ranges in which it was launched.

PyTorch names the backward functions that its autograd engine runs; people write
forward, backward and optimizer around their own calls.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.recording import Phase
from overlap_widget.model.traces.gpu_events import Columns
from overlap_widget.model.traces.range_steps import NamedRange

_BACKWARD = re.compile(r"backward|bwd", re.IGNORECASE)
_FORWARD = re.compile(r"forward|fwd", re.IGNORECASE)
_OPTIMIZER = re.compile(
    r"optimi[sz]er|\bopt(?:im)?[\W_]*step|DeepSpeedEngine\.(?:_take_model_)?step|fused_?adam",
    re.IGNORECASE,
)
_OTHER = re.compile(r"zero_grad", re.IGNORECASE)

Bounds = NDArray[np.int64]
Key = tuple[int, Phase]


@lru_cache(maxsize=4096)
def phase_named(text: str) -> Phase:
    """Which phase a range is of; `UNKNOWN` also for one of several phases."""
    if _OTHER.search(text):
        return Phase.UNKNOWN
    if _OPTIMIZER.search(text):
        return Phase.OPTIMIZER
    backward, forward = _BACKWARD.search(text), _FORWARD.search(text)
    if bool(backward) == bool(forward):
        return Phase.UNKNOWN
    return Phase.BACKWARD if backward else Phase.FORWARD


def phases_among(
    ranges: Iterable[NamedRange],
    threads: Sequence[int],
    backward_ns: Mapping[int, Bounds],
) -> Columns:
    """The ranges that tell a phase, as `RANGES`, for the `threads` that launch work.

    The backward pass is launched by threads of the autograd engine, while the thread
    that called it waits: those without such ranges of their own take its. An optimizer
    step that calls the model again, as Lightning's does, is what that leaves of it.
    `backward_ns` are more ranges of the backward pass, by thread.
    """
    of_thread = _told(ranges)
    for thread, bounds in backward_ns.items():
        key = thread, Phase.BACKWARD
        own = of_thread.get(key, bounds[:0])
        of_thread[key] = _union(np.concatenate([own, bounds]))
    passes = _all([Phase.FORWARD, Phase.BACKWARD], of_thread)
    for thread in {thread for thread, phase in of_thread if phase is Phase.OPTIMIZER}:
        key = thread, Phase.OPTIMIZER
        of_thread[key] = _minus(of_thread[key], passes)
    _lend_backward(of_thread, threads)
    return _columns(of_thread)


def _told(ranges: Iterable[NamedRange]) -> dict[Key, Bounds]:
    told: dict[Key, list[tuple[int, int]]] = {}
    for one in ranges:
        phase = phase_named(one.text)
        if phase is not Phase.UNKNOWN:
            bounds = (one.start_ns, one.end_ns)
            told.setdefault((one.thread, phase), []).append(bounds)
    return {key: _union(np.array(pairs)) for key, pairs in told.items()}


def _lend_backward(of_thread: dict[Key, Bounds], threads: Sequence[int]) -> None:
    lent = _all([Phase.BACKWARD], of_thread)
    named = {thread for thread, phase in of_thread if phase is Phase.BACKWARD}
    for thread in set(threads) - named:
        if len(lent):
            of_thread[thread, Phase.BACKWARD] = lent


def _all(phases: Sequence[Phase], of_thread: Mapping[Key, Bounds]) -> Bounds:
    """When any thread is in one of the phases."""
    found = [bounds for (_, phase), bounds in of_thread.items() if phase in phases]
    return _union(np.concatenate(found)) if found else np.empty((0, 2), np.int64)


def _union(bounds: Bounds) -> Bounds:
    """Disjoint bounds, sorted, that cover the same: int64[m, 2]."""
    bounds = bounds[np.argsort(bounds[:, 0], kind="stable")]
    reached = np.maximum.accumulate(bounds[:, 1])
    opens = np.r_[True, bounds[1:, 0] > reached[:-1]]
    closes = np.r_[opens[1:], True]
    return np.column_stack([bounds[opens, 0], reached[closes]])


def _minus(bounds: Bounds, cut: Bounds) -> Bounds:
    """What of disjoint bounds lies outside of other disjoint ones."""
    edges = np.unique(np.concatenate([bounds.ravel(), cut.ravel()]))
    middle = edges[:-1] + (edges[1:] - edges[:-1]) // 2
    keep = _inside(middle, bounds) & ~_inside(middle, cut)
    return np.column_stack([edges[:-1], edges[1:]])[keep]


def _inside(times: Bounds, bounds: Bounds) -> NDArray[np.bool_]:
    at = np.searchsorted(bounds[:, 0], times, side="right") - 1
    inside: NDArray[np.bool_] = at >= 0
    if len(bounds):
        inside &= times < bounds[at, 1]
    return inside


def _columns(of_thread: Mapping[Key, Bounds]) -> Columns:
    counts = [len(bounds) for bounds in of_thread.values()]
    bounds = np.concatenate([np.empty((0, 2), np.int64), *of_thread.values()])
    threads = np.array([thread for thread, _ in of_thread], np.int64)
    phases = np.array([phase for _, phase in of_thread], np.uint8)
    return {
        "thread": np.repeat(threads, counts),
        "start_ns": bounds[:, 0],
        "end_ns": bounds[:, 1],
        "phase": np.repeat(phases, counts),
    }
