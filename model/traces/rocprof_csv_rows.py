"""Rows of rocprof's tables into the records of processes."""

import math
import re
from collections import Counter
from collections.abc import Generator, Mapping

from overlap_widget.model.traces.exact_units import nanoseconds_of
from overlap_widget.model.traces.nccl_calls import Call
from overlap_widget.model.traces.odd_spans import HOUR_NS
from overlap_widget.model.traces.options import Options
from overlap_widget.model.traces.range_steps import NamedRange
from overlap_widget.model.traces.rocm_rows import Place, RocmRows, Times
from overlap_widget.model.traces.rocprof_csv_layout import (
    Content,
    Layout,
    is_header,
    layout_of,
)
from overlap_widget.model.traces.separated import Row, table_rows

_DIGITS = 19  # fit into int64
_INTEGER = re.compile(r"-?\d{1,18}")


class Tables:
    """The tables of one run while they are read.

    processes: the records by process id, 0 where a table has none
    content:   of the first table
    timeless:  how many rows had no time
    damage:    what gzip streams lost
    """

    def __init__(self, gpus: Mapping[int, int]) -> None:
        self.processes: dict[int, RocmRows] = {}
        self.content: Content | None = None
        self.timeless = 0
        self.damage: Counter[str] = Counter()
        self._gpus = gpus
        self._devices: dict[str, int] = {}
        self._numbers: set[int] = set()
        self._first_ns, self._last_ns = math.inf, -math.inf

    def read_work(self, path: str, options: Options) -> None:
        """Take the kernels or copies of a table."""
        for layout, row, times_ns in self._rows(path, options):
            process = _integer(layout.text(row, "processid"))
            if process not in self.processes:
                self.processes[process] = RocmRows()
            rows = self.processes[process]
            self._first_ns = min(self._first_ns, times_ns[0])
            self._last_ns = max(self._last_ns, times_ns[0])
            if layout.content is Content.KERNELS:
                self._add_kernel(rows, layout, row, times_ns)
            elif layout.content is Content.COPIES:
                self._add_copy(rows, layout, row, times_ns)

    def read_copies(self, path: str, options: Options, into: RocmRows) -> bool:
        """Take the copies of the same run; False if they are of another time."""
        for layout, row, times_ns in self._rows(path, options):
            if self._far(times_ns):
                return False
            if layout.content is Content.COPIES:
                self._add_copy(into, layout, row, times_ns)
        return True

    def read_calls(self, path: str, options: Options, into: RocmRows) -> bool:
        """Take calls that launched, ranges and calls of RCCL; False if far away."""
        for layout, row, times_ns in self._rows(path, options):
            if self._far(times_ns):
                return False
            if layout.content is not Content.CALLS:
                continue
            name, domain = layout.text(row, "function"), layout.text(row, "domain")
            thread = _integer(layout.text(row, "threadid"))
            number = _integer(layout.text(row, "correlationid"))
            if domain.startswith("RCCL"):
                into.calls.append(Call(name, *times_ns, thread, {}))
            elif not domain.startswith("MARKER"):
                if number in self._numbers:
                    into.add_launch(number, times_ns[0], thread)
            elif times_ns[1] > times_ns[0]:  # a mark is a range without length
                into.ranges.append(NamedRange(name, *times_ns, thread))
        return True

    def _rows(
        self, path: str, options: Options
    ) -> Generator[tuple[Layout, Row, Times], None, None]:
        layout: Layout | None = None
        for row in table_rows(path, options, is_header, self.damage):
            if layout is not None:
                start_ns = nanoseconds_of(layout.text(row, "starttimestamp"), 1)
                end_ns = nanoseconds_of(layout.text(row, "endtimestamp"), 1)
                if start_ns is not None and end_ns is not None:
                    yield layout, row, (start_ns, end_ns)
                    continue
            header = layout_of(row)
            if header:
                layout, self.content = header, self.content or header.content
            elif row:
                self.timeless += 1

    def _add_kernel(
        self, rows: RocmRows, layout: Layout, row: Row, times_ns: Times
    ) -> None:
        number = _integer(layout.text(row, "correlationid"))
        self._numbers.add(number)
        place = Place(
            device=self._device(layout.text(row, "agentid")),
            queue=_integer(layout.text(row, "queueid")),
            stream=_integer(layout.text(row, "streamid")),
        )
        rows.add_kernel(layout.text(row, "kernelname"), place, number, times_ns)

    def _add_copy(
        self, rows: RocmRows, layout: Layout, row: Row, times_ns: Times
    ) -> None:
        agents = (
            self._device(layout.text(row, "sourceagentid")),
            self._device(layout.text(row, "destinationagentid")),
        )
        number = _integer(layout.text(row, "correlationid"))
        direction = layout.text(row, "direction")
        rows.add_copy(direction, agents, number, times_ns, math.nan)

    def _device(self, agent: str) -> int:
        """Of "Agent 4" the GPU with this node, where the agents are told; else 4."""
        if agent not in self._devices:
            number = _integer(agent)
            told = agent.startswith("GPU")
            self._devices[agent] = number if told else self._gpus.get(number, number)
        return self._devices[agent]

    def _far(self, times_ns: Times) -> bool:
        away = times_ns[0] < self._first_ns - HOUR_NS
        return away or times_ns[0] > self._last_ns + HOUR_NS


def gpus_in(path: str, options: Options) -> dict[int, int]:
    """The GPUs of a table of agents: their numbers, from 0, by their nodes."""
    nodes: list[int] = []
    layout: Layout | None = None
    for row in table_rows(path, options, is_header, Counter()):
        layout = layout or layout_of(row)
        if layout and layout.text(row, "agenttype") == "GPU":
            nodes.append(_integer(layout.text(row, "nodeid")))
    return {node: gpu for gpu, node in enumerate(sorted(nodes))}


def _integer(text: str) -> int:
    if len(text) < _DIGITS and text.isdigit() and text.isascii():
        return int(text)
    found = _INTEGER.search(text)
    return int(found[0]) if found else 0
