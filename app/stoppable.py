"""A reading that may be ended: whoever asked has left, or it takes too long."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event

from overlap_widget.app.upload import Upload
from overlap_widget.app.upload_limits import MOST_READ_S
from overlap_widget.model.traces import TraceError


class StoppedError(Exception):
    """Whoever asked for a file doesn't want it any more."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class Reading:
    """The reading of a received file, which may be ended from another thread.

    is_late: it has taken too long
    """

    upload: Upload
    tell: Callable[[float], None]
    is_cancelled: Event = field(default_factory=Event)
    is_late: Event = field(default_factory=Event)
    process: subprocess.Popen[str] | None = None

    def cancel(self) -> None:
        """End it soon."""
        self._end(self.is_cancelled)

    def time_out(self) -> None:
        """End it soon, since it takes too long."""
        self._end(self.is_late)

    def _end(self, reason: Event) -> None:
        reason.set()
        if self.process is not None:
            self.process.kill()

    def hear(self, share: float) -> None:
        """How far it is; StoppedError or TraceError where it should end."""
        self.go_on()
        self.tell(share)

    def go_on(self) -> None:
        """StoppedError if it was cancelled, TraceError if it takes too long."""
        if self.is_cancelled.is_set():
            raise StoppedError
        if self.is_late.is_set():
            name = self.upload.name
            raise TraceError(
                f"{name}: it takes more than {MOST_READ_S / 60:.0f} minutes to read; "
                f"open it with: overlap serve {name}"
            )
