"""Events whose start and end are two ("B" and "E"), as rewritten traces have them."""

from collections import defaultdict
from collections.abc import Iterator

import msgspec

from overlap_widget.model.traces.exact_times import nanoseconds_of
from overlap_widget.model.traces.gpu_events import NO_TIME
from overlap_widget.model.traces.kineto_events import KinetoEvent, Scalar

BEGIN, END = "B", "E"


class Pairs:
    """The events that have begun, by process and thread, each with those inside it."""

    def __init__(self) -> None:
        self._begun: defaultdict[tuple[Scalar, Scalar], list[KinetoEvent]]
        self._begun = defaultdict(list)

    def taken(self, event: KinetoEvent) -> KinetoEvent | None:
        """The whole event that this one ends; None for one that begins, or ends none.

        An end without a name ends what began last on its thread.
        """
        begun = self._begun[event.pid, event.tid]
        if event.ph == BEGIN:
            begun.append(event)
            return None
        for at in reversed(range(len(begun))):
            if event.name in (begun[at].name, KinetoEvent().name):
                return _whole(begun.pop(at), event)
        return None

    def endless(self) -> Iterator[KinetoEvent]:
        """What has begun and not ended."""
        for begun in self._begun.values():
            yield from begun


def _whole(begin: KinetoEvent, end: KinetoEvent) -> KinetoEvent:
    """Both as one; without a length where one of them has no time."""
    start_ns, end_ns = (int(ns) for ns in nanoseconds_of([begin.ts, end.ts]))
    known = NO_TIME not in (start_ns, end_ns)
    length = _microseconds(end_ns - start_ns) if known else ""
    return msgspec.structs.replace(begin, ph="X", dur=msgspec.Raw(length.encode()))


def _microseconds(ns: int) -> str:
    """As text, to the nanosecond.

    >>> _microseconds(-1250)
    '-1.250'
    """
    sign = "-" if ns < 0 else ""
    return f"{sign}{abs(ns) // 1000}.{abs(ns) % 1000:03}"
