"""Events of a Chrome trace, streamed: wanted ones decoded, the rest hardly looked at.

Read are both forms, `{"traceEvents": [...]}` and a bare list, in any layout. The text
passes in runs, cut between two events. A run is decoded at once where that is possible,
else event by event; what can't be saved is counted.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.event_runs import (
    HELD_BYTES,
    OPENING,
    Run,
    lists_in,
    runs,
)
from overlap_widget.model.traces.list_end import SEVERAL_LISTS, last_events
from overlap_widget.model.traces.repair import Event, decoded
from overlap_widget.model.traces.sentences import on_early_end
from overlap_widget.model.traces.typed_events import E, Typed
from overlap_widget.model.traces.wanted_events import Wanted, wanted_in

_LIST = re.compile(rb"\[")
_OPENING_BYTES = 1 << 10  # with the white space in it
_NOTED = (b'"distributedInfo"', b'"baseTime')
_NOTES_BYTES = 1 << 20
_BREAKS_OFF = "breaks off or is damaged before its list of events (traceEvents)"
_AGAIN = "copy it again, or record the run again"
_OTHER = "open the file that the profiler wrote"
_MORE_BEHIND, _NO_END = "Extra data", "Unterminated string"  # the decoder's words
_FIRST_COLUMNS = 2  # where these are no JSON, the text was never any


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
    for run in _list_by_list(runs(path, _body(path, iter(pieces), reading)), reading):
        yield _decoded(run, wanted, reading)
        yield _last(run, wanted, reading)


def typed_events(
    path: str,
    pieces: Iterable[bytes],
    wanted: Wanted,
    typed: Typed[E],
    reading: Reading,
) -> Iterator[list[E]]:
    """As `events`, but of a type of their own, which takes much less time."""
    for whole in runs(path, _body(path, iter(pieces), reading)):
        found = typed.decoded(whole.text)
        if found is not None and whole.rest is None:
            reading.met |= bool(found)
            yield found
            continue
        for run in _list_by_list([whole], reading):
            found = typed.decoded(run.text)
            if found is None:
                found = typed.one_by_one(run.text, reading.damage)
            if found is None:
                found = [*map(typed.of_dict, _decoded(run, wanted, reading))]
            reading.met |= bool(found)
            yield found
            yield [*map(typed.of_dict, _last(run, wanted, reading))]


def _list_by_list(found: Iterable[Run], reading: Reading) -> Iterator[Run]:
    """The runs, those apart where another list opens."""
    for whole in found:
        _note(whole.text, reading)
        first, *others = lists_in(whole)
        if others:
            reading.damage[SEVERAL_LISTS] += len(others)
        yield from (first, *others)


def _decoded(run: Run, wanted: Wanted, reading: Reading) -> list[Event]:
    found = wanted_in(run.text, wanted, reading.met, reading.damage)
    reading.met |= bool(found)
    return found


def _last(run: Run, wanted: Wanted, reading: Reading) -> list[Event]:
    if run.rest is None:
        return []
    _note(run.rest, reading)
    return last_events(run.rest, wanted.pattern, reading.damage)


def _body(path: str, pieces: Iterator[bytes], reading: Reading) -> Iterator[bytes]:
    """What comes after the bracket that opens the list of events."""
    head = bytearray()
    for piece in pieces:
        searched = max(len(head) - _OPENING_BYTES, 0)
        head += piece
        is_object = head.startswith(b"{")
        opening = OPENING.search(head, searched) if is_object else _LIST.match(head)
        if opening:
            reading.head = bytes(head[: opening.start()])
            yield bytes(head[opening.end() :])
            yield from pieces
            return
        if len(head) > HELD_BYTES:  # and what it ends with is our own cut
            raise TraceError(
                f"{path}: is not a trace: it has no list of events (traceEvents) in "
                f"its first {HELD_BYTES >> 20} MB; {_OTHER}"
            )
    raise TraceError(f"{path}: {on_early_end(reading.damage) or _no_trace(head)}")


def _no_trace(head: bytearray) -> str:
    """What is wrong with a text that has no list of events, and at which place."""
    try:
        decoded(head.decode(errors="replace"))
    except json.JSONDecodeError as error:
        return _why_undecoded(error)
    except ValueError:
        return (
            f"is not a trace, but nested too deeply or with too long a number; {_OTHER}"
        )
    return f"is JSON, but not a trace: it has no list of events (traceEvents); {_OTHER}"


def _why_undecoded(error: json.JSONDecodeError) -> str:
    place = f"at line {error.lineno}, column {error.colno}"
    if error.msg == _MORE_BEHIND:
        return (
            "has no list of events (traceEvents) in its first JSON value, and more "
            f"text behind that, {place}; {_OTHER}"
        )
    goes_on = error.pos < len(error.doc) and not error.msg.startswith(_NO_END)
    if goes_on and error.lineno == 1 and error.colno <= _FIRST_COLUMNS:
        return f"is not JSON in UTF-8, {place}; {_OTHER}"
    return f"{_BREAKS_OFF}, {place}; {_AGAIN}"


def _note(text: bytes, reading: Reading) -> None:
    """Keep what tells rank and clock, which may stand behind the events."""
    if reading.notes and len(reading.notes[-1]) < _NOTES_BYTES:
        reading.notes[-1] += text[:_NOTES_BYTES]
    for key in _NOTED:
        at = text.find(key)
        if at >= 0:
            reading.notes.append(text[at : at + _NOTES_BYTES])
