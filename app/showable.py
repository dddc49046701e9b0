"""What a page can show of a file that it sent, without keeping others waiting.

Every move of a page lists what is open again, in the one thread of the server.
"""

from collections.abc import Sequence

from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import TraceError

MOST_RECORDINGS = 256
"""Of one file: as many as of one choice of files."""
MOST_DEVICES = 256
MOST_STEPS = 5_000
MOST_NAMES = 30_000
MOST_NAME_CHARACTERS = 10_000_000
"""Of one recording; a long run of compiled kernels has a tenth of each."""


def checked(name: str, found: Sequence[Recording]) -> None:
    """Raise TraceError for a file whose recordings hold more than a page can show."""
    counts = [
        (len(found), MOST_RECORDINGS, "processes"),
        *((len(one.devices), MOST_DEVICES, "devices") for one in found),
        *((len(one.steps), MOST_STEPS, "steps") for one in found),
        *((len(one.spans.names), MOST_NAMES, "kernel names") for one in found),
        *((_length(one), MOST_NAME_CHARACTERS, "letters in names") for one in found),
    ]
    for count, most, what in counts:
        if count > most:
            raise TraceError(
                f"{name}: holds {count:,} {what} and the page shows up to {most:,}; "
                f"open it with: overlap measure {name}"
            )


def _length(recording: Recording) -> int:
    return sum(map(len, recording.spans.names))
