"""Why nothing was found in a file, where that is no matter of what was recorded.

Looked at only after a loader gave up, so that what can be read costs nothing more.
"""

import re
from collections import Counter
from contextlib import suppress

from overlap_widget.model.quoted import quoted
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.event_runs import OPENING
from overlap_widget.model.traces.opening import opened
from overlap_widget.model.traces.sentences import on_early_end
from overlap_widget.model.traces.source import plain_text
from overlap_widget.model.traces.unpacking import limited

_NO_EVENTS = (
    "no GPU work in the file: its list of events is empty; profile some steps on a GPU"
)
_LIST = re.compile(rb"(?:\xef\xbb\xbf)?[\s\x00]*\[")
_FIRST = re.compile(rb"[\s\x00,]*+([^\s\x00,])")
_SHOWN_BYTES = 16


def why_no_events(head: bytes) -> str | None:
    """What stands where the first event of a Chrome trace should; None if one does."""
    opening = _LIST.match(head) or OPENING.search(head)
    first = opening and _FIRST.match(head, opening.end())
    if not first or first[1] == b"{":
        return None
    if first[1] == b"]":
        return _NO_EVENTS
    at = first.start(1)
    shown = quoted(head[at : at + _SHOWN_BYTES].decode(errors="replace"))
    return (
        f"is not a trace: where its first event ({{...}}) should stand, at byte "
        f"{at:,}, there is {shown}; open the file that the profiler wrote"
    )


def gzip_fault(path: str, limit_bytes: int | None) -> str | None:
    """What is wrong with the gzip stream of a file; None if nothing, or it is none."""
    damage: Counter[str] = Counter()
    with suppress(TraceError), opened(path) as file:
        for _ in limited(path, plain_text(path, file, damage), limit_bytes):
            pass
    return on_early_end(damage)
