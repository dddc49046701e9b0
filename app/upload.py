"""A file that arrives from the page in pieces, kept on disk until it is whole."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

MOST_BYTES = 500 * 10**6
"""Above it a file is opened by its path on the command line."""


class UploadError(ValueError):
    """One sentence for the user: what is wrong with the file that was sent."""


@dataclass(slots=True)
class Upload:
    """The file being received: a name to show, and the bytes so far.

    It lies in a folder of its own that goes with `discard`.
    """

    id: str
    name: str
    size_bytes: int
    received_bytes: int = 0
    state: str = "receiving"
    folder: tempfile.TemporaryDirectory[str] = field(
        default_factory=lambda: tempfile.TemporaryDirectory(prefix="overlap-")
    )
    file: BinaryIO | None = None

    @property
    def path(self) -> Path:
        """Where it lies; the sent name decides nothing of it."""
        return Path(self.folder.name) / "trace"

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
            "state": self.state,
        }


def begin(move: Mapping[str, Any]) -> Upload:
    """The upload that a first piece announces; UploadError above the limit."""
    name = Path(str(move.get("name", "file"))).name[:200] or "file"
    size_bytes = int(move.get("size_bytes", 0))
    if size_bytes > MOST_BYTES:
        raise UploadError(
            f"{name}: is {size_bytes / 1e6:,.0f} MB and the page takes up to "
            f"{MOST_BYTES / 1e6:,.0f} MB; open it with: overlap serve {name}"
        )
    return Upload(str(move.get("id", ""))[:64], name, size_bytes)
