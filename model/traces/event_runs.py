"""The text of a list of events, cut between two of them, whatever its layout.

A separator can also stand inside an event; who decodes a run must expect that.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from overlap_widget.model.traces.errors import TraceError

RUN_BYTES = 1 << 17
"""About as much text is read at once: little enough to stay in a core's cache."""
HELD_BYTES = 64 << 20
"""The most text that is held while looking for the next event."""
OPENING = re.compile(rb'"traceEvents"[\s\x00]*:[\s\x00]*\[')
SEPARATOR = re.compile(rb"[\s\x00]*\}[\s\x00]*,[\s\x00]*\{")

_NEXT_EVENT = re.compile(
    rb'\}([\s\x00]*,[\s\x00]*)\{(?=[\s\x00]*"(?:ph|cat|name|pid|tid|ts|dur|id|args)")'
)
_SEAMS = (_NEXT_EVENT, SEPARATOR)
_LONG_BYTES = 4 << 20  # a run that grew so long may end at any separator
_EVENT_BYTES = 512  # few events are longer than some of these


class Run(NamedTuple):
    """Text of whole events, with what separates them.

    rest: None, or what follows the last seam of the list: its last event and its end
    """

    text: bytes
    rest: bytes | None = None


def runs(path: str, body: Iterator[bytes]) -> Iterator[Run]:
    """The text cut between events; raises TraceError if no event ends in much text."""
    held, held_bytes, passed, enough = [b""], 0, 0, RUN_BYTES
    for piece in body:
        held.append(piece)
        held_bytes += len(piece)
        if held_bytes < enough:
            continue
        text = b"".join(held)
        cut = _last_seam(text, _SEAMS if len(text) > _LONG_BYTES else _SEAMS[:1])
        if cut:
            yield Run(text[:cut])
            text, passed, enough = text[cut:], passed + cut, RUN_BYTES
        elif len(text) > HELD_BYTES:
            raise TraceError(
                f"{path}: is damaged: no event ends in the {HELD_BYTES >> 20} MB after "
                f"byte {passed} of its list of events"
            )
        else:
            enough = 2 * len(text)  # or the search takes more and more time
        held, held_bytes = [text], len(text)
    yield _last_run(b"".join(held))


def lists_in(run: Run) -> list[Run]:
    """The run, or what it holds of each list if another one opens in it."""
    *closed, last = OPENING.split(run.text + (run.rest or b""))
    if not closed:
        return [run]
    opened = Run(last) if run.rest is None else _last_run(last)
    return [*map(_last_run, closed), opened]


def _last_run(text: bytes) -> Run:
    cut = _last_seam(text, _SEAMS[:1])
    return Run(text[:cut], text[cut:])


def _last_seam(text: bytes, patterns: Iterable[re.Pattern[bytes]]) -> int:
    """Just behind the last event that another one follows; 0 if there is none."""
    for pattern in patterns:
        start = len(text)
        while start > 0:
            start = max(len(text) - 8 * (len(text) - start + _EVENT_BYTES), 0)
            found = list(pattern.finditer(text, start))
            if found:
                return text.index(b"}", found[-1].start()) + 1
    return 0
