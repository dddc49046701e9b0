"""Events that don't decode together: one by one, mended, or counted as lost.

Either the event is damaged, or the separators around it weren't between two events
but inside one (a list of objects in its arguments, braces in a name). Both are tried;
nothing is guessed that isn't JSON in the end.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from overlap_widget.model.traces.repair import NOT_UTF8, Event, decoded, mended

LOST = "lost"

Span = tuple[int, int]

_BETWEEN = b" ,\t\r\n\x00"
_LARGEST_BYTES = 1 << 20  # a broken event this large isn't worth the search
_NEIGHBOURS = 4
_END_OF_LIST = re.compile(r"\}(?=[\s\x00]*,?[\s\x00]*\])")
_SEAM = re.compile(rb"(?<=\})[\s\x00]*,?[\s\x00]*(?=\{)")


def together(piece: bytes, spans: Sequence[Span]) -> list[Event]:
    """Decode all spans of a piece at once; raises ValueError if any doesn't decode."""
    texts = [piece[start:end].strip(_BETWEEN) for start, end in spans]
    values = decoded(f"[{b','.join(filter(None, texts)).decode()}]")
    return [value for value in values if isinstance(value, dict)]


def one_by_one(
    piece: bytes,
    spans: Sequence[Span],
    separator: bytes,
    mark: re.Pattern[bytes],
    damage: Counter[str],
) -> list[Event]:
    """Decode the spans apart, and save what can be saved of those that don't."""
    kept: list[tuple[int, list[Event]]] = []
    done = 0
    for start, end in spans:
        if start < done:
            continue  # part of the event before, as it turned out
        saved = _saved(piece, (start, end), separator, damage)
        if saved is None:
            events = _parts(piece[start:end], damage)
            wanted = len(mark.findall(piece, start, end)) or 1
            damage[LOST] += max(wanted - len(events), 0)
            saved = (start, end), events
        (begin, done), events = saved
        while kept and kept[-1][0] >= begin:
            kept.pop()
        kept.append((begin, events))
    return [event for _, events in kept for event in events]


def mended_event(text: str, damage: Counter[str]) -> list[Event] | None:
    """The events of a text once it is mended, None if it can't be."""
    if len(text) > _LARGEST_BYTES:
        return None
    better, changes = mended(text)
    try:
        values = decoded(f"[{better}]")
    except ValueError:
        return None
    damage.update(changes)
    return [value for value in values if isinstance(value, dict)]


def ends_of_list(text: str) -> Iterator[int]:
    """Where the last event of the list may end: each place where a bracket follows."""
    return (found.end() for found in _END_OF_LIST.finditer(text))


def text_of(raw: bytes, damage: Counter[str]) -> str:
    """The text without what separates events; counts bytes that aren't UTF-8."""
    raw = raw.strip(_BETWEEN)
    try:
        return raw.decode()
    except UnicodeDecodeError:
        damage[NOT_UTF8] += 1
        return raw.decode(errors="replace")


def _saved(
    piece: bytes, span: Span, separator: bytes, damage: Counter[str]
) -> tuple[Span, list[Event]] | None:
    try:
        return span, together(piece, [span])
    except ValueError:
        pass
    text = text_of(piece[slice(*span)], damage)
    events = mended_event(text, damage)
    if events is None:
        events = _before_end_of_list(text, damage)
    if events is not None:
        return span, events
    return _wider(piece, span, separator)


def _before_end_of_list(text: str, damage: Counter[str]) -> list[Event] | None:
    """The last event, where the document goes on behind the list."""
    for end in ends_of_list(text):
        events = mended_event(text[:end], damage)
        if events is not None:
            return events
    return None


def _wider(
    piece: bytes, span: Span, separator: bytes
) -> tuple[Span, list[Event]] | None:
    """The smallest span around this one that decodes."""
    starts, ends = [span[0]], [span[1]]
    for _ in range(_NEIGHBOURS):
        before = piece.rfind(separator, 0, max(starts[-1] - 1, 0))
        starts.append(before + len(separator) - 1 if before >= 0 else 0)
        after = piece.find(separator, ends[-1])
        close = separator.index(b"}") + 1
        ends.append(after + close if after >= 0 else len(piece))
    for start, end in sorted(
        set(product(starts, ends)), key=lambda pair: pair[1] - pair[0]
    ):
        if end - start > _LARGEST_BYTES:
            return None
        try:
            return (start, end), together(piece, [(start, end)])
        except ValueError:
            continue
    return None


def _parts(raw: bytes, damage: Counter[str]) -> list[Event]:
    """The events of a text that is broken only in part."""
    if len(raw) > _LARGEST_BYTES:
        return []
    parts = (mended_event(text_of(part, damage), damage) for part in _SEAM.split(raw))
    return [event for events in parts if events for event in events]
