"""One file measured, here or in another process; what travels between them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from overlap_widget.model.classes import Classes
from overlap_widget.model.measured_file import MeasuredFile, measured_file
from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import load_all
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.options import Options, Progress

MOST_LETTERS = 200
"""Of an error that isn't ours: some hold whole protocols."""

Outcome = tuple[MeasuredFile, ...] | TraceError
"""The processes in a file, measured; or why it can't be read."""


@dataclass(frozen=True, slots=True)
class Task:
    """A file to measure, wherever that happens.

    path:  as it was given, for people to read
    place: the same from the root, since another process may stand elsewhere
    """

    path: str
    place: str
    classes: Classes
    limit_bytes: int | None


def outcome(one: Task, progress: Progress | None = None) -> Outcome:
    """The processes in the file, measured, or the sentence that says why not."""
    options = Options(progress=progress, limit_bytes=one.limit_bytes)
    try:
        with failures_named(one.path):
            recordings = load_all(one.place, one.classes, options)
            return tuple(measured_file(_as_given(found, one)) for found in recordings)
    except TraceError as error:
        return TraceError(_named(str(error), one))


@contextmanager
def failures_named(path: str) -> Iterator[None]:
    """Make a sentence on a file of what the machine fails at while that is read."""
    try:
        yield
    except BrokenPipeError:  # of who hears the progress, and no matter of the file
        raise
    except OSError as error:  # as where a file is gone while it is read
        raise TraceError(
            f"{path}: can't be read ({error.strerror or error}); try again"
        ) from None
    except MemoryError:
        raise TraceError(
            f"{path}: there isn't enough memory to read it; record fewer steps"
        ) from None


def outcome_elsewhere(one: Task, progress: Progress | None = None) -> Outcome:
    """As `outcome`; here every failure is a value, since not all of them travel."""
    try:
        return outcome(one, progress)
    except Exception as error:
        return TraceError(
            f"{one.path}: reading it failed ({_words(error)}); please report this"
        )


def lost(one: Task, error: Exception) -> TraceError:
    """The sentence for a file whose process ended before it was read, twice."""
    return TraceError(
        f"{one.path}: the process that read it ended early, twice ({_words(error)}); "
        "see whether its machine has enough memory"
    )


def unread(one: Task) -> TraceError:
    """The sentence for a file that nobody is left to read."""
    return TraceError(
        f"{one.path}: wasn't read, since what should have read it has stopped; start "
        "that anew, or read the file on this machine"
    )


def _words(error: Exception) -> str:
    said = f"{type(error).__name__}: {error}"
    return " ".join(said.split())[:MOST_LETTERS].rstrip(": ")


def _as_given(found: Recording, one: Task) -> Recording:
    """With the path that the user knows, also inside an archive."""
    return replace(
        found,
        path=_named(found.path, one),
        warnings=tuple(_named(warning, one) for warning in found.warnings),
    )


def _named(text: str, one: Task) -> str:
    """A path, or a sentence that begins with one."""
    if text.startswith(one.place):
        return one.path + text.removeprefix(one.place)
    return text
