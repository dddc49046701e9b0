"""The bytes of a trace file, in pieces: plain or gzip, told by content, not by name.

Only the first bytes decide. What isn't a JSON text is named for what it is, so that
nobody has to guess why a file doesn't open.
"""

import os
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from overlap_widget.model.traces.errors import TraceError

CHUNK_BYTES = 4 << 20
GZIP_ENDS_EARLY = "gzip ends early"
GZIP_DAMAGED = "gzip is damaged"
READS = "this version reads PyTorch profiler JSON (.json, .json.gz)"

_GZIP = b"\x1f\x8b"
_MAGIC = {
    _GZIP: "gzip inside gzip",
    b"PK\x03\x04": "a ZIP archive",
    b"SQLite format 3\x00": "an SQLite database (an Nsight Systems export?)",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
    b"\xfd7zXZ\x00": "compressed with xz",
    b"BZh": "compressed with bzip2",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    b"<": "an HTML or XML page",
}
_SUFFIXES = {
    ".nsys-rep": "an Nsight Systems report",
    ".qdrep": "an Nsight Systems report",
    ".ncu-rep": "an Nsight Compute report",
    ".pb": "a protocol buffer (of the XLA profiler?)",
    ".pickle": "a Python pickle",
    ".csv": "a table of comma-separated values",
}
_GZIP_FORMAT = zlib.MAX_WBITS | 16
_BITE_BYTES = 64
_ENOUGH_BYTES = 16  # for the longest of the magic numbers
_CSV_LINE = re.compile(rb"[^{}\[\]\r\n]*(?:,[^{}\[\]\r\n]*){3,}\r?\n")
_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n\x00"

Progress = Callable[[float], None]


def chunks(
    path: str, damage: Counter[str], progress: Progress | None = None
) -> Iterator[bytes]:
    """The unpacked text of the file in pieces of a few MB, from its first brace on.

    `damage` counts what the gzip stream lost; `progress` hears the share of the file
    that was read, 0 to 1. Raises TraceError when it can't be read or isn't JSON.
    """
    with _opened(path) as file:
        raw = _raw(path, file, progress)
        first = next(raw, b"")
        if not first:
            raise TraceError(f"{path}: the file is empty; record the run again")
        pieces = chain([first], raw)
        packed = first.startswith(_GZIP)
        yield from _recognised(path, _unpacked(pieces, damage) if packed else pieces)


def _opened(path: str) -> BinaryIO:
    if os.path.isdir(path):
        raise TraceError(f"{path}: is a directory; choose the trace file in it")
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise TraceError(f"{path}: there is no such file") from None
    except PermissionError:
        raise TraceError(
            f"{path}: permission denied; make the file readable for this user"
        ) from None
    except (OSError, ValueError) as error:
        raise TraceError(f"{path}: can't be opened ({_reason(error)})") from None


def _raw(path: str, file: BinaryIO, progress: Progress | None) -> Iterator[bytes]:
    size = max(os.fstat(file.fileno()).st_size, 1)
    done = 0
    while True:
        try:
            chunk = file.read(CHUNK_BYTES)
        except OSError as error:
            raise TraceError(
                f"{path}: can't be read past byte {done} ({_reason(error)})"
            ) from None
        if not chunk:
            return
        done += len(chunk)
        yield chunk
        if progress is not None:
            progress(min(done / size, 1.0))


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _unpacked(packed: Iterator[bytes], damage: Counter[str]) -> Iterator[bytes]:
    """Inflate every member; of a cut or damaged stream, what is readable."""
    inflater = zlib.decompressobj(_GZIP_FORMAT)
    for chunk in packed:
        data = chunk
        while data:
            if inflater.eof:
                data = data.lstrip(b"\x00")
                if not data.startswith(_GZIP):
                    break  # padding after the last member
                inflater = zlib.decompressobj(_GZIP_FORMAT)
            before = inflater.copy()
            try:
                yield inflater.decompress(data, CHUNK_BYTES)
            except zlib.error:
                damage[GZIP_DAMAGED] += 1
                yield from _readable(before, data)
                return
            data = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
    if not inflater.eof:
        damage[GZIP_ENDS_EARLY] += 1


def _readable(inflater: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    """What comes before the damage, bite by bite: a call that fails returns nothing."""
    text = b""
    for at in range(0, len(data), _BITE_BYTES):
        try:
            text += inflater.decompress(data[at : at + _BITE_BYTES])
        except zlib.error:
            break
        if len(text) > CHUNK_BYTES:
            yield text
            text = b""
    yield text


def _recognised(path: str, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces from the first brace on, if that is what the text begins with."""
    start = b""
    for piece in pieces:
        start = (start + piece).removeprefix(_BOM).lstrip(_BLANK)
        if len(start) >= _ENOUGH_BYTES:
            break
    if not start:
        raise TraceError(f"{path}: holds nothing but blanks; record the run again")
    if not start.startswith((b"{", b"[")):
        raise TraceError(f"{path}: is {_kind(path, start)}; {READS}")
    yield start
    yield from filter(None, pieces)


def _kind(path: str, start: bytes) -> str:
    for magic, kind in _MAGIC.items():
        if start.startswith(magic):
            return kind
    named = _SUFFIXES.get(Path(path).suffix.lower())
    if named:
        return named
    return _SUFFIXES[".csv"] if _CSV_LINE.match(start) else "not JSON"
