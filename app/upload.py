"""A file that arrives from the page in pieces, kept on disk until it is whole."""

import re
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from overlap_widget.app.leftovers import PREFIX
from overlap_widget.app.upload_limits import (
    DISK,
    MOST_BYTES,
    MOST_SEND_S,
    UploadError,
)

__all__ = ["MOST_BYTES", "Upload", "UploadError", "begin"]

LONGEST_NAME = 200
LONGEST_NAME_BYTES = 200
"""On the disk, which takes 255 of them."""
_ODD = re.compile(r"[^\w.-]+")
Folder = tempfile.TemporaryDirectory[str]


def _folder() -> Folder:
    try:
        return tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
    except OSError as error:
        raise UploadError(
            f"the server can't keep files ({error.strerror}); open them with: "
            "overlap serve FILE"
        ) from error


@dataclass(slots=True)
class Upload:
    """The file being received, the bytes so far, and how far it has been read.

    batch:     files that are opened together have the same one
    is_held:   read only with the next file of the batch: tables that belong together
    is_found:  it was in a folder, so that it needn't be a trace
    state:     receiving, held, reading or skipped
    begun_s:   when its first piece came, of the clock `time.monotonic`
    folder:    where it lies, alone or with those held before it; goes with `discard`
    names:     what the page calls the files in it, by their paths
    """

    id: str
    name: str
    size_bytes: int
    batch: str = ""
    is_held: bool = False
    is_found: bool = False
    received_bytes: int = 0
    read_share: float = 0.0
    state: str = "receiving"
    begun_s: float = field(default_factory=time.monotonic)
    folder: Folder = field(default_factory=_folder)
    file: BinaryIO | None = None
    names: dict[str, str] = field(default_factory=dict)

    path: Path = field(init=False)

    def __post_init__(self) -> None:
        """Choose where it lies: of the sent name only plain signs are kept."""
        plain = _plain(self.name.rpartition("/")[2])
        self.path = Path(self.folder.name) / plain
        if str(self.path) in self.names:  # the same name in another folder
            self.path = Path(self.folder.name) / f"{len(self.names)}-{plain}"
        self.names[str(self.path)] = self.name

    def receive(self, piece: object, offset: int) -> None:
        """Add the next piece; UploadError if it isn't bytes, in turn, and room."""
        if not isinstance(piece, bytes):
            raise UploadError(f"{self.name}: a piece isn't bytes; try again")
        if offset != self.received_bytes:
            raise UploadError(f"{self.name}: a piece of the file is missing; try again")
        if self.received_bytes + len(piece) > min(self.size_bytes, MOST_BYTES):
            raise UploadError(
                f"{self.name}: more arrived than the file holds; try again"
            )
        if time.monotonic() - self.begun_s > MOST_SEND_S:
            raise UploadError(
                f"{self.name}: it took more than {MOST_SEND_S / 60:.0f} minutes to "
                f"come; open it with: overlap serve {self.name}"
            )
        self._write(piece)
        self.received_bytes += len(piece)

    def _write(self, piece: bytes) -> None:
        try:
            if self.file is None:
                self.file = self.path.open("wb")
            self.file.write(piece)
            self.file.flush()
        except OSError as error:
            raise UploadError(
                f"{self.name}: the server can't keep it ({error.strerror}); open it "
                f"with: overlap serve {self.name}"
            ) from error

    def finish(self) -> None:
        """Close the file, for others to read."""
        if self.file is None:
            self._write(b"")
        if self.file is not None:
            self.file.close()
        self.state = "held" if self.is_held else "reading"

    def discard(self) -> None:
        """Remove what was received."""
        with suppress(OSError):  # a full disk
            if self.file is not None:
                self.file.close()
        self.folder.cleanup()
        DISK.give(self.folder.name)

    def view(self) -> dict[str, Any]:
        """What the front shows of it."""
        return {
            "id": self.id,
            "name": self.name,
            "received_bytes": self.received_bytes,
            "size_bytes": self.size_bytes,
            "read_share": self.read_share,
            "state": self.state,
        }


def begin(move: Mapping[str, Any], before: Upload | None = None) -> Upload:
    """The upload that a first piece announces; UploadError above a limit.

    One that is held before it, of the same batch, is read together with it.
    """
    name = shown_name(move)
    size_bytes = max(int(move.get("size_bytes", 0)), 0)
    if size_bytes > MOST_BYTES:
        raise UploadError(
            f"{name}: is {size_bytes / 1e6:,.0f} MB and the page takes up to "
            f"{MOST_BYTES / 1e6:,.0f} MB; open it with: overlap serve {name}"
        )
    batch = str(move.get("batch", ""))[:64]
    joined = None
    if before is not None and before.state == "held" and before.batch == batch:
        joined = before
    return Upload(
        id=str(move.get("id", ""))[:64],
        name=name,
        size_bytes=size_bytes,
        batch=batch,
        is_held=move.get("held") is True,
        is_found=move.get("found") is True,
        folder=_folder_for(name, size_bytes, joined),
        names=joined.names if joined else {},
    )


def _folder_for(name: str, size_bytes: int, joined: Upload | None) -> Folder:
    """Where a file will lie, and room for it; UploadError without any."""
    folder = joined.folder if joined else _folder()
    try:
        DISK.take(name, folder.name, size_bytes)
    except UploadError:
        if not joined:
            folder.cleanup()
        raise
    return folder


def _plain(name: str) -> str:
    """A name that any disk takes: its end, of plain signs, which leads nowhere."""
    plain = _ODD.sub("_", name).encode()[-LONGEST_NAME_BYTES:].decode(errors="ignore")
    return plain.lstrip(".") or "file"


def shown_name(move: Mapping[str, Any]) -> str:
    """Of a file, with the folders that it was chosen with; text that can be shown."""
    sent = str(move.get("name", ""))
    plain = sent.replace("\\", "/").encode(errors="replace").decode()
    return plain[-LONGEST_NAME:].strip("/") or "file"
