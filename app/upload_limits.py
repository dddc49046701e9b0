"""How much pages may send: each one, and all of them together, at once and in time."""

import shutil
import tempfile
from dataclasses import dataclass
from threading import Lock

MOST_BYTES = 500 * 10**6
"""Of a file once it is unpacked; above it one is opened by its path."""
MOST_FILES = 2_000
"""Of a page: the ranks of a large run, some times over."""
MOST_PAGE_BYTES = 8 * MOST_BYTES
"""Of all files of a page, as they are sent."""
MOST_AT_ONCE = 256
"""Files of all pages that lie on the disk of the server: a room opens one each."""
MOST_WAITING_BYTES = 16 * MOST_BYTES
"""Of these files."""
STALL_S = 120.0
"""So long may nothing come of a file that is on its way."""
MOST_SEND_S = 3600.0
"""For a file to come: 500 MB at 1.1 Mbit/s."""
MOST_READ_S = 300.0
"""To read a file, of which 500 MB take a minute on a slow machine."""


class UploadError(ValueError):
    """One sentence for the user: what is wrong with the file that was sent."""


class Disk:
    """What lies on the disk for all pages of this process, by folders."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._sizes: dict[str, list[int]] = {}

    def take(self, name: str, folder: str, size_bytes: int) -> None:
        """Keep room for a file that is going to lie there; UploadError without any."""
        with self._lock:
            held = [size for sizes in self._sizes.values() for size in sizes]
            wanted_bytes = sum(held) + size_bytes
            if len(held) >= MOST_AT_ONCE or wanted_bytes > MOST_WAITING_BYTES:
                raise UploadError(
                    f"{name}: the server has too many files to read at the moment; "
                    "open it again in a minute"
                )
            if wanted_bytes > shutil.disk_usage(tempfile.gettempdir()).free:
                raise UploadError(
                    f"{name}: the disk of the server has no room for it; open it with: "
                    f"overlap serve {name}"
                )
            self._sizes.setdefault(folder, []).append(size_bytes)

    def give(self, folder: str) -> None:
        """The files of a folder are gone; nothing happens where there were none."""
        with self._lock:
            self._sizes.pop(folder, None)


DISK = Disk()


@dataclass(slots=True)
class Allowance:
    """What a page has sent since it was loaded."""

    files: int = 0
    size_bytes: int = 0

    def take(self, name: str, size_bytes: int) -> None:
        """Count a file that begins to come; UploadError where it is one too many."""
        if self.files >= MOST_FILES:
            raise UploadError(
                f"{name}: the page has taken {MOST_FILES:,} files, its limit; load it "
                "again to open more"
            )
        if self.size_bytes + size_bytes > MOST_PAGE_BYTES:
            raise UploadError(
                f"{name}: the page would have taken more than "
                f"{MOST_PAGE_BYTES / 1e6:,.0f} MB, its limit; load it again to open "
                "more"
            )
        self.files += 1
        self.size_bytes += size_bytes
