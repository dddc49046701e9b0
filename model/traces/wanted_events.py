"""The wanted events of text in any layout: each mark leads to the event around it.

The separators around a mark tell where its event starts and ends, and the events so
found are decoded together. A separator can also stand inside an event, and an event can
be damaged: whatever doesn't decode goes to `rescue`. What nobody wants is never looked
at, so its damage costs nothing.
"""

import re
from collections import Counter
from dataclasses import dataclass

from overlap_widget.model.traces.event_runs import SEPARATOR
from overlap_widget.model.traces.repair import Event
from overlap_widget.model.traces.rescue import Span, apart, together

_LEARN_BYTES = 64 << 10


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


def wanted_in(
    run: bytes, wanted: Wanted, met: bool, damage: Counter[str]
) -> list[Event]:
    """The wanted events of a run, with some unwanted ones among them.

    `met` tells whether any mark was found before.
    """
    marks = wanted.marks(run, met)
    if not marks:
        return []
    spans = _spans(run, marks, _separator(run))
    try:
        return together(run, spans)
    except ValueError:
        return apart(run, spans, wanted.pattern, damage)


def _separator(run: bytes) -> bytes:
    """What stands between two events here: the commonest, with its white space."""
    found = Counter(SEPARATOR.findall(run[:_LEARN_BYTES]))
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
