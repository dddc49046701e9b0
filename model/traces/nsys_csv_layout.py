"""Where the columns of a table of `nsys stats` stand, and in which units.

Versions write "Start (ns)", "Start(sec)" or "Start" with the units in a row below.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from overlap_widget.model.traces.exact_units import BYTES, NANOSECONDS
from overlap_widget.model.traces.separated import plain

_UNIT = re.compile(r"\(([^()]*)\)\s*$")
_OTHER_REPORTS = (
    {"totaltime", "instances", "name"},  # cuda_gpu_kern_sum
    {"totaltime", "count", "operation"},  # cuda_gpu_mem_time_sum
    {"totaltime", "numcalls", "name"},  # cuda_api_sum, osrt_sum
    {"totaltime", "instances", "range"},  # nvtx_sum
    {"start", "duration", "name", "result", "pid"},  # cuda_api_trace
    {"start", "duration", "name", "lvl", "rangeid"},  # nvtx_pushpop_trace
)


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of the columns in a row; None for those that a report lacks.

    start_unit_ns, length_unit_ns, size_unit_bytes: of the numbers; None while untold
    called, thread: start of the call that launched a kernel, and its thread
    """

    start: int
    length: int
    name: int
    start_unit_ns: int | None
    length_unit_ns: int | None
    size_unit_bytes: int
    device: int | None
    context: int | None
    stream: int | None
    size: int | None
    process: int | None
    thread: int | None
    called: int | None

    def is_whole(self, row: Sequence[str]) -> bool:
        """Whether a row reaches to the last of the columns that every row has."""
        needed = (self.start, self.length, self.name, self.device, self.stream)
        return len(row) > max(at for at in needed if at is not None)

    def with_units(self, row: Sequence[str]) -> "Layout | None":
        """With the units of a row below the header; None if it is no such row."""
        cells = [cell.strip().lower() for cell in row]
        if max(self.start, self.length) >= len(cells):
            return None
        start, length = (NANOSECONDS.get(cells[at]) for at in (self.start, self.length))
        if start is None or length is None:
            return None
        size = "" if self.size is None else "".join(cells[self.size : self.size + 1])
        return replace(
            self,
            start_unit_ns=start,
            length_unit_ns=length,
            size_unit_bytes=BYTES.get(size, self.size_unit_bytes),
        )


def layout_of(row: Sequence[str]) -> Layout | None:
    """The layout of a trace by its header; None if the row is no such header."""
    places = {plain(cell): at for at, cell in reversed(list(enumerate(row)))}

    def place(*names: str) -> int | None:
        return next((places[name] for name in names if name in places), None)

    start, length = place("kernelstart", "start"), place("kerneldur", "duration", "dur")
    name = place("kernelname", "name")
    device, stream = place("device", "devid"), place("strm", "stream")
    if start is None or length is None or name is None or device is stream is None:
        return None
    size = place("bytes", "size")
    return Layout(
        start=start,
        length=length,
        name=name,
        start_unit_ns=NANOSECONDS.get(_unit(row[start])),
        length_unit_ns=NANOSECONDS.get(_unit(row[length])),
        size_unit_bytes=BYTES.get(_unit(row[size]) if size is not None else "", 1),
        device=device,
        context=place("ctx", "context"),
        stream=stream,
        size=size,
        process=place("pid"),
        thread=place("tid"),
        called=place("apistart"),
    )


def is_other_report(row: Sequence[str]) -> bool:
    """Whether a row is the header of a report that is no trace of the GPU."""
    names = {plain(cell) for cell in row}
    return any(report <= names for report in _OTHER_REPORTS)


def is_header(row: Sequence[str]) -> bool:
    """Whether a row is the header of any report of `nsys stats`."""
    return layout_of(row) is not None or is_other_report(row)


def _unit(column: str) -> str:
    found = _UNIT.search(column)
    return found[1].strip().lower() if found else ""
