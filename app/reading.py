"""Reading recordings: at once by path, or beside the server's own thread."""

import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer

from overlap_widget.app.leftovers import PREFIX
from overlap_widget.app.read_process import FOUND, NAMED, Read, read_all, read_found
from overlap_widget.app.showable import checked
from overlap_widget.app.stoppable import Reading, StoppedError
from overlap_widget.app.trace_paths import files_at
from overlap_widget.app.upload import MOST_BYTES
from overlap_widget.app.upload_limits import MOST_READ_S
from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import TraceError, load_all
from overlap_widget.model.traces.archives import ZIP
from overlap_widget.model.traces.errors import TooLargeError
from overlap_widget.model.traces.nsys_sqlite_database import MAGIC
from overlap_widget.model.traces.starts import head_of

Trace = Recording | str | Path
LARGE_BYTES = 4 * 10**6
"""On disk: from it on a process of its own is worth its start."""
MOST_HERE_BYTES = 20 * 10**6
"""Unpacked: what holds more isn't read by the server itself, small as it is packed."""
MOST_OUTCOME_BYTES = 10**9
"""Of what a process has read: more would fill the memory of the server."""
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


def read(reading: Reading) -> Read:
    """The recordings in a received file under its own name, or why there are none.

    StoppedError if that is asked for meanwhile.
    """
    upload = reading.upload
    clock = Timer(MOST_READ_S, reading.time_out)
    clock.daemon = True  # a server that ends waits for no file
    clock.start()
    try:
        found = _read(reading)
        if not isinstance(found, TraceError):
            checked(upload.name, found)
    except StoppedError:
        raise
    except TraceError as error:
        found = error
    except Exception as error:  # the reader must hear of a fault of ours as well
        found = TraceError(
            f"{upload.name}: something failed while reading it "
            f"({type(error).__name__}: {error}); what was open stays open"
        )
    finally:
        clock.cancel()
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
    if not _is_small(paths):
        found = _read_apart(reading, paths)
        return _read_here(reading, paths, MOST_BYTES) if found is None else found
    try:
        return _read_here(reading, paths, min(MOST_HERE_BYTES, MOST_BYTES))
    except TooLargeError as error:
        found = _read_apart(reading, paths)
        return error if found is None else found


def _is_small(paths: Sequence[str]) -> bool:
    """Whether the server itself reads them: few bytes, of which none can grow much.

    Archives and databases may hold what takes any time and memory: a process that
    reads them can be ended.
    """
    if sum(Path(path).stat().st_size for path in paths) >= LARGE_BYTES:
        return False
    try:
        return not any(head_of(path).startswith((*ZIP, MAGIC)) for path in paths)
    except TraceError:
        return True


def _read_here(reading: Reading, paths: Sequence[str], limit_bytes: int) -> Read:
    read_them = read_found if reading.upload.is_found else read_all
    found = read_them(paths, limit_bytes, reading.hear)
    if isinstance(found, TooLargeError) and limit_bytes < MOST_BYTES:
        raise found
    return found


def _read_apart(reading: Reading, paths: Sequence[str]) -> Read | None:
    """By a process of its own; None where none can run here.

    What it read lies in a folder that no file of a page is in: a file of that name
    would be taken for the outcome, and opening one can run anything.
    """
    with TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder:
        outcome = Path(folder) / OUTCOME
        kind = FOUND if reading.upload.is_found else NAMED
        arguments = [str(outcome), str(MOST_BYTES), kind, *paths]
        ended = _ended(reading, arguments)
        reading.go_on()
        return _outcome(outcome, reading.upload.name, ended)


def _ended(reading: Reading, arguments: Sequence[str]) -> int | None:
    """How the process ended; None where it never ran."""
    module = "overlap_widget.app.read_process"
    try:
        process = subprocess.Popen(  # noqa: S603  our own module, by arguments alone
            [sys.executable, "-m", module, *arguments],
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
    return process.returncode if has_run else None


def _outcome(outcome: Path, name: str, ended: int | None) -> Read | None:
    if outcome.exists():
        if outcome.stat().st_size > MOST_OUTCOME_BYTES:
            return TraceError(
                f"{name}: holds more than a page can show; open it with: "
                f"overlap measure {name}"
            )
        found: Read = pickle.loads(outcome.read_bytes())  # noqa: S301  of our process
        return found
    if ended is not None:
        raise TraceError(
            f"{name}: the process that read it ended with {ended}; if memory ran out, "
            f"try: overlap measure {name}"
        )
    return None


def _follow(reading: Reading, process: subprocess.Popen[str]) -> bool:
    """Hear of its lines until it ends; whether it printed any. It ends in any case."""
    has_run = False
    try:
        for line in process.stdout or ():
            has_run = True
            reading.hear(float(line))
    finally:
        if reading.is_cancelled.is_set() or reading.is_late.is_set():
            process.kill()
    return has_run
