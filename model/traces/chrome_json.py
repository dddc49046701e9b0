"""Events of a Chrome trace, streamed: wanted ones decoded, the rest never looked at.

Read are both forms, `{"traceEvents": [...]}` and a bare list, in any layout. The text
passes in pieces of a few MB, cut between two events. In a piece, each mark of a wanted
event leads to the separators around it, and the events so found are decoded together.

A separator can also stand inside an event, and an event can be damaged. So whatever
doesn't decode goes to `rescue`; what can't be saved is counted.
Damage in events that nobody wants costs nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.list_end import last_events
from overlap_widget.model.traces.repair import Event, decoded
from overlap_widget.model.traces.rescue import Span, apart, together
from overlap_widget.model.traces.typed_events import E, Typed

RUN_BYTES = 1 << 17
"""About as much text is read at once: little enough to stay in a core's cache."""
HELD_BYTES = 64 << 20
"""The most text that is held while looking for the next event."""

_OPENING = re.compile(rb'"traceEvents"[\s\x00]*:[\s\x00]*\[')
_SEPARATOR = re.compile(rb"[\s\x00]*\}[\s\x00]*,[\s\x00]*\{")
_NEXT_EVENT = re.compile(
    rb'\}([\s\x00]*,[\s\x00]*)\{(?=[\s\x00]*"(?:ph|cat|name|pid|tid|ts|dur|id|args)")'
)
_SEAMS = (_NEXT_EVENT, _SEPARATOR)
_LONG_BYTES = 4 << 20  # a run that grew so long may end at any separator
_LIST = re.compile(rb"\[")
_NOTED = (b'"distributedInfo"', b'"baseTime')
_NOTES_BYTES = 1 << 20
_LEARN_BYTES = 64 << 10
_EVENT_BYTES = 512  # few events are longer than some of these


@dataclass(frozen=True, slots=True)
class Wanted:
    """Marks of the events to decode.

    pattern:   marks most of them
    texts:     mark others, since a plain text is faster to find
    until_met: texts that matter only as long as nothing else was met
    """

    pattern: re.Pattern[bytes]
    texts: tuple[bytes, ...] = ()
    until_met: tuple[bytes, ...] = ()

    def marks(self, piece: bytes, met: bool) -> list[Span]:
        """Where the marks start and end, in order."""
        found = [mark.span() for mark in self.pattern.finditer(piece)]
        for text in self.texts if met else self.texts + self.until_met:
            at = piece.find(text)
            while at >= 0:
                found.append((at, at + len(text)))
                at = piece.find(text, at + len(text))
        return sorted(found)


@dataclass(slots=True)
class Reading:
    """What a pass over a file finds beside its events; filled on the way.

    head:   the text before the events
    notes:  pieces of text that tell of the process, wherever they stood
    met:    whether any mark was found
    damage: how often what was wrong
    """

    head: bytes = b""
    notes: list[bytes] = field(default_factory=list)
    met: bool = False
    damage: Counter[str] = field(default_factory=Counter)


def events(
    path: str, pieces: Iterable[bytes], wanted: Wanted, reading: Reading
) -> Iterator[list[Event]]:
    """The wanted events in batches, with some unwanted ones among them.

    Raises TraceError when the text is no Chrome trace.
    """
    for run, rest in _runs(path, _body(path, iter(pieces), reading)):
        _note(run, reading)
        yield _decoded(run, wanted, reading)
        if rest is not None:
            _note(rest, reading)
            yield last_events(rest, wanted.pattern, reading.damage)


def typed_events(
    path: str,
    pieces: Iterable[bytes],
    wanted: Wanted,
    typed: Typed[E],
    reading: Reading,
) -> Iterator[list[E]]:
    """As `events`, but of a type of their own, which takes much less time."""
    for run, rest in _runs(path, _body(path, iter(pieces), reading)):
        found = typed.decoded(run)
        if found is None:
            _note(run, reading)
            found = [*map(typed.of_dict, _decoded(run, wanted, reading))]
        reading.met |= bool(found)
        yield found
        if rest is not None:
            _note(rest, reading)
            last = last_events(rest, wanted.pattern, reading.damage)
            yield [*map(typed.of_dict, last)]


def _body(path: str, pieces: Iterator[bytes], reading: Reading) -> Iterator[bytes]:
    """What comes after the bracket that opens the list of events."""
    head = b""
    for piece in pieces:
        head += piece
        opening = _OPENING.search(head) if head.startswith(b"{") else _LIST.match(head)
        if opening:
            reading.head = head[: opening.start()]
            yield head[opening.end() :]
            yield from pieces
            return
        if len(head) > HELD_BYTES:
            break
    raise TraceError(f"{path}: {_no_trace(head)}")


def _no_trace(head: bytes) -> str:
    try:
        decoded(head.decode())
    except ValueError:
        return "breaks off or is damaged before its list of events (traceEvents)"
    return "is JSON, but not a trace: it has no list of events (traceEvents)"


def _runs(path: str, body: Iterator[bytes]) -> Iterator[tuple[bytes, bytes | None]]:
    """The text cut between events; beside the last run what follows its last seam."""
    held, held_bytes, passed, enough = [b""], 0, 0, RUN_BYTES
    for piece in body:
        held.append(piece)
        held_bytes += len(piece)
        if held_bytes < enough:
            continue
        text = b"".join(held)
        cut = _last_seam(text, _SEAMS if len(text) > _LONG_BYTES else _SEAMS[:1])
        if cut:
            yield text[:cut], None
            text, passed, enough = text[cut:], passed + cut, RUN_BYTES
        elif len(text) > HELD_BYTES:
            raise TraceError(
                f"{path}: is damaged: no event ends in the {HELD_BYTES >> 20} MB after "
                f"byte {passed} of its list of events"
            )
        else:
            enough = 2 * len(text)  # or the search takes more and more time
        held, held_bytes = [text], len(text)
    text = b"".join(held)
    cut = _last_seam(text, _SEAMS[:1])
    yield text[:cut], text[cut:]


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


def _note(text: bytes, reading: Reading) -> None:
    """Keep what tells rank and clock, which may stand behind the events."""
    if reading.notes and len(reading.notes[-1]) < _NOTES_BYTES:
        reading.notes[-1] += text[:_NOTES_BYTES]
    for key in _NOTED:
        at = text.find(key)
        if at >= 0:
            reading.notes.append(text[at : at + _NOTES_BYTES])


def _decoded(run: bytes, wanted: Wanted, reading: Reading) -> list[Event]:
    marks = wanted.marks(run, reading.met)
    if not marks:
        return []
    reading.met = True
    separator = _separator(run)
    spans = _spans(run, marks, separator)
    try:
        return together(run, spans)
    except ValueError:
        return apart(run, spans, wanted.pattern, reading.damage)


def _separator(run: bytes) -> bytes:
    """What stands between two events here: the commonest, with its white space."""
    found = Counter(_SEPARATOR.findall(run[:_LEARN_BYTES]))
    return found.most_common(1)[0][0] if found else b"},{"


def _spans(run: bytes, marks: list[Span], separator: bytes) -> list[Span]:
    """From separator to separator around each mark."""
    behind = separator.index(b"}") + 1
    spans: list[Span] = []
    done = 0
    for mark_start, mark_end in marks:
        if mark_start < done:
            continue
        before = run.rfind(separator, done, mark_start)
        start = before + behind if before >= 0 else done
        after = run.find(separator, mark_end)
        done = after + behind if after >= 0 else len(run)
        spans.append((start, done))
    return spans
