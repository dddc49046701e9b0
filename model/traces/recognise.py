"""Which loader reads a file: told by its content, never by its name.

A file is plain or gzip, or it is an archive, whose traces are all read.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Protocol

from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import kineto, nsys_sqlite, xla
from overlap_widget.model.traces.archives import ZIP, members
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.neighbours import READS, kind_of
from overlap_widget.model.traces.opening import opened
from overlap_widget.model.traces.options import Options
from overlap_widget.model.traces.sentences import counted
from overlap_widget.model.traces.source import chunks, plain_text
from overlap_widget.model.traces.unpacking import check_limit

HEAD_BYTES = 1 << 18
"""How much of a file is looked at to tell what it is."""

_BLANK = b"\xef\xbb\xbf \t\r\n\x00"  # also the marks of UTF-8
_JSON = (b"{", b"[")
_NAMES_SHOWN = 3


class Format(Protocol):
    """A loader's module: how it knows its files, and how it reads them."""

    def recognises(self, head: bytes) -> bool:
        """Whether a file that starts so is of this format."""

    def load(self, path: str, options: Options) -> tuple[Recording, ...]:
        """The recordings, one a process; raises TraceError with the reason."""


FORMATS: tuple[Format, ...] = (nsys_sqlite,)
"""All but traces in JSON, of which more than the start may have to be looked at."""
CHROME_TRACES: tuple[Format, ...] = (xla, kineto)


def recordings_in(path: str, options: Options) -> tuple[Recording, ...]:
    """What a file holds, at least one recording; raises TraceError with the reason."""
    head = head_of(path)
    if head.startswith(ZIP):
        return _of_archive(path, options)
    found = format_of(path, head, options)
    if found is None:
        raise TraceError(f"{path}: is {kind_of(path, head)}; {READS}")
    return found.load(path, options)


def head_of(path: str) -> bytes:
    """The start of a file, unpacked; TraceError when it can't be read or is empty."""
    head = b""
    with opened(path) as file:
        for piece in plain_text(path, file, Counter()):
            head += piece
            if len(head) >= HEAD_BYTES:
                break
    return head


def format_of(path: str, head: bytes, options: Options) -> Format | None:
    """The format of a file that is no archive; None if it is none that is read."""
    known = [one for one in FORMATS if one.recognises(head)]
    if known or not head.lstrip(_BLANK).startswith(_JSON):
        return known[0] if known else None
    # names of processes may stand behind the events
    pieces = chunks(path, Counter(), limit_bytes=options.limit_bytes)
    for piece in chain([head], pieces):
        for one in CHROME_TRACES:
            if one.recognises(piece):
                return one
    return kineto


def _of_archive(path: str, options: Options) -> tuple[Recording, ...]:
    """All traces of an archive; what else is in it is named."""
    found: list[Recording] = []
    said: list[str] = []
    others: list[str] = []
    files, read_bytes = members(path), 0
    for at, (name, size_bytes) in enumerate(files):
        inner, part = f"{path}/{name}", _part(options, at, len(files))
        try:
            wanted = format_of(inner, head_of(inner), part)
        except TraceError as error:
            said.append(str(error))
            continue
        if wanted is None:
            others.append(name)
            continue
        read_bytes += size_bytes
        check_limit(path, read_bytes, options.limit_bytes)
        try:
            found += recordings_in(inner, part)
        except TraceError as error:
            said.append(str(error))
    if not found:
        raise TraceError(said[0] if said else f"{path}: {_no_traces(others)}")
    if others:
        said.append(f"{path}: {_left_out(others)}")
    first = replace(found[0], warnings=(*found[0].warnings, *said))
    return (first, *found[1:])


def _part(options: Options, at: int, count: int) -> Options:
    """The options for one of several files: its share of the progress."""
    hear = options.progress
    if hear is None:
        return options
    return replace(options, progress=lambda share: hear((at + share) / count))


def _no_traces(others: Sequence[str]) -> str:
    if not others:
        return "is a ZIP archive without files"
    return f"is a ZIP archive without a trace in it ({_listed(others)}); {READS}"


def _left_out(others: Sequence[str]) -> str:
    files = counted(len(others), "file")
    verb = "is no trace and was" if len(others) == 1 else "are no traces and were"
    return f"{files} in it {verb} left out ({_listed(others)})"


def _listed(names: Sequence[str]) -> str:
    more = ", ..." if len(names) > _NAMES_SHOWN else ""
    return ", ".join(names[:_NAMES_SHOWN]) + more
