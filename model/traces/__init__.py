"""Files that profilers write, as recordings; one loader per format."""

from overlap_widget.model.classes import Classes
from overlap_widget.model.classified import classified
from overlap_widget.model.recording import Recording
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.options import Options, Progress
from overlap_widget.model.traces.recognise import recordings_in

__all__ = ["Options", "TraceError", "load", "load_all"]


def load_all(
    path: str, classes: Classes | None = None, options: Options | None = None
) -> tuple[Recording, ...]:
    """The recordings in the file of a profiler, one a process: at least one.

    The file may be packed with gzip, or be a ZIP archive of several. Raises
    TraceError, one sentence, when it can't be read.
    """
    loaded = recordings_in(path, options or Options())
    return tuple(classified(one, classes or Classes()) for one in loaded)


def load(
    path: str, count_peer_copies: bool = False, progress: Progress | None = None
) -> Recording:
    """The recording in a file that holds one process; see `load_all` for others.

    `count_peer_copies` makes communication of copies between GPUs. `progress` hears
    the share of the file that was read, 0 to 1. Raises TraceError when the file can't
    be read, or holds several processes.
    """
    classes = Classes(count_peer_copies=count_peer_copies)
    found = load_all(path, classes, Options(progress=progress))
    if len(found) > 1:
        raise TraceError(
            f"{path}: holds {len(found)} processes; load_all reads them all"
        )
    return found[0]
