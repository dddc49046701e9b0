"""Which loader reads a file: told by its content, never by its name.

A file is plain or gzip, or it is an archive, whose traces are all read.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Protocol

from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import (
    kineto,
    nsys_csv,
    nsys_sqlite,
    rocprof_csv,
    rocprof_json,
    xla,
)
from overlap_widget.model.traces.archives import ZIP, heads
from overlap_widget.model.traces.errors import TooLargeError, TraceError
from overlap_widget.model.traces.neighbours import READS
from overlap_widget.model.traces.neighbours_json import json_neighbour
from overlap_widget.model.traces.nothing_found import why_no_events, why_unknown
from overlap_widget.model.traces.options import Options, Progress
from overlap_widget.model.traces.sentences import counted
from overlap_widget.model.traces.source import chunks
from overlap_widget.model.traces.starts import (
    BLANK,
    HEAD_BYTES,
    head_of,
    is_packed,
    is_whole,
    start_of,
)
from overlap_widget.model.traces.unpacking import check_limit

_JSON = (b"{", b"[")
_SIGNS = (b'"traceEvents"', b'"ph"', b'"deviceProperties"')
"""Of traces in JSON; the last is of one that was cut off early.

Other files have none.
"""
_OF_TORCH = "/data.pkl"
_NAMES_SHOWN = 3
_MOST_SAID = 100
"""Of an archive, where each file may be damaged."""


class Format(Protocol):
    """A loader's module: how it knows its files, and how it reads them."""

    def recognises(self, head: bytes) -> bool:
        """Whether a file that starts so is of this format."""

    def load(self, path: str, options: Options) -> tuple[Recording, ...]:
        """The recordings, one a process; raises TraceError with the reason."""


FORMATS: tuple[Format, ...] = (nsys_sqlite, nsys_csv, rocprof_csv, rocprof_json)
"""All but traces in JSON, of which more than the start may have to be looked at."""
CHROME_TRACES: tuple[Format, ...] = (xla, kineto)


def recordings_in(path: str, options: Options) -> tuple[Recording, ...]:
    """What a file holds, at least one recording; raises TraceError with the reason."""
    head = head_of(path)
    if head.startswith(ZIP) and not is_packed(path):
        return _of_archive(path, options)
    return _loaded(format_of(path, head, options), path, head, options)


def starts_as_trace(path: str) -> bool:
    """Whether a file, or one in an archive, starts as those of a profiler do.

    A table that is read with another one beside it counts as none.
    """
    if rocprof_csv.kernels_beside(path):
        return False
    try:
        head = head_of(path)
        if not head.startswith(ZIP):
            return _is_promising(head)
        starts = [start for _, _, start in heads(path, HEAD_BYTES)]
    except TraceError:
        return False
    return any(
        isinstance(one, bytes) and _is_promising(start_of(one, Counter()))
        for one in starts
    )


def _loaded(
    found: Format | None, path: str, head: bytes, options: Options
) -> tuple[Recording, ...]:
    """What the loader reads; where it finds nothing, there may be a better reason."""
    if found is None:
        raise TraceError(f"{path}: {why_unknown(path, head, options.progress)}")
    try:
        return found.load(path, options)
    except TooLargeError:
        raise
    except TraceError:
        reason = _better_reason(found, head)
        if reason is None:
            raise
        raise TraceError(f"{path}: {reason}") from None


def _better_reason(found: Format, head: bytes) -> str | None:
    """What a file is instead of a trace, by its start; None if nothing is better."""
    neighbour = json_neighbour(head.lstrip(BLANK))
    if neighbour is not None:
        return f"is {neighbour}"
    return why_no_events(head) if found in CHROME_TRACES else None


def format_of(path: str, head: bytes, options: Options) -> Format | None:
    """The format of a file that is no archive; None if it is none that is read."""
    known = _known(head)
    if known or not head.lstrip(BLANK).startswith(_JSON):
        return known
    # names of processes may stand behind the events
    pieces = chunks(path, Counter(), _not_begun(options), options.limit_bytes)
    for piece in chain([head], pieces):
        for one in CHROME_TRACES:
            if one.recognises(piece):
                return one
    return kineto


@dataclass(slots=True)
class _Contents:
    """What an archive holds: traces with their starts, other files, and faults."""

    traces: list[tuple[str, bytes]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)


def _of_archive(path: str, options: Options) -> tuple[Recording, ...]:
    """All traces of an archive; what else is in it is named."""
    contents = _contents(path, options)
    found: list[Recording] = []
    said = contents.said
    for at, (inner, head) in enumerate(contents.traces):
        part = _part(options, at, len(contents.traces))
        try:
            found += _loaded(format_of(inner, head, part), inner, head, part)
        except TraceError as error:
            said.append(str(error))
    if not found:
        raise TraceError(said[0] if said else f"{path}: {_no_trace(contents.others)}")
    if contents.others:
        said.append(f"{path}: {_left_out(contents.others)}")
    if len(said) > _MOST_SAID:
        left = counted(len(said) - _MOST_SAID, "more remark")
        said[_MOST_SAID:] = [f"{path}: {left} on its files left out"]
    first = replace(found[0], warnings=(*found[0].warnings, *said))
    return (first, *found[1:])


def _contents(path: str, options: Options) -> _Contents:
    contents, size_bytes = _Contents(), 0
    for name, unpacked_bytes, packed in heads(path, HEAD_BYTES):
        if isinstance(packed, TraceError):
            contents.said.append(str(packed))
            continue
        inner, damage = f"{path}/{name}", Counter[str]()
        head = start_of(packed, damage)
        if rocprof_csv.kernels_beside(inner):
            continue
        if _is_promising(head) or (damage and is_whole(packed)):
            contents.traces.append((inner, head))
            size_bytes += max(unpacked_bytes, len(head))
            check_limit(path, size_bytes, options.limit_bytes)
        else:
            contents.others.append(name)
    return contents


def _is_promising(head: bytes) -> bool:
    return bool(_known(head)) or any(sign in head for sign in _SIGNS)


def _known(head: bytes) -> Format | None:
    return next((one for one in FORMATS if one.recognises(head)), None)


def _not_begun(options: Options) -> Progress | None:
    """For looking into a file before it is read: may end that, and hears no share."""
    hear = options.progress
    return None if hear is None else lambda _: hear(0.0)


def _part(options: Options, at: int, count: int) -> Options:
    """The options for one of several files: its share of the progress."""
    hear = options.progress
    if hear is None:
        return options
    return replace(options, progress=lambda share: hear((at + share) / count))


def _no_trace(others: Sequence[str]) -> str:
    if not others:
        return "is a ZIP archive without files"
    if any(name.endswith(_OF_TORCH) for name in others):
        return f"is a file of torch.save; {READS}"
    return f"is a ZIP archive without a trace in it ({_listed(others)}); {READS}"


def _left_out(others: Sequence[str]) -> str:
    files = counted(len(others), "file")
    verb = "is no trace and was" if len(others) == 1 else "are no traces and were"
    return f"{files} in it {verb} left out ({_listed(others)})"


def _listed(names: Sequence[str]) -> str:
    more = ", ..." if len(names) > _NAMES_SHOWN else ""
    return ", ".join(names[:_NAMES_SHOWN]) + more
