"""What a trace notes beside its events: rank and clock of the process that wrote it."""

import re
from collections.abc import Iterable

from overlap_widget.model.traces.repair import decoded_at

_INFO = re.compile(r'"distributedInfo"\s*:\s*')
_BASE = re.compile(rb'"base_?time_?n(?:s|ano\w*)"\s*:\s*"?(\d{1,19})\b', re.IGNORECASE)
_RANK = re.compile(r'"rank"\s*:\s*"?(\d{1,9})\b')


def rank_in(texts: Iterable[bytes]) -> int | None:
    """The rank, wherever in the file it stood; None if it isn't there.

    An object that is cut or damaged is searched for its "rank" alone.
    """
    for raw in texts:
        text = raw.decode(errors="replace")
        for info in _INFO.finditer(text):
            rank = _rank_at(text, info.end())
            if rank is not None:
                return rank
    return None


def base_ns_in(texts: Iterable[bytes]) -> int:
    """What to add to the times of the file for nanoseconds since 1970; 0 if nothing."""
    found = (_BASE.search(text) for text in texts)
    return next((int(base[1]) for base in found if base), 0)


def _rank_at(text: str, at: int) -> int | None:
    try:
        value, _ = decoded_at(text, at)
    except ValueError:
        found = _RANK.search(text, at, at + 10_000)
        return int(found[1]) if found else None
    rank = value.get("rank") if isinstance(value, dict) else None
    found = re.fullmatch(r"\d{1,9}", str(rank))
    return int(found[0]) if found else None
