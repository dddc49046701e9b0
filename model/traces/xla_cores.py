"""Operations of a core as work: what contains others, and what runs beside the rest.

A lane of operations nests: a `while` lies around all that its turns run, and would
count as compute behind their collectives. An asynchronous collective is two
operations there, `all-reduce-start.3` that sends it off and `all-reduce-done.3` that
waits for it; the transfer runs from the start of the one to the end of the other.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.timeline import Kind
from overlap_widget.model.traces.gpu_events import NO_TIME, Columns
from overlap_widget.model.traces.odd_spans import HOUR_NS, chosen

Rows = NDArray[np.bool_]
Index = NDArray[np.intp]

ON_STREAM, ON_CORE, BESIDE = 0, 1, 2
"""What lane a piece of work is from, as the column "lane" tells."""
MOST_COVERED = 0.5
"""An operation whose others cover a larger share of it is taken for their container."""

_CONTAINS = re.compile(r"%?(?:while|conditional|call)(?:\.\w+)*")
_HALF = re.compile(r"%?(?P<what>.*?)-(?P<half>start|done)(?P<count>(?:\.\w+)*)")
_SENDS_OFF = re.compile(r"%?(?P<what>send|recv)(?P<count>(?:\.\w+)*)")


def without_containers(work: Columns, names: Sequence[str]) -> tuple[Columns, int]:
    """The work without operations that only contain others, and how many these are."""
    contains = np.zeros(len(work["lane"]), dtype=bool)
    named = np.array([bool(_CONTAINS.fullmatch(name)) for name in names], dtype=bool)
    for rows in _lanes(work, work["lane"] == ON_CORE):
        start_ns, end_ns = work["start_ns"][rows], _end_ns(work, rows)
        around = np.append(start_ns[1:] < end_ns[:-1], False)
        leaves_ns = start_ns[~around]
        covered_ns = np.append(0, np.cumsum((end_ns - start_ns)[~around]))
        first = np.searchsorted(leaves_ns, start_ns, side="left")
        behind = np.searchsorted(leaves_ns, end_ns, side="left")
        inside_ns = covered_ns[behind] - covered_ns[first]
        mostly = inside_ns > MOST_COVERED * (end_ns - start_ns)
        contains[rows] = around & (mostly | named[work["name"][rows]])
    return chosen(work, ~contains), int(contains.sum())


def joined(
    work: Columns, names: Sequence[str], starts: Mapping[int, str]
) -> tuple[Columns, int]:
    """Asynchronous transfers as one piece of work each, and how many were joined.

    `starts` has the name of the -start of a -done, by the number of its own name. What
    the lane beside the core holds as well is left out of the core's.
    """
    keep = np.ones(len(work["lane"]), dtype=bool)
    length_ns, joint = work["length_ns"].copy(), np.zeros(len(keep), dtype=bool)
    moves = work["kind"] == Kind.COMMUNICATION
    for device in np.unique(work["device"][work["lane"] != ON_STREAM]):
        here = moves & (work["device"] == device)
        beside = here & (work["lane"] == BESIDE)
        known = {_key(names[name])[0] for name in np.unique(work["name"][beside])}
        for rows in _lanes(work, beside):
            _join(rows, work, names, starts, (keep, length_ns, joint))
        for rows in _lanes(work, here & (work["lane"] == ON_CORE)):
            halves = [_key(names[name]) for name in work["name"][rows]]
            again = np.array([bool(half) and what in known for what, half in halves])
            keep[rows[again]] = False
            rest = rows[~again]
            _join(rest, work, names, starts, (keep, length_ns, joint))
    in_graph = work["in_graph"] | joint | (work["lane"] == BESIDE)
    whole = {**work, "length_ns": length_ns, "in_graph": in_graph}
    return chosen(whole, keep), int(joint.sum())


def _join(
    rows: Index,
    work: Columns,
    names: Sequence[str],
    starts: Mapping[int, str],
    changes: tuple[Rows, NDArray[np.int64], Rows],
) -> None:
    """Let each -start last to the end of the next -done of the same operation."""
    keep, length_ns, joint = changes
    sent_off: dict[str, int] = {}
    for row in rows.tolist():
        name = int(work["name"][row])
        what, half = _key(names[name])
        if half == "start":
            sent_off[what] = row
        elif half == "done":
            start = sent_off.pop(_key(starts.get(name, ""))[0] or what, None)
            if start is not None:
                waited_ns = work["start_ns"][row] - work["start_ns"][start]
                length_ns[start] = waited_ns + work["length_ns"][row]
                keep[row], joint[start] = False, True


def _key(name: str) -> tuple[str, str]:
    """What an operation is with its number, and "start" or "done" if it is a half."""
    half = _HALF.fullmatch(name)
    if half:
        return half["what"] + half["count"], half["half"]
    sent = _SENDS_OFF.fullmatch(name)
    return (sent["what"] + sent["count"], "start") if sent else (name, "")


def _lanes(work: Columns, wanted: Rows) -> Iterator[Index]:
    """The rows of each lane in the order of their start, containers first.

    Without those whose times can't be true: they contain nothing.
    """
    length_ns = work["length_ns"]
    wanted = wanted & (work["start_ns"] != NO_TIME)
    wanted &= (length_ns >= 0) & (length_ns <= HOUR_NS)
    order = np.lexsort((-length_ns, work["start_ns"], work["stream"], work["device"]))
    order = order[wanted[order]]
    device, stream = work["device"][order], work["stream"][order]
    changes = np.flatnonzero((np.diff(device) != 0) | (np.diff(stream) != 0)) + 1
    yield from (rows for rows in np.split(order, changes) if len(rows))


def _end_ns(work: Columns, rows: Index) -> NDArray[np.int64]:
    end_ns: NDArray[np.int64] = work["start_ns"][rows] + work["length_ns"][rows]
    return end_ns
