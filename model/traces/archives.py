"""Files inside ZIP archives, opened as if they were files: `runs.zip/rank0.json`.

They unpack while they are read, so that no archive fills the memory or the disk.
"""

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from overlap_widget.model.traces.errors import TraceError

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
"""How an archive starts: with a file, or with its end if it is empty."""

_ENCRYPTED = 0x1
_BUFFER_BYTES = 1 << 16
_MAC = "__MACOSX/"
_DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError)


class Member(io.RawIOBase):
    """A file of an archive, for reading and going back to its start.

    size_bytes: how many bytes it unpacks to, never more
    """

    def __init__(self, packed: Any, size_bytes: int) -> None:
        self._packed = packed
        self.size_bytes = size_bytes

    def readable(self) -> bool:
        """It is for nothing else."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer; raises OSError where the archive is damaged."""
        try:
            piece: bytes = self._packed.read(len(buffer))
        except _DAMAGE as error:
            raise OSError(f"the archive is damaged: {error}") from None
        buffer[: len(piece)] = piece
        return len(piece)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place; back means to unpack again from the start."""
        moved: int = self._packed.seek(offset, whence)
        return moved

    def seekable(self) -> bool:
        """Whether `seek` works."""
        return True

    def close(self) -> None:
        """Let go of the archive."""
        self._packed.close()
        super().close()


def size_of(file: BinaryIO) -> int | None:
    """Bytes that a file of an archive unpacks to; None for any other file."""
    raw = getattr(file, "raw", None)
    return raw.size_bytes if isinstance(raw, Member) else None


def heads(path: str, head_bytes: int) -> Iterator[tuple[str, int, bytes | TraceError]]:
    """Of each file in an archive its name, its unpacked bytes and its start.

    In place of a start that can't be read stands the reason. What a Mac adds is left
    out. Raises TraceError when the archive is damaged.
    """
    with _opened(path) as archive:
        for entry in archive.infolist():
            inner = PurePosixPath(entry.filename)
            if entry.is_dir() or str(inner).startswith(_MAC) or _hidden(inner):
                continue
            start: bytes | TraceError
            try:
                with _unpacked(archive, entry, f"{path}/{entry.filename}") as file:
                    start = file.read(head_bytes)
            except TraceError as error:
                start = error
            except OSError as error:
                start = TraceError(f"{path}/{entry.filename}: {error}; copy it again")
            yield entry.filename, entry.file_size, start


def member_of(path: str) -> BinaryIO | None:
    """The file of an archive that a path such as `runs.zip/rank0.json` means.

    None if no part of the path is an archive; raises TraceError when it can't be read.
    """
    for archive_path in Path(path).parents:
        if archive_path.is_file() and zipfile.is_zipfile(archive_path):
            name = path[len(str(archive_path)) + 1 :]
            return _member(str(archive_path), name, path)
    return None


def _member(archive_path: str, name: str, path: str) -> BinaryIO | None:
    with _opened(archive_path) as archive:
        try:
            entry = archive.getinfo(name)
        except KeyError:
            return None
        return _unpacked(archive, entry, path)


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: str) -> BinaryIO:
    if entry.flag_bits & _ENCRYPTED:
        raise TraceError(f"{path}: is encrypted; unpack it with its password")
    try:
        member = Member(archive.open(entry), entry.file_size)
    except NotImplementedError as error:
        raise TraceError(
            f"{path}: is packed in a way that isn't read here ({error}); unpack it"
        ) from None
    except (*_DAMAGE, OSError) as error:
        raise TraceError(
            f"{path}: the archive is damaged here ({error}); copy it again"
        ) from None
    return io.BufferedReader(member, _BUFFER_BYTES)


def _hidden(inner: PurePosixPath) -> bool:
    return inner.name.startswith("._") or inner.name == ".DS_Store"


def _opened(path: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (*_DAMAGE, OSError, ValueError, NotImplementedError) as error:
        raise TraceError(
            f"{path}: is a ZIP archive that is damaged or ends early ({error}); copy "
            "it again"
        ) from None
