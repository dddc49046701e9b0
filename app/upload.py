"""A file that arrives from the page in pieces, kept on disk until it is whole."""

import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

MOST_BYTES = 500 * 10**6
"""Of a file once it is unpacked; above it one is opened by its path."""
LONGEST_NAME = 200
_ODD = re.compile(r"[^\w.-]+")
Folder = tempfile.TemporaryDirectory[str]


class UploadError(ValueError):
    """One sentence for the user: what is wrong with the file that was sent."""


def _folder() -> Folder:
    return tempfile.TemporaryDirectory(prefix="overlap-", ignore_cleanup_errors=True)


@dataclass(slots=True)
class Upload:
    """The file being received, the bytes so far, and how far it has been read.

    batch:     files that are opened together have the same one
    is_held:   read only with the next file of the batch: tables that belong together
    is_found:  it was in a folder, so that it needn't be a trace
    state:     receiving, held, reading or skipped
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
    folder: Folder = field(default_factory=_folder)
    file: BinaryIO | None = None
    names: dict[str, str] = field(default_factory=dict)

    path: Path = field(init=False)

    def __post_init__(self) -> None:
        """Choose where it lies: of the sent name only plain signs are kept."""
        plain = _ODD.sub("_", self.name.rpartition("/")[2]).lstrip(".") or "file"
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
        if self.file is None:
            self.file = self.path.open("wb")
        self.file.write(piece)
        self.received_bytes += len(piece)

    def finish(self) -> None:
        """Close the file, for others to read."""
        if self.file is None:
            self.path.touch()
        else:
            self.file.close()
        self.state = "held" if self.is_held else "reading"

    def discard(self) -> None:
        """Remove what was received."""
        if self.file is not None:
            self.file.close()
        self.folder.cleanup()

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
    """The upload that a first piece announces; UploadError above the limit.

    One that is held before it, of the same batch, is read together with it.
    """
    name = _shown_name(str(move.get("name", "")))
    size_bytes = int(move.get("size_bytes", 0))
    if size_bytes > MOST_BYTES:
        raise UploadError(
            f"{name}: is {size_bytes / 1e6:,.0f} MB and the page takes up to "
            f"{MOST_BYTES / 1e6:,.0f} MB; open it with: overlap serve {name}"
        )
    batch = str(move.get("batch", ""))[:64]
    shared: dict[str, Any] = {}
    if before is not None and before.state == "held" and before.batch == batch:
        shared = {"folder": before.folder, "names": before.names}
    return Upload(
        id=str(move.get("id", ""))[:64],
        name=name,
        size_bytes=size_bytes,
        batch=batch,
        is_held=move.get("held") is True,
        is_found=move.get("found") is True,
        **shared,
    )


def _shown_name(sent: str) -> str:
    """Of a file, with the folders that it was chosen with; text that can be shown."""
    plain = sent.replace("\\", "/").encode(errors="replace").decode()
    return plain[-LONGEST_NAME:].strip("/") or "file"
