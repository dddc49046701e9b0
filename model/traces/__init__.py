"""Files that profilers write, as recordings; one loader per format."""

from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import kineto
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.source import Progress

__all__ = ["TraceError", "load"]


def load(
    path: str, count_peer_copies: bool = False, progress: Progress | None = None
) -> Recording:
    """Read the file of a profiler; raises TraceError, one sentence, when it can't.

    `count_peer_copies` makes communication of copies between GPUs. `progress` hears
    the share of the file that was read, 0 to 1.
    """
    return kineto.load(path, count_peer_copies, progress)
