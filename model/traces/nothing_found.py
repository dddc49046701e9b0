"""Why nothing was found in a file, where that is no matter of what was recorded.

Looked at only after a loader gave up, so that what can be read costs nothing more.
"""

import re
from collections import Counter
from contextlib import suppress

from overlap_widget.model.quoted import quoted
from overlap_widget.model.traces.errors import TooLargeError
from overlap_widget.model.traces.event_runs import OPENING
from overlap_widget.model.traces.neighbours import known_kind, what_it_is
from overlap_widget.model.traces.opening import Progress, opened
from overlap_widget.model.traces.repair import decoded_at
from overlap_widget.model.traces.sentences import on_early_end
from overlap_widget.model.traces.source import plain_text
from overlap_widget.model.traces.starts import (
    BLANK,
    HEAD_BYTES,
    is_packed,
    is_whole,
)
from overlap_widget.model.traces.unpacking import limited

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*(?:"|$)', re.S)
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


def is_broken_json(head: bytes) -> bool:
    """Whether a file begins as JSON and ends, within its start, inside of a bracket.

    Where a whole value has more behind it, as in a log, it is JSON; where all brackets
    close, as in settings with remarks in them, it isn't cut off.
    """
    text = head.lstrip(BLANK)
    if not is_whole(head) or not text.startswith((b"{", b"[")):
        return False
    try:
        decoded_at(text.decode(errors="replace"))
    except ValueError:
        marks = Counter(_STRING.sub(b"", text))
        return sum(marks[mark] for mark in b"{[") > sum(marks[mark] for mark in b"}]")
    return False


def why_unknown(path: str, head: bytes, progress: Progress | None) -> str:
    """What a file is that starts as none that is read, or why it can't be told."""
    return (
        known_kind(path, head) or gzip_fault(path, progress) or what_it_is(path, head)
    )


def gzip_fault(path: str, progress: Progress | None = None) -> str | None:
    """Why a gzip file breaks off before it tells what it is; None if it doesn't.

    What goes on behind the start that is looked at tells what it is, so no more of a
    file is read.
    """
    if not is_packed(path):
        return None
    damage: Counter[str] = Counter()
    with suppress(TooLargeError), opened(path) as file:
        for _ in limited(path, plain_text(path, file, damage, progress), HEAD_BYTES):
            pass
    return on_early_end(damage)
