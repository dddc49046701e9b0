"""How a file is read, whatever its format."""

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Options:
    """What a loader heeds.

    progress:    hears the share of the file that was read, 0 to 1; what it raises
                 ends the reading
    limit_bytes: the most unpacked bytes to read; None for no limit
    """

    progress: Progress | None = None
    limit_bytes: int | None = None
