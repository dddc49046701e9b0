"""Files inside ZIP archives, opened as if they were files: `runs.zip/rank0.json`.

They unpack while they are read, so that no archive fills the memory or the disk.
"""

import io
import lzma
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from overlap_widget.model.traces.errors import TraceError

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
"""How an archive starts: with a file, or with its end if it is empty."""

_ENCRYPTED = 0x1
_BUFFER_BYTES = 1 << 16
_NO_FILES = ("__MACOSX/", "._")
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


def members(path: str) -> tuple[tuple[str, int], ...]:
    """The files in an archive and their unpacked bytes, without what a Mac adds.

    Raises TraceError when it is damaged.
    """
    with _opened(path) as archive:
        return tuple(
            (entry.filename, entry.file_size)
            for entry in archive.infolist()
            if not entry.is_dir()
            and not entry.filename.startswith(_NO_FILES)
            and not PurePosixPath(entry.filename).name.startswith(_NO_FILES)
        )


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
            if entry.flag_bits & _ENCRYPTED:
                raise TraceError(f"{path}: is encrypted; unpack it with its password")
            member = Member(archive.open(entry), entry.file_size)
            return io.BufferedReader(member, _BUFFER_BYTES)
        except KeyError:
            return None
        except NotImplementedError as error:
            raise TraceError(
                f"{path}: is packed in a way that isn't read here ({error}); unpack it"
            ) from None
        except (*_DAMAGE, OSError) as error:
            raise TraceError(
                f"{path}: the archive is damaged here ({error}); copy it again"
            ) from None


def _opened(path: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (*_DAMAGE, OSError, ValueError) as error:
        raise TraceError(
            f"{path}: is a ZIP archive that is damaged or ends early ({error}); copy "
            "it again"
        ) from None
