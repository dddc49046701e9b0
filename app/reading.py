"""Reading received files beside the server's own thread, so that sessions go on."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from bokeh.document import Document

from overlap_widget.app.upload import Upload
from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import load
from overlap_widget.model.traces.errors import TraceError

READERS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="read-trace")


def read_beside(upload: Upload) -> Future[Recording | TraceError]:
    """Begin to read a received file; the result is a recording or why there is none."""
    return READERS.submit(_read, upload)


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


def soon(document: Document | None, act: Callable[[], None]) -> None:
    """Act in the session's own turn; at once where there is no server."""
    if document is None or document.session_context is None:
        act()
    else:
        document.add_next_tick_callback(act)
