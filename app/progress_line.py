"""How far reading has come: one line on a terminal, gone at the end.

Where stderr is no terminal nothing is written at all.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TextIO

BETWEEN_S = 0.1
"""Seconds between two writings, so that the terminal isn't what takes the time."""
FULL = 100


@dataclass
class ProgressLine:
    """The share of all files that is read, and how many are done.

    stream: the terminal; None for no line
    """

    stream: TextIO | None
    files: int
    clock: Callable[[], float] = time.monotonic
    done: int = 0
    share: float = 0.0
    _written: str = ""
    _next_s: float = field(default=0.0)

    def heard(self, share: float) -> None:
        """So much of all files is read, 0 to 1; it never goes back."""
        self.share = max(self.share, share)
        self._show()

    def file_done(self) -> None:
        """One more file is read."""
        self.done += 1
        self._show()

    def clear(self) -> None:
        """Take the line away."""
        if self.stream is not None and self._written:
            self.stream.write(f"\r{' ' * len(self._written)}\r")
            self.stream.flush()
            self._written = ""

    def text(self) -> str:
        """What the line says now."""
        files = f", {self.done} of {self.files} files" if self.files > 1 else ""
        return f"Reading: {int(self.share * FULL)} %{files}"

    def _show(self) -> None:
        now_s = self.clock()
        if self.stream is None or now_s < self._next_s:
            return
        self._next_s = now_s + BETWEEN_S
        text = self.text()
        self.stream.write(f"\r{text.ljust(len(self._written))}")
        self.stream.flush()
        self._written = text


@contextmanager
def progress_line(files: int) -> Iterator[ProgressLine]:
    """The line on stderr while files are read; an interrupt says what was done."""
    stream = sys.stderr
    shown = stream if stream is not None and stream.isatty() else None
    line = ProgressLine(shown, files)
    try:
        yield line
    except KeyboardInterrupt:
        line.clear()
        if shown is not None:
            shown.write("\rStopped while reading; nothing was measured.\n")
        raise
    finally:
        line.clear()
