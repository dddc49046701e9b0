"""Reading recordings: at once by path, or beside the server's own thread."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from bokeh.document import Document

from overlap_widget.app.upload import Upload
from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import TraceError, load

Trace = Recording | str | Path
Take = Callable[[Recording | TraceError], None]
READERS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="read-trace")


def loaded(recordings: Trace | Sequence[Trace] | None) -> list[Recording]:
    """Recordings as they are, and those of files.

    TraceError for a file that isn't one, TypeError for what is no file either.
    """
    if isinstance(recordings, Recording | str | Path):
        recordings = [recordings]
    several = recordings or ()
    return [one if isinstance(one, Recording) else load(_path(one)) for one in several]


def _path(trace: object) -> str:
    if not isinstance(trace, str | Path):
        raise TypeError(f"a trace is a path or a Recording, and {trace!r} is neither")
    return str(trace)


def read_beside(upload: Upload, take: Take, document: Document | None) -> Future[None]:
    """Begin to read a received file; `take` gets a recording or why there is none.

    It is called in the turn of the document's session.
    """

    def read_then_take() -> None:
        found = _read(upload)
        _soon(document, lambda: take(found))

    return READERS.submit(read_then_take)


def _read(upload: Upload) -> Recording | TraceError:
    """The recording in a received file under its own name, or why there is none."""
    try:
        recording = load(str(upload.path))
    except TraceError as error:
        return TraceError(str(error).replace(str(upload.path), upload.name))
    except Exception as error:  # the reader must hear of a fault of ours as well
        return TraceError(
            f"{upload.name}: something failed while reading it "
            f"({type(error).__name__}: {error}); what was open stays open"
        )
    return replace(recording, path=upload.name)


def _soon(document: Document | None, act: Callable[[], None]) -> None:
    """Act in the session's own turn; at once where there is no server."""
    if document is None or document.session_context is None:
        act()
    else:
        document.add_next_tick_callback(act)
