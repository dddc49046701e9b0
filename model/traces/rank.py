"""The rank of the process that wrote a trace, from its `distributedInfo`."""

import re
from collections.abc import Iterable

from overlap_widget.model.traces.repair import decoded_at

_INFO = re.compile(r'"distributedInfo"\s*:\s*')
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


def _rank_at(text: str, at: int) -> int | None:
    try:
        value, _ = decoded_at(text, at)
    except ValueError:
        found = _RANK.search(text, at, at + 10_000)
        return int(found[1]) if found else None
    rank = value.get("rank") if isinstance(value, dict) else None
    found = re.fullmatch(r"\d{1,9}", str(rank))
    return int(found[0]) if found else None
