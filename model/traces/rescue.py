"""Events that don't decode together: one by one, mended, or counted as lost.

Either an event is damaged, or a separator stood inside one (a list of objects in its
arguments, braces in its name). The first is tried on the event alone; for the second
the text is read event by event, which needs no separators but takes longer.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from overlap_widget.model.traces.repair import (
    NOT_UTF8,
    Event,
    decoded,
    decoded_at,
    mended,
)

LOST = "lost"

Span = tuple[int, int]

_BETWEEN = b" ,\t\r\n\x00"
_GAP = re.compile(r"[\s,\x00]*")
_LARGEST = 1 << 20  # a broken event this large isn't worth the search
_TRIES = 6
_SEAM = re.compile(
    r'\}(?=[\s\x00]*,?[\s\x00]*\{[\s\x00]*"(?:ph|cat|name|pid|tid|ts|dur|id|args)")'
)
_END_OF_LIST = re.compile(r"\}(?=[\s\x00]*,?[\s\x00]*\])")


def together(run: bytes, spans: Sequence[Span]) -> list[Event]:
    """Decode all spans of a run at once; raises ValueError if any doesn't decode.

    A 0 between them proves that two broken spans don't make one whole object.
    """
    texts = [run[start:end].strip(_BETWEEN) for start, end in spans]
    values = decoded(f"[{b',0,'.join(texts).decode()}]")
    events = [value for value in values if isinstance(value, dict)]
    if len(values) - len(events) != len(texts) - 1:
        raise ValueError("separators inside an event")
    return events


def apart(
    run: bytes, spans: Sequence[Span], mark: re.Pattern[bytes], damage: Counter[str]
) -> list[Event]:
    """The events of the spans, mended where they must be; else those of the run."""
    events: list[Event] = []
    found: Counter[str] = Counter()
    for span in spans:
        try:
            events += together(run, [span])
        except ValueError:
            saved = _mended_events(text_of(run[slice(*span)], found), found)
            if saved is None:
                events, rest = scanned(text_of(run, damage), mark, damage)
                damage[LOST] += _marks(mark, rest)
                return events
            events += saved
    damage.update(found)
    return events


def mended_event(raw: bytes, damage: Counter[str]) -> Event | None:
    """The one event that a text is, mended where it must be; None if it isn't one."""
    found: Counter[str] = Counter()
    try:
        events = together(raw, [(0, len(raw))])
    except ValueError:
        events = _mended_events(text_of(raw, found), found) or []
    if len(events) != 1:
        return None
    damage.update(found)
    return events[0]


def scanned(
    text: str, mark: re.Pattern[bytes], damage: Counter[str]
) -> tuple[list[Event], str]:
    """The events from the start of the text on, and what no event could be made of.

    The rest starts with the bracket that closes the list, is empty where the text
    ends between two events, or is an event that goes on behind the text.
    """
    events: list[Event] = []
    at = 0
    while True:
        gap = _GAP.match(text, at)
        at = gap.end() if gap else at
        if at == len(text) or text[at] == "]":
            return events, text[at:]
        try:
            value, at = decoded_at(text, at)
        except ValueError:
            saved, end = _saved(text, at, mark, damage)
            if end is None:
                return events, text[at:]
            events += saved
            at = end
            continue
        if isinstance(value, dict):
            events.append(value)


def text_of(raw: bytes, damage: Counter[str]) -> str:
    """The text without what separates events; counts bytes that aren't UTF-8."""
    raw = raw.strip(_BETWEEN)
    try:
        return raw.decode()
    except UnicodeDecodeError:
        damage[NOT_UTF8] += 1
        return raw.decode(errors="replace")


def _saved(
    text: str, at: int, mark: re.Pattern[bytes], damage: Counter[str]
) -> tuple[list[Event], int | None]:
    """A broken event that starts here, and where to go on; None if it has no end.

    Damage counts only if somebody wants the event.
    """
    ends = [*islice(_ends(text, at), _TRIES)]
    for end in ends:
        found: Counter[str] = Counter()
        events = _mended_events(text[at:end], found)
        if events is not None:
            if _marks(mark, text[at:end]):
                damage.update(found)
            return events, end
    if not ends or (not _SEAM.search(text, at) and not text.endswith(("]", "}"))):
        return [], None
    damage[LOST] += _marks(mark, text[at : ends[0]])
    return [], ends[0]


def _ends(text: str, at: int) -> Iterator[int]:
    """Where the event may end: where another follows, then where the list may end."""
    for pattern in (_SEAM, _END_OF_LIST):
        for found in pattern.finditer(text, at, at + _LARGEST):
            yield found.end()


def _mended_events(text: str, damage: Counter[str]) -> list[Event] | None:
    if len(text) > _LARGEST:
        return None
    better, changes = mended(text)
    try:
        values = decoded(f"[{better}]")
    except ValueError:
        return None
    damage.update(changes)
    return [value for value in values if isinstance(value, dict)]


def _marks(mark: re.Pattern[bytes], text: str) -> int:
    return len(mark.findall(text.encode(errors="replace")))
