"""A process of its own that reads traces, so that the server goes on answering.

    python -m overlap_widget.app.read_process OUTCOME LIMIT found|named PATH ...

Of files that were found in a folder those that are no traces are left out. Each line
that it writes is how far it is, 0 to 1; the first one says that it runs. What it read,
or why it couldn't, is pickled into OUTCOME. It ends when nobody reads its lines any
more.
"""

import pickle
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import Options, TraceError, load_all
from overlap_widget.model.traces.recognise import starts_as_trace

Read = tuple[Recording, ...] | TraceError
FOUND, NAMED = "found", "named"
MOST_MEMORY_BYTES = 8 << 30
"""Of addresses, of which a process has more than it uses."""

resource: Any = import_module("resource") if find_spec("resource") else None
"""What limits a process; Windows has none."""


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


def read_found(
    paths: Sequence[str], limit_bytes: int | None, tell: Callable[[float], None]
) -> Read:
    """As `read_all`, but nothing where none of them starts as a trace."""
    if not any(map(starts_as_trace, paths)):
        return ()
    return read_all(paths, limit_bytes, tell)


def main(arguments: Sequence[str]) -> int:
    """Read, and tell of it."""
    outcome, limit_bytes, kind, *paths = arguments
    _write(0.0)
    _limit_memory()
    read_them = read_found if kind == FOUND else read_all
    try:
        read = read_them(paths, int(limit_bytes), _write)
    except BrokenPipeError:  # nobody waits for it any more
        return 1
    except MemoryError:
        read = TraceError(
            f"{paths[0]}: takes more memory than a page may use; open it with: "
            f"overlap measure {paths[0]}"
        )
    except Exception as error:  # a fault of ours as well: the page must hear of it
        read = TraceError(
            f"{paths[0]}: something failed while reading it "
            f"({type(error).__name__}: {error}); what was open stays open"
        )
    part = Path(f"{outcome}.part")
    part.write_bytes(pickle.dumps(read, pickle.HIGHEST_PROTOCOL))
    part.replace(outcome)
    return 0


def _limit_memory() -> None:
    """Fail before the machine does, where the system can count."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))


def _write(share: float) -> None:
    sys.stdout.write(f"{share:.4f}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
