"""The last event of a trace, and whether the list of events was closed behind it."""

import re
from collections import Counter

from overlap_widget.model.traces.repair import Event, decoded_at
from overlap_widget.model.traces.rescue import (
    LOST,
    ends_of_list,
    mended_event,
    text_of,
)

ENDS_EARLY = "ends early"
CUT_OFF = "last event cut off"

_BETWEEN = re.compile(r"[\s,\x00]*")


def last_events(
    raw: bytes, mark: re.Pattern[bytes], damage: Counter[str]
) -> list[Event]:
    """The events behind the last seam; what follows the list is left alone.

    Counts `ENDS_EARLY` when nothing closes the list, with `CUT_OFF` when the text
    stops inside an event, and what is lost otherwise.
    """
    text = text_of(raw, damage)
    events, rest = _whole_events(text)
    if rest.startswith("]"):
        return events
    if not rest:
        damage[ENDS_EARLY] += 1
        return events
    ends = list(ends_of_list(rest))
    for end in ends:
        saved = mended_event(rest[:end], damage)
        if saved is not None:
            return events + saved
    if not ends:
        damage.update([ENDS_EARLY, CUT_OFF])
    elif mark.search(raw):
        damage[LOST] += 1
    return events


def _whole_events(text: str) -> tuple[list[Event], str]:
    """As many as decode from the start of the text on, and the rest of it."""
    events: list[Event] = []
    at = 0
    while True:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        try:
            value, at = decoded_at(text, at)
        except ValueError:
            return events, text[at:]
        if isinstance(value, dict):
            events.append(value)
