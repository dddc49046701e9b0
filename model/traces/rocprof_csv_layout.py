"""Which table of rocprof a CSV file is, and where its columns stand.

rocprofv3 writes a file for each kind of record; rocprof of versions 1 and 2 one of
kernels. Spelling and order of the columns differ between versions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from overlap_widget.model.traces.separated import plain

_SAME = {
    "beginns": "starttimestamp",
    "startns": "starttimestamp",
    "endns": "endtimestamp",
    "gpuid": "agentid",
    "pid": "processid",
    "tid": "threadid",
}
"""Older names of columns, and those of now."""


class Content(Enum):
    """What the rows of a table are."""

    KERNELS = "kernels"
    COPIES = "copies"
    CALLS = "calls of an API or markers"
    AGENTS = "agents"
    COUNTERS = "counters"
    STATISTICS = "statistics"
    UNTIMED = "kernels without times"


_TIMES = {"starttimestamp", "endtimestamp"}
_NEEDS = (
    (Content.COUNTERS, {"kernelname", "countername"}),
    (Content.KERNELS, {"kernelname", "agentid", *_TIMES}),
    (Content.UNTIMED, {"kernelname", "agentid"}),
    (Content.COPIES, {"direction", "sourceagentid", *_TIMES}),
    (Content.CALLS, {"domain", "function", *_TIMES}),
    (Content.AGENTS, {"nodeid", "agenttype"}),
    (Content.STATISTICS, {"name", "calls", "totaldurationns"}),
)


@dataclass(frozen=True, slots=True)
class Layout:
    """A table's content, and the places of its columns by their plain names."""

    content: Content
    places: dict[str, int]

    def text(self, row: Sequence[str], name: str) -> str:
        """What a row has in a column; "" if nothing."""
        at = self.places.get(name)
        return row[at] if at is not None and at < len(row) else ""


def layout_of(row: Sequence[str]) -> Layout | None:
    """The table by its header; None if it is none of rocprof's."""
    names = [plain(cell) for cell in row]
    places = {_SAME.get(name, name): at for at, name in enumerate(names)}
    places |= {name: at for at, name in reversed(list(enumerate(names)))}
    content = next((one for one, needs in _NEEDS if needs <= set(places)), None)
    return None if content is None else Layout(content, places)


def is_header(row: Sequence[str]) -> bool:
    """Whether a row is the header of a table of rocprof."""
    return layout_of(row) is not None
