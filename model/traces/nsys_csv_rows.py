"""Rows of the traces in the output of `nsys stats`, as columns: one set a trace."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.exact_units import bytes_of, nanoseconds_of
from overlap_widget.model.traces.gpu_events import (
    LAUNCHES,
    NO_GROUP,
    NO_TIME,
    WORK,
    Columns,
)
from overlap_widget.model.traces.growing import Growing
from overlap_widget.model.traces.kernels import Category, classify
from overlap_widget.model.traces.list_end import NO_LINE_END
from overlap_widget.model.traces.nsys_csv_layout import (
    Layout,
    is_other_report,
    layout_of,
)
from overlap_widget.model.traces.separated import Row
from overlap_widget.model.traces.stream_contexts import told_apart

_NO_UNIT = (
    "its header tells no unit of its times; print it again with `nsys stats -r "
    "cuda_gpu_trace --format csv`"
)
_NAMELESS = "(kernel without a name)"
_DEVICE = re.compile(r"\((\d{1,9})\)\s*$|^\s*(\d{1,9})\s*$")
_INTEGER = re.compile(r"\d{1,9}")


@dataclass(frozen=True, slots=True)
class Trace:
    """One process of one table.

    launches: the calls that launched its kernels, where the report has them
    whole:    whether copies and fills are in the report too
    """

    work: Columns
    names: tuple[str, ...]
    launches: Columns
    has_kernels: bool
    whole: bool


class _Growing:
    """The rows of one process of a table while they are read."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._names: dict[str, int] = {}
        self._classes: list[tuple[bool, Kind, Collective]] = []
        self._devices: dict[str, int] = {}
        self._work = Growing({**WORK, "context": "q"})
        self._launches = Growing(LAUNCHES)
        self._count = 0

    def add(self, row: Row, layout: Layout, start_ns: int) -> None:
        """Take a row whose start is known."""
        length_ns = nanoseconds_of(
            _cell(row, layout.length), layout.length_unit_ns or 1
        )
        name = _cell(row, layout.name) or _NAMELESS
        at = self._names.setdefault(name, len(self._names))
        if at == len(self._classes):
            self._classes.append(_class_of(name))
        is_kernel, kind, collective = self._classes[at]
        self._count += 1
        self._work.append(
            start_ns,
            NO_TIME if length_ns is None else length_ns,
            self._device(_cell(row, layout.device)),
            _integer(_cell(row, layout.stream)),
            self._count,
            kind,
            collective,
            _size_bytes(row, layout, kind, collective),
            at,
            NO_GROUP,
            is_kernel,
            layout.stream is None,  # without streams nothing says what runs in turn
            _integer(_cell(row, layout.context)),
        )
        called_ns = nanoseconds_of(_cell(row, layout.called), layout.start_unit_ns or 1)
        if called_ns is not None:
            thread = _integer(_cell(row, layout.thread))
            self._launches.append(self._count, called_ns, thread)

    def frozen(self) -> Trace:
        """What was read; nothing may be added after."""
        work = dict(self._work.frozen())
        context = work.pop("context")
        stream = told_apart(work["device"], context, work["stream"].astype(np.int64))
        return Trace(
            work={**work, "stream": stream.astype(np.int32)},
            names=tuple(self._names),
            launches=self._launches.frozen(),
            has_kernels=any(is_kernel for is_kernel, _, _ in self._classes),
            whole=self._layout.stream is not None,
        )

    def _device(self, text: str) -> int:
        """The number in "NVIDIA H100 (1)"; names without one count up."""
        if text not in self._devices:
            found = _DEVICE.search(text)
            number = int(found[1] or found[2]) if found else len(self._devices)
            self._devices[text] = number
        return self._devices[text]


class _Tables:
    """The traces in the output, while it is read."""

    def __init__(self, damage: Counter[str]) -> None:
        self._damage = damage
        self.found: list[dict[int, _Growing]] = []
        self.timeless = 0
        self._layout: Layout | None = None

    def take(self, row: Row) -> bool:
        """Take a row; False if it has times but no unit was told."""
        layout = self._layout
        if layout is not None:
            start = _cell(row, layout.start)
            start_ns = nanoseconds_of(start, layout.start_unit_ns or 1)
            if start_ns is not None and self._is_whole(row, layout):
                self._of_process(row, layout).add(row, layout, start_ns)
                return layout.start_unit_ns is not None
        self._take_other(row)
        return True

    def _is_whole(self, row: Row, layout: Layout) -> bool:
        """Whether nothing of a row is cut off, such as a name as its last cell."""
        is_cut = self._damage.get(NO_LINE_END) and not _cell(row, layout.name)
        return not is_cut and layout.is_whole(row)

    def _of_process(self, row: Row, layout: Layout) -> _Growing:
        process, table = _integer(_cell(row, layout.process)), self.found[-1]
        if process not in table:
            table[process] = _Growing(layout)
        return table[process]

    def _take_other(self, row: Row) -> None:
        header = layout_of(row)
        units = self._layout and self._layout.with_units(row)
        if header:
            self._layout = header
            self.found.append({})
        elif units or is_other_report(row):
            self._layout = units
        elif self._layout and len(row) > 1:
            self.timeless += 1


@dataclass(frozen=True, slots=True)
class Found:
    """Every trace in the output.

    timeless:   how many rows had no time, or were cut off
    has_header: whether there was the header of a trace, whatever stood below it
    """

    traces: list[Trace]
    timeless: int
    has_header: bool


def traces_in(path: str, rows: Iterable[Row], damage: Counter[str]) -> Found:
    """What the output holds; raises TraceError where no unit of the times is told.

    damage: what was wrong with the rows so far
    """
    tables = _Tables(damage)
    for row in rows:
        if not tables.take(row):
            raise TraceError(f"{path}: {_NO_UNIT}")
    traces = [one.frozen() for table in tables.found for one in table.values()]
    return Found(_each_once(traces), tables.timeless, bool(tables.found))


def _each_once(traces: Sequence[Trace]) -> list[Trace]:
    """Without traces that come twice, and without parts of what is there whole."""
    whole = [trace for trace in traces if trace.whole] or traces
    kept: list[Trace] = []
    for trace in whole:
        same = (
            all(
                np.array_equal(trace.work[name], other.work[name])
                for name in ("start_ns", "length_ns", "device", "stream")
            )
            for other in kept
        )
        if not any(same):
            kept.append(trace)
    return kept


def _class_of(name: str) -> tuple[bool, Kind, Collective]:
    """Whether work of this name is a kernel, and its kind: copies are [CUDA memcpy]."""
    if not name.startswith("[CUDA "):
        return (True, *classify(Category.KERNEL, name))
    category = Category.COPY if "memcpy" in name else Category.FILL
    return (False, *classify(category, name))


def _size_bytes(row: Row, layout: Layout, kind: Kind, collective: Collective) -> float:
    if kind is Kind.COMMUNICATION:
        return math.nan
    if collective is not Collective.PEER_COPY:
        return 0.0
    return bytes_of(_cell(row, layout.size), layout.size_unit_bytes)


def _cell(row: Row, at: int | None) -> str:
    return row[at] if at is not None and at < len(row) else ""


def _integer(text: str) -> int:
    found = _INTEGER.search(text)
    return int(found[0]) if found else 0
