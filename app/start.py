"""How a session starts: what its address asks for, of the recordings that are open."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from overlap_widget.app.address import read_address
from overlap_widget.app.measured import Measured, all_opened
from overlap_widget.app.settings import Notice, Settings
from overlap_widget.app.what_if import beginning
from overlap_widget.model.recording import Recording


@dataclass(frozen=True)
class Start:
    """Settings, recordings and what must be said, before the first move."""

    settings: Settings
    measured: Measured
    notices: tuple[Notice, ...]


def start(query: str, recordings: Sequence[Recording] = ()) -> Start:
    """What an address asks for; recordings are shown unless it names a mode."""
    measured = all_opened(recordings)
    begun = beginning(query, measured.recordings)
    settings, notices = read_address(query, begun)
    if measured.recordings and "mode=" not in query:
        settings = replace(settings, mode="measured")
    return Start(settings, measured, notices)
