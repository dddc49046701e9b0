"""GPU work whose times can't be true: left out or clipped, and said.

A profiler that loses a time writes 0, a negative length, or a length up to the end
of all things. One such event would stretch the time axis over decades.
"""

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.traces.distinct import distinct
from overlap_widget.model.traces.exact_time import FAR_NS
from overlap_widget.model.traces.gpu_events import NO_TIME, Columns
from overlap_widget.model.traces.sentences import counted

HOUR_NS = 3600 * 10**9
ROUNDING_NS = 1000  # old files round starts and lengths to a microsecond
FAR_GAP, SHORT_NS = 10, 10**6
"""A start of 0 is none if the rest lies so many times its own length behind it."""

_AWAY = "more than an hour away from the rest left out"
_BEYOND = "at times that no clock shows left out"
_SAME = ("start_ns", "length_ns", "device", "stream", "name", "correlation")

Rows = NDArray[np.bool_]
Times = NDArray[np.int64]


def cleaned(work: Columns, host_ns: Times) -> tuple[Columns, list[str]]:
    """The work with believable times, and a sentence on each change.

    `host_ns` are times of the CPU in the same file; they tell where the file lies
    when the GPU's times can't.
    """
    timeless, strayed = _misplaced(work, host_ns)
    was = "was" if timeless.sum() == 1 else "were"
    away = _BEYOND if strayed.all() else _AWAY + _whole_devices(work["device"], strayed)
    said = [
        _said(work, timeless, f"without a time {was} left out"),
        _said(work, strayed, away),
    ]
    work = chosen(work, ~(timeless | strayed))
    negative = work["length_ns"] < 0
    said.append(_said(work, negative, "with negative length left out", "GPU event"))
    work = chosen(work, ~negative)
    work = in_order(work)
    again = _again(work)
    said.append(_said(work, again, "that the file holds twice left out"))
    work, clipped = _clipped(chosen(work, ~again))
    fault = "longer than the gap to the next kernel on its stream; clipped"
    said.append(_said(work, clipped, fault))
    endless = work["length_ns"] > HOUR_NS
    said.append(_said(work, endless, "longer than an hour left out"))
    return chosen(work, ~endless), [sentence for sentence in said if sentence]


def chosen(work: Columns, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Columns:
    """The rows of all columns, by mask or in an order; no copy when all are kept."""
    if rows.dtype == bool and rows.all():
        return work
    return {name: column[rows] for name, column in work.items()}


def in_order(work: Columns) -> Columns:
    """By start, then by length; no copy where it is so already."""
    step_ns = np.diff(work["start_ns"])
    later = step_ns > 0
    if later.all():
        return work
    later |= (step_ns == 0) & (np.diff(work["length_ns"]) >= 0)
    if later.all():
        return work
    return chosen(work, np.lexsort((work["length_ns"], work["start_ns"])))


def _said(work: Columns, rows: Rows, fault: str, noun: str = "kernel") -> str:
    if not rows.any():
        return ""
    if not work["is_kernel"][rows].all():
        noun = "GPU event"
    return f"{counted(int(rows.sum()), noun)} {fault}"


def _whole_devices(device: NDArray[np.int32], rows: Rows) -> str:
    """Devices of which nothing is left, whose clock may be another one."""
    lost = np.setdiff1d(device[rows], device[~rows]) if rows.any() else ()
    if not len(lost):
        return ""
    return f" (all of device {', '.join(map(str, lost))})"


def _misplaced(work: Columns, host_ns: Times) -> tuple[Rows, Rows]:
    """Work without a time, and work far from the rest; 0 is a time only near it."""
    start_ns = work["start_ns"]
    nothing = np.zeros(len(start_ns), dtype=bool)
    if _all_near(start_ns, work["length_ns"]):
        return nothing, nothing
    timeless = (start_ns == NO_TIME) | (work["length_ns"] == NO_TIME)
    beyond = ~timeless & ((start_ns <= -FAR_NS) | (start_ns >= FAR_NS))
    told_ns = start_ns[~(timeless | beyond) & (start_ns != 0)]
    host_ns = host_ns[abs(host_ns) < FAR_NS]
    if not len(told_ns):
        zero = ~(timeless | beyond)
        timeless |= zero & _is_pile(chosen(work, zero))
        told_ns = host_ns
    if not len(told_ns):
        return timeless, beyond
    first_ns, last_ns = _main_cluster(told_ns, host_ns)
    away = (start_ns < first_ns - HOUR_NS) | (start_ns > last_ns + HOUR_NS)
    if _zero_is_none(first_ns, last_ns, host_ns):
        away |= start_ns == 0
    away &= ~timeless
    return timeless | (away & (start_ns == 0)), away & (start_ns != 0)


def _is_pile(work: Columns) -> bool:
    """Whether work that all starts at once shares a stream, which runs it in turn."""
    long = chosen(work, work["length_ns"] > ROUNDING_NS)
    return len(_places(long)) < len(long["name"])


def _all_near(start_ns: Times, length_ns: Times) -> bool:
    """Whether all times are there and within an hour, as almost always."""
    if not len(start_ns):
        return True
    first_ns, last_ns = int(start_ns.min()), int(start_ns.max())
    near = first_ns > 0 and last_ns - first_ns <= HOUR_NS and last_ns < FAR_NS
    return near and int(length_ns.min()) != NO_TIME


def _zero_is_none(first_ns: int, last_ns: int, host_ns: Times) -> bool:
    """Whether a start of 0 is so far before the others that it stands for no time.

    So far that the rest would be a dot on the axis, and without the CPU's times there.
    """
    gap_ns = first_ns
    if gap_ns < FAR_GAP * max(last_ns - first_ns, SHORT_NS):
        return False
    return not (len(host_ns) and int(host_ns.min()) < gap_ns // 2)


def _main_cluster(times_ns: Times, host_ns: Times) -> tuple[int, int]:
    """First and last of the most times without an hour's gap; of equals, near host."""
    times_ns = np.sort(times_ns)
    firsts = np.r_[0, np.flatnonzero(np.diff(times_ns) > HOUR_NS) + 1]
    ends = np.r_[firsts[1:], len(times_ns)]
    middle_ns = np.median(host_ns) if len(host_ns) else np.inf
    ranked = np.lexsort((-abs(times_ns[firsts] - middle_ns), ends - firsts))
    best = ranked[-1]
    return int(times_ns[firsts[best]]), int(times_ns[ends[best] - 1])


def _again(work: Columns) -> Rows:
    """Work that comes a second time, as where a trace was put together of others.

    Work of one stream runs in turn, so none of it is truly the same. Expects work in
    order.
    """
    again = np.zeros(len(work["name"]), dtype=bool)
    alike = np.diff(work["start_ns"]) == 0
    alike &= work["length_ns"][1:] >= ROUNDING_NS
    alike &= np.diff(work["length_ns"]) == 0
    if alike.any():
        second = np.flatnonzero(alike) + 1
        rows = np.union1d(second - 1, second)
        keys = [work[name][rows] for name in _SAME]
        order = np.lexsort(keys)
        same = np.all([np.diff(key[order]) == 0 for key in keys], axis=0)
        again[rows[order[1:][same]]] = True
        again &= work["in_graph"] == 0
    return again


def _clipped(work: Columns) -> tuple[Columns, Rows]:
    """End what outlasts later work of its stream where the next work starts.

    A stream runs one piece of work after the other. Nodes of a CUDA graph may truly
    run side by side, so they keep their lengths. Work without a length bounds nothing.
    """
    start_ns, length_ns = work["start_ns"], work["length_ns"]
    if len(length_ns) and int(length_ns.max()) > FAR_NS:
        length_ns = np.minimum(length_ns, FAR_NS)  # an end must fit in its integer
    clipped = np.zeros(len(start_ns), dtype=bool)
    for device, stream in _places(work):
        here = (work["device"] == device) & (work["stream"] == stream)
        rows = np.flatnonzero(here & (length_ns > 0))
        end_ns = start_ns[rows]
        end_ns += length_ns[rows]
        soonest_ns = np.minimum.accumulate(end_ns[::-1])[::-1]
        end_ns -= ROUNDING_NS
        over = end_ns[:-1] > soonest_ns[1:]
        over &= work["in_graph"][rows[:-1]] == 0
        if over.any():
            length_ns = length_ns if clipped.any() else length_ns.copy()
            length_ns[rows[:-1][over]] = np.diff(start_ns[rows])[over]
            clipped[rows[:-1][over]] = True
    return {**work, "length_ns": length_ns}, clipped


def _places(work: Columns) -> list[tuple[int, int]]:
    """Each device with each of its streams."""
    return [
        (device, stream)
        for device in distinct(work["device"])
        for stream in distinct(work["stream"][work["device"] == device])
    ]
