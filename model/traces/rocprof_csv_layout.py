"""Which table of rocprof a CSV file is, and where its columns stand.

rocprofv3 writes a file for each kind of record; rocprof of versions 1 and 2 one of
kernels. Spelling and order of the columns differ between versions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from overlap_widget.model.traces.separated import plain

_START = ("starttimestamp", "beginns", "startns")
_END = ("endtimestamp", "endns")


class Content(Enum):
    """What the rows of a table are."""

    KERNELS = "kernels"
    COPIES = "copies"
    CALLS = "calls of an API or markers"
    AGENTS = "agents"
    COUNTERS = "counters"
    STATISTICS = "statistics"
    UNTIMED = "kernels without times"


_TIMES, _DEVICE = "(start and end)", "(agent or GPU)"
_NEEDS = (
    (Content.COUNTERS, {"kernelname", "countername"}),
    (Content.KERNELS, {"kernelname", _DEVICE, _TIMES}),
    (Content.UNTIMED, {"kernelname", _DEVICE}),
    (Content.COPIES, {"direction", "sourceagentid", _TIMES}),
    (Content.CALLS, {"domain", "function", _TIMES}),
    (Content.AGENTS, {"nodeid", "agenttype"}),
    (Content.STATISTICS, {"name", "calls", "totaldurationns"}),
)


@dataclass(frozen=True, slots=True)
class Layout:
    """A table's content, and the places of its columns by their plain names."""

    content: Content
    places: dict[str, int]

    def text(self, row: Sequence[str], *names: str) -> str:
        """What a row has in the first column of these names; "" if nothing."""
        for name in names:
            at = self.places.get(name)
            if at is not None:
                return row[at] if at < len(row) else ""
        return ""

    def times(self, row: Sequence[str]) -> tuple[str, str]:
        """Start and end of a row, as text."""
        return self.text(row, *_START), self.text(row, *_END)


def layout_of(row: Sequence[str]) -> Layout | None:
    """The table by its header; None if it is none of rocprof's."""
    places = {plain(cell): at for at, cell in reversed(list(enumerate(row)))}
    content = _content(set(places))
    return None if content is None else Layout(content, places)


def is_header(row: Sequence[str]) -> bool:
    """Whether a row is the header of a table of rocprof."""
    return layout_of(row) is not None


def _content(names: set[str]) -> Content | None:
    if names & set(_START) and names & set(_END):
        names = names | {_TIMES}
    if names & {"agentid", "gpuid"}:
        names = names | {_DEVICE}
    return next((content for content, needs in _NEEDS if needs <= names), None)
