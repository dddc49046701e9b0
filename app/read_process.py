"""A process of its own that reads traces, so that the server goes on answering.

    python -m overlap_widget.app.read_process OUTCOME LIMIT PATH ...

Each line that it writes is how far it is, 0 to 1; the first one says that it runs. What
it read, or why it couldn't, is pickled into OUTCOME. It ends when nobody reads its
lines any more.
"""

import pickle
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import Options, TraceError, load_all

Read = tuple[Recording, ...] | TraceError


def read_all(
    paths: Sequence[str], limit_bytes: int | None, tell: Callable[[float], None]
) -> Read:
    """The recordings of several files, or why one of them can't be read.

    `tell` hears the share of all that was read; what it raises ends the reading.
    """
    recordings: list[Recording] = []
    for at, path in enumerate(paths):

        def progress(share: float, before: int = at) -> None:
            tell((before + share) / len(paths))

        try:
            recordings += load_all(path, None, Options(progress, limit_bytes))
        except TraceError as error:
            return error
    return tuple(recordings)


def main(arguments: Sequence[str]) -> int:
    """Read, and tell of it."""
    outcome, limit_bytes, *paths = arguments
    _write(0.0)
    read = read_all(paths, int(limit_bytes), _write)
    part = Path(f"{outcome}.part")
    part.write_bytes(pickle.dumps(read, pickle.HIGHEST_PROTOCOL))
    part.replace(outcome)
    return 0


def _write(share: float) -> None:
    sys.stdout.write(f"{share:.4f}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
