"""Opening a trace file and reading its bytes in pieces, with progress."""

import os
import stat
from collections.abc import Callable, Iterator
from typing import BinaryIO

from overlap_widget.model.traces.archives import member_of, size_of
from overlap_widget.model.traces.errors import TraceError

PIECE_BYTES = 1 << 17
"""Small enough to stay in a core's cache until it is used."""

_TO_NOWHERE = "is a link to nowhere; name the file that it should lead to"

Progress = Callable[[float], None]
"""Hears the share of the file that was read, 0 to 1; stops the reading by raising."""


def opened(path: str) -> BinaryIO:
    """The file, open for reading bytes; raises TraceError when it can't be.

    A path may lead into an archive, `runs.zip/rank0.json`.
    """
    if os.path.isdir(path):
        raise TraceError(f"{path}: is a directory; choose the trace file in it")
    if _is_stream(path):  # looked at before, as opening a pipe may wait for ever
        raise TraceError(
            f"{path}: is a pipe or a device, and traces are read more than once; save "
            "it as a file and name that"
        )
    try:
        return open(path, "rb")
    except (FileNotFoundError, NotADirectoryError):
        member = member_of(path)
        if member is not None:
            return member
        why = _TO_NOWHERE if os.path.islink(path) else "there is no such file"
        raise TraceError(f"{path}: {why}") from None
    except PermissionError:
        raise TraceError(
            f"{path}: permission denied; make the file readable for this user"
        ) from None
    except (OSError, ValueError) as error:
        raise TraceError(f"{path}: can't be opened ({_reason(error)})") from None


def _is_stream(path: str) -> bool:
    """Whether it is there and no plain file; what can't be told is left to opening."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def raw_pieces(
    path: str,
    file: BinaryIO,
    progress: Progress | None = None,
    piece_bytes: int | None = None,
) -> Iterator[bytes]:
    """The bytes of the file from where it stands, as they are; TraceError if broken."""
    known = size_of(file)
    size = max(os.fstat(file.fileno()).st_size if known is None else known, 1)
    done = 0
    while True:
        try:
            piece = file.read(piece_bytes or PIECE_BYTES)
        except OSError as error:
            raise TraceError(
                f"{path}: can't be read past byte {done} ({_reason(error)})"
            ) from None
        if not piece:
            return
        done += len(piece)
        yield piece
        if progress is not None:
            progress(min(done / size, 1.0))


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
