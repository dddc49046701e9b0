"""Reading recordings: at once by path, or beside the server's own thread."""

import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event

from overlap_widget.app.read_process import Read, read_all
from overlap_widget.app.trace_paths import files_at
from overlap_widget.app.upload import MOST_BYTES, Upload
from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import TraceError, load_all

Trace = Recording | str | Path
LARGE_BYTES = 4 * 10**6
"""On disk: from it on a process of its own is worth its start."""
OUTCOME = "outcome.pickle"


def loaded(recordings: Trace | Sequence[Trace] | None) -> list[Recording]:
    """Recordings as they are, and those of files and folders, one a process.

    TraceError for a file that isn't one, TypeError for what is no file either.
    """
    if isinstance(recordings, Recording | str | Path):
        recordings = [recordings]
    found: list[Recording] = []
    for one in recordings or ():
        if isinstance(one, Recording):
            found.append(one)
        else:
            files = files_at(_path(one))
            if files.failures:
                raise files.failures[0]
            for path in files.paths:
                found += load_all(path)
    return found


def _path(trace: object) -> str:
    if not isinstance(trace, str | Path):
        raise TypeError(f"a trace is a path or a Recording, and {trace!r} is neither")
    return str(trace)


class StoppedError(Exception):
    """Whoever asked for a file doesn't want it any more."""


@dataclass(slots=True, eq=False)
class Reading:
    """The reading of a received file, which may be ended from another thread."""

    upload: Upload
    tell: Callable[[float], None]
    is_cancelled: Event = field(default_factory=Event)
    process: subprocess.Popen[str] | None = None

    def cancel(self) -> None:
        """End it soon."""
        self.is_cancelled.set()
        if self.process is not None:
            self.process.kill()

    def hear(self, share: float) -> None:
        """How far it is; raises StoppedError where it should end."""
        if self.is_cancelled.is_set():
            raise StoppedError
        self.tell(share)


def read(reading: Reading) -> Read:
    """The recordings in a received file under its own name, or why there are none.

    StoppedError if that is asked for meanwhile.
    """
    upload = reading.upload
    try:
        found = _read(reading)
    except StoppedError:
        raise
    except TraceError as error:
        found = error
    except Exception as error:  # the reader must hear of a fault of ours as well
        found = TraceError(
            f"{upload.name}: something failed while reading it "
            f"({type(error).__name__}: {error}); what was open stays open"
        )
    if reading.is_cancelled.is_set():
        raise StoppedError
    return _named(found, upload.names)


def _named(found: Read, names: dict[str, str]) -> Read:
    """Under the names that the page knows, without the paths of this machine."""
    if isinstance(found, TraceError):
        return TraceError(_renamed(str(found), names))
    return tuple(
        replace(
            one,
            path=_renamed(one.path, names),  # of an archive it goes on with its member
            warnings=tuple(_renamed(said, names) for said in one.warnings),
            spans=replace(one.spans),
        )
        for one in found  # made anew: what comes from a process isn't frozen
    )


def _renamed(text: str, names: dict[str, str]) -> str:
    """With the names of the page for its paths, and for the folder the first name."""
    for path in sorted(names, key=len, reverse=True):
        text = text.replace(path, names[path])
    for folder in {str(Path(path).parent) for path in names}:
        text = text.replace(folder, next(iter(names.values())))
    return text


def _read(reading: Reading) -> Read:
    upload = reading.upload
    paths = [str(upload.path)]
    if len(upload.names) > 1:
        paths = list(files_at(upload.folder.name).paths)
    if sum(Path(path).stat().st_size for path in paths) >= LARGE_BYTES:
        found = _read_apart(reading, paths)
        if found is not None:
            return found
    return read_all(paths, MOST_BYTES, reading.hear)


def _read_apart(reading: Reading, paths: Sequence[str]) -> Read | None:
    """By a process of its own; None where none can run here."""
    outcome = Path(reading.upload.folder.name) / OUTCOME
    module = "overlap_widget.app.read_process"
    command = [sys.executable, "-m", module, str(outcome), str(MOST_BYTES), *paths]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    except (OSError, ValueError):  # a machine without processes, or without Python
        return None
    with process:
        reading.process = process
        has_run = _follow(reading, process)
    if reading.is_cancelled.is_set():
        raise StoppedError
    if outcome.exists():
        found: Read = pickle.loads(outcome.read_bytes())
        return found
    if has_run:
        raise TraceError(
            f"{reading.upload.name}: the process that read it ended with "
            f"{process.returncode}; if memory ran out, try: overlap measure "
            f"{reading.upload.name}"
        )
    return None


def _follow(reading: Reading, process: subprocess.Popen[str]) -> bool:
    """Hear of its lines until it ends; whether it printed any. It ends in any case."""
    has_run = False
    assert process.stdout is not None
    try:
        for line in process.stdout:
            has_run = True
            reading.hear(float(line))
    finally:
        if reading.is_cancelled.is_set():
            process.kill()
    return has_run
