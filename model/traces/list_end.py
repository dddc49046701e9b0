"""The last events of a trace, and whether the list was closed behind them."""

import re
from collections import Counter

from overlap_widget.model.traces.repair import Event
from overlap_widget.model.traces.rescue import scanned, text_of

ENDS_EARLY = "ends early"
CUT_OFF = "last event cut off"
NO_LINE_END = "last row without a line end"
SEVERAL_LISTS = "further lists of events"

_REPLACED = "\N{REPLACEMENT CHARACTER}"


def last_events(
    raw: bytes, mark: re.Pattern[bytes], damage: Counter[str]
) -> list[Event]:
    """The events behind the last seam; what follows the list is left alone.

    Counts `ENDS_EARLY` when nothing closes the list, with `CUT_OFF` when the text
    stops inside an event.
    """
    found: Counter[str] = Counter()
    text = text_of(raw, found)
    events, rest = scanned(text, mark, damage)
    if not rest.startswith("]"):
        damage[ENDS_EARLY] += 1
        damage[CUT_OFF] += bool(rest)
    if _REPLACED in text[: len(text) - len(rest)]:  # else it is of nobody's interest
        damage.update(found)
    return events
