"""The start of a trace file, unpacked, by which it is told what the file is."""

from collections import Counter

from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.opening import opened, raw_pieces
from overlap_widget.model.traces.sentences import on_early_end
from overlap_widget.model.traces.unpacking import GZIP, GZIP_ENDS_EARLY, unpacked

HEAD_BYTES = 1 << 18
"""How much of a file is looked at to tell what it is."""

BLANK = b"\xef\xbb\xbf \t\r\n\x00"  # also the marks of UTF-8
_BROKEN_START = "the gzip file is damaged at its start; copy it again"
_LFS_POINTER = (
    "is a pointer of Git LFS and not the file itself; fetch that with `git lfs pull`"
)
_LFS = b"version https://git-lfs.github.com/spec/"


def head_of(path: str) -> bytes:
    """The start of a file, unpacked; TraceError when it can't be read or is empty."""
    with opened(path) as file:
        packed = next(raw_pieces(path, file, piece_bytes=HEAD_BYTES), b"")
    damage: Counter[str] = Counter()
    head = start_of(packed, damage)
    why = _why_no_start(packed, head, damage)
    if why:
        raise TraceError(f"{path}: {why}")
    return head


def _why_no_start(packed: bytes, head: bytes, damage: Counter[str]) -> str | None:
    """Why nothing can be made of the start of a file; None if something may be."""
    if not packed:
        return "the file is empty; record the run again"
    if damage and not head:
        is_cut = damage[GZIP_ENDS_EARLY] and is_whole(packed)
        return on_early_end(damage) if is_cut else _BROKEN_START
    if not head.strip(BLANK):
        return "holds nothing but blanks; record the run again"
    return _LFS_POINTER if head.startswith(_LFS) else None


def is_whole(start: bytes) -> bool:
    """Whether a file ends where its start does: a longer one is cut by us alone."""
    return len(start) < HEAD_BYTES


def is_packed(path: str) -> bool:
    """Whether a file is gzip."""
    with opened(path) as file:
        return file.read(len(GZIP)) == GZIP


def start_of(packed: bytes, damage: Counter[str]) -> bytes:
    """The start of a file as text; of gzip what can be read, whose faults are counted.

    Packed text that goes on behind this start counts as cut off.
    """
    if not packed.startswith(GZIP):
        return packed
    head = b""
    for piece in unpacked(lambda: iter([packed]), damage):
        head += piece
        if len(head) >= HEAD_BYTES:
            break
    return head[:HEAD_BYTES]
