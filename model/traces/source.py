"""The text of a trace file, in pieces: plain or gzip, told by content, not by name.

Only the first bytes decide.
"""

from collections import Counter
from collections.abc import Generator, Iterator
from itertools import chain
from typing import BinaryIO

from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.neighbours import READS, UTF_16, what_it_is
from overlap_widget.model.traces.opening import Progress, opened, raw_pieces
from overlap_widget.model.traces.unpacking import (
    GZIP,
    GZIP_DAMAGED,
    GZIP_ENDS_EARLY,
    limited,
    unpacked,
)

__all__ = ["GZIP_DAMAGED", "GZIP_ENDS_EARLY", "READS", "Progress", "chunks"]

_ENOUGH_BYTES = 16  # for the longest of the magic numbers
_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n\x00"


def chunks(
    path: str,
    damage: Counter[str],
    progress: Progress | None = None,
    limit_bytes: int | None = None,
) -> Generator[bytes, None, None]:
    """The unpacked text of the file in pieces, from its first brace on.

    `damage` counts what the gzip stream lost; `progress` hears the share of the file
    that was read, 0 to 1. Raises TraceError when it can't be read, isn't JSON, or
    unpacks to more than `limit_bytes`.
    """
    with opened(path) as file:
        text = plain_text(path, file, damage, progress)
        yield from _recognised(path, limited(path, text, limit_bytes))


def plain_text(
    path: str, file: BinaryIO, damage: Counter[str], progress: Progress | None = None
) -> Iterator[bytes]:
    """What the file holds, unpacked if it is gzip; in pieces of bounded size."""

    def again() -> Iterator[bytes]:
        file.seek(0)
        return raw_pieces(path, file, progress)

    raw = again()
    first = next(raw, b"")
    if not first:
        raise TraceError(f"{path}: the file is empty; record the run again")
    yield from (
        unpacked(again, damage) if first.startswith(GZIP) else chain([first], raw)
    )


def _recognised(path: str, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces from the first brace on, if that is what the text begins with."""
    start = b""
    for piece in pieces:
        start = (start + piece).removeprefix(_BOM).lstrip(_BLANK)
        if len(start) >= _ENOUGH_BYTES:
            break
    if not start:
        raise TraceError(f"{path}: holds nothing but blanks; record the run again")
    if not start.startswith((b"{", b"[")) or UTF_16.match(start):
        raise TraceError(f"{path}: {what_it_is(path, start)}")
    yield start
    yield from filter(None, pieces)
