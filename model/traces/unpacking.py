"""Gzip streams unpacked in pieces of bounded size, as far as they are readable.

Intel's isal unpacks three times as fast as zlib, where it is installed. It can't go
back to the state before an error, so a damaged stream is read a second time, by zlib.
"""

import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from overlap_widget.model.traces.errors import TooLargeError

GZIP = b"\x1f\x8b"
GZIP_ENDS_EARLY = "gzip ends early"
GZIP_DAMAGED = "gzip is damaged"
MOST_BYTES = 1 << 17
"""The most that one piece unpacks to, whatever was packed."""

# isal has no wheels for some platforms
fast_zlib: Any = import_module("isal.isal_zlib") if find_spec("isal") else None

_GZIP_FORMAT = zlib.MAX_WBITS | 16
_BITE_BYTES = 256

Pieces = Iterator[bytes]
"""Bytes of a file or stream, in order."""


class _DamagedError(Exception):
    """Zlib met an error; holds its state before the piece, and the piece."""

    def __init__(self, inflater: "zlib._Decompress", piece: bytes) -> None:
        self.inflater, self.piece = inflater, piece


def unpacked(again: Callable[[], Pieces], damage: Counter[str]) -> Pieces:
    """Inflate every member; of a cut or damaged stream, what is readable.

    `again` gives the packed pieces from their start, each time it is called.
    """
    if fast_zlib is None:
        yield from _with_zlib(again(), damage)
        return
    done = 0
    found: Counter[str] = Counter()
    try:
        for piece in _inflated(again(), fast_zlib.decompressobj, _inflate, found):
            done += len(piece)
            yield piece
    except fast_zlib.error:
        yield from _behind(done, _with_zlib(again(), damage))
    else:
        damage.update(found)


def limited(path: str, pieces: Pieces, limit_bytes: int | None) -> Pieces:
    """The pieces, as long as together they stay below a limit of unpacked bytes."""
    done = 0
    for piece in pieces:
        done += len(piece)
        check_limit(path, done, limit_bytes)
        yield piece


def check_limit(path: str, unpacked_bytes: int, limit_bytes: int | None) -> None:
    """Raise TooLargeError if a file unpacks to more than the limit."""
    if limit_bytes is not None and unpacked_bytes > limit_bytes:
        raise TooLargeError(
            f"{path}: unpacks to more than {limit_bytes / 1e6:,.0f} MB, the limit "
            "here; open the file by its path instead"
        )


def _with_zlib(pieces: Pieces, damage: Counter[str]) -> Pieces:
    """By zlib, which can be copied before each piece, and so gives all before an error.

    A call that fails returns nothing: the piece is taken again, bite by bite.
    """
    try:
        yield from _inflated(pieces, zlib.decompressobj, _inflate_carefully, damage)
    except _DamagedError as error:
        damage[GZIP_DAMAGED] += 1
        yield from _readable(error.inflater, error.piece)


def _inflated(
    packed: Pieces,
    fresh: Callable[[int], Any],
    inflate: Callable[[Any, bytes], bytes],
    damage: Counter[str],
) -> Pieces:
    """Every member, one after the other; padding behind or between them is skipped."""
    inflater = fresh(_GZIP_FORMAT)
    for piece in packed:
        data = piece
        while data:
            if inflater.eof:
                data = data.lstrip(b"\x00")
                if not data or not data.startswith(GZIP[: len(data)]):
                    break  # padding after the last member
                inflater = fresh(_GZIP_FORMAT)
            yield inflate(inflater, data)
            data = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
    if not inflater.eof:
        yield from iter(lambda: inflate(inflater, b""), b"")
        damage[GZIP_ENDS_EARLY] += 1


def _inflate(inflater: Any, piece: bytes) -> bytes:
    text: bytes = inflater.decompress(piece, MOST_BYTES)
    return text


def _inflate_carefully(inflater: "zlib._Decompress", piece: bytes) -> bytes:
    before = inflater.copy()
    try:
        return _inflate(inflater, piece)
    except zlib.error:
        raise _DamagedError(before, piece) from None


def _readable(inflater: "zlib._Decompress", data: bytes) -> Pieces:
    """What comes before the damage: in bites of many bytes, the last byte by byte."""
    kept, at = inflater.copy(), 0
    for at in range(0, len(data), _BITE_BYTES):
        try:
            kept = inflater.copy()
            yield inflater.decompress(data[at : at + _BITE_BYTES])
        except zlib.error:
            break
    with suppress(zlib.error):
        for byte in data[at : at + _BITE_BYTES]:
            yield kept.decompress(bytes([byte]))


def _behind(done: int, pieces: Pieces) -> Pieces:
    """The pieces without their first `done` bytes."""
    for piece in pieces:
        if done < len(piece):
            yield piece[done:]
        done = max(done - len(piece), 0)
