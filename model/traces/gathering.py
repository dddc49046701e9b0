"""Events of a PyTorch profiler trace into columns.

Read of an event: cat, name, ts, dur, pid, tid and, in args, device, stream,
correlation, bytes, graph node id and the notes on the collective. Times are integer
nanoseconds from the text.
"""

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from overlap_widget.model.recording import Phase
from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces.chrome_json import Wanted
from overlap_widget.model.traces.exact_time import FAR_NS, nanoseconds
from overlap_widget.model.traces.gpu_events import (
    LAUNCHES,
    NO_CORRELATION,
    NO_GROUP,
    NO_TIME,
    RANGES,
    WORK,
    Columns,
    GpuEvents,
    StepMark,
)
from overlap_widget.model.traces.kernels import (
    CATEGORIES,
    GPU_WORK,
    Category,
    category_of,
    classify,
    collective_bytes,
    copied_bytes,
)
from overlap_widget.model.traces.repair import Event

STEP_MARK = "ProfilerStep#"
BACKWARD_RANGE = "autograd::engine::evaluate_function"
OPTIMIZER_RANGE = "Optimizer.step#"
GLOO_RANGE = "gloo:"
XLA_PROCESSES = ("/device:", "/host:")

_CALLS_THAT_LAUNCH_NOTHING = (
    rb'\s*,\s*"name"\s*:\s*"(?:cuda|hip)(?:Event|Device|Get|Func|Occupancy|Pointer|Peek'
    rb"|Stream(?:IsCapturing|Get|WaitEvent|Synchronize|Query))"
)
WANTED = Wanted(
    re.compile(
        rb'"cat"\s*:\s*"(?i:%s)"(?!%s)'
        % (
            "|".join(pattern for _, pattern in CATEGORIES).encode(),
            _CALLS_THAT_LAUNCH_NOTHING,
        )
    ),
    texts=tuple(map(str.encode, (STEP_MARK, BACKWARD_RANGE, OPTIMIZER_RANGE))),
    until_met=tuple(f'"{start}'.encode() for start in (GLOO_RANGE, *XLA_PROCESSES)),
)

_INT32 = np.iinfo(np.int32)


def gather(batches: Iterable[list[Event]]) -> GpuEvents:
    """The columns of all events; those of no use here are passed over."""
    gathering = _Gathering()
    for batch in batches:
        for event in batch:
            gathering.add(event)
    return GpuEvents(
        work=gathering.work.frozen(),
        names=tuple(_printable(name) for name in gathering.names),
        groups=(),
        launches=gathering.launches.frozen(),
        ranges=gathering.ranges.frozen(),
        marks=tuple(gathering.marks),
        seen=gathering.seen,
    )


class _Table:
    """Columns that grow; compact, since a file can hold millions of rows."""

    def __init__(self, types: Mapping[str, str]) -> None:
        self.columns = {name: array(code) for name, code in types.items()}
        self._appends = [column.append for column in self.columns.values()]

    def append(self, *row: float) -> None:
        for append, value in zip(self._appends, row, strict=True):
            append(value)  # type: ignore[arg-type]

    def frozen(self) -> Columns:
        """The columns as arrays on the same memory, so nothing may be added after."""
        return {
            name: np.frombuffer(column, column.typecode)
            if column
            else np.empty(0, column.typecode)
            for name, column in self.columns.items()
        }


class _Gathering:
    """The tables while they grow, and codes for what repeats."""

    def __init__(self) -> None:
        self.work, self.launches = _Table(WORK), _Table(LAUNCHES)
        self.ranges = _Table(RANGES)
        self.marks: list[StepMark] = []
        self.names: dict[str, int] = {}
        self.seen: Counter[str] = Counter()
        self._threads: dict[str, int] = {}
        self._kinds: dict[tuple[Category, str, str], tuple[Kind, Collective]] = {}

    def add(self, event: Event) -> None:
        """Take one event; only complete ones ("X") have a length."""
        category = category_of(str(event.get("cat")))
        args = event.get("args")
        if not isinstance(args, dict):
            args = {}
        if category is Category.HOST:
            self._add_host_range(event, args)
        elif event.get("ph", "X") != "X":
            return
        elif category is Category.LAUNCH:
            self._add_launch(event, args)
        elif category in GPU_WORK:
            self._add_work(category, event, args)
        else:
            self._add_mark(event, *_place(event, args))

    def _add_launch(self, event: Event, args: Event) -> None:
        correlation, start_ns = _correlation(args), nanoseconds(event.get("ts"))
        if correlation != NO_CORRELATION and start_ns is not None:
            self.launches.append(correlation, start_ns, self._thread(event))

    def _add_work(self, category: Category, event: Event, args: Event) -> None:
        name = str(event.get("name", "(no name)"))
        noted = args.get("Collective name") or ""
        key = category, name, str(noted)
        if key not in self._kinds:
            self._kinds[key] = classify(*key)
        kind, collective = self._kinds[key]
        size_bytes = 0.0
        if kind is Kind.COMMUNICATION:
            size_bytes = collective_bytes(args)
        elif collective is Collective.PEER_COPY:
            size_bytes = copied_bytes(args)
        self.work.append(
            _time(event.get("ts")),
            _time(event.get("dur")),
            *_place(event, args),
            _correlation(args),
            kind,
            collective,
            size_bytes,
            self.names.setdefault(name, len(self.names)),
            NO_GROUP,
            category is Category.KERNEL,
            bool(_integer(args.get("graph node id"))),
        )

    def _add_host_range(self, event: Event, args: Event) -> None:
        name = event.get("name")
        if not isinstance(name, str):
            return
        if name.startswith(STEP_MARK):
            self._add_mark(event)
        elif name.startswith(BACKWARD_RANGE):
            self._add_range(event, Phase.BACKWARD)
        elif name.startswith(OPTIMIZER_RANGE):
            self._add_range(event, Phase.OPTIMIZER)
        elif name.startswith(GLOO_RANGE):
            self.seen[GLOO_RANGE] += 1
        elif str(args.get("name")).startswith(XLA_PROCESSES):
            self.seen.update(XLA_PROCESSES)

    def _add_range(self, event: Event, phase: Phase) -> None:
        self.ranges.append(self._thread(event), *_bounds(event), phase)

    def _add_mark(
        self, event: Event, device: int | None = None, stream: int | None = None
    ) -> None:
        name = event.get("name")
        if isinstance(name, str) and name.startswith(STEP_MARK):
            start_ns, end_ns = _bounds(event)
            step = _printable(name.removeprefix(STEP_MARK))
            if start_ns != NO_TIME:
                self.marks.append(StepMark(step, start_ns, end_ns, device, stream))

    def _thread(self, event: Event) -> int:
        return self._threads.setdefault(str(event.get("tid")), len(self._threads))


def _time(value: object) -> int:
    ns = nanoseconds(value)
    return NO_TIME if ns is None else ns


def _bounds(event: Event) -> tuple[int, int]:
    """Start and end of a range; one that never ended goes on for ever."""
    start_ns, length_ns = _time(event.get("ts")), _time(event.get("dur"))
    return start_ns, FAR_NS if length_ns < 0 else min(start_ns + length_ns, FAR_NS)


def _place(event: Event, args: Event) -> tuple[int, int]:
    """Device and stream; older files have them in pid and tid only."""
    device = _integer(args.get("device", event.get("pid")))
    stream = _integer(args.get("stream", event.get("tid")))
    return _narrow(device), _narrow(stream)


def _correlation(args: Event) -> int:
    number = _integer(args.get("correlation"))
    return number if number is not None and 0 < number < FAR_NS else NO_CORRELATION


def _integer(value: object) -> int | None:
    """An integer, or the first one in a text such as "stream 7"."""
    if isinstance(value, int):
        return int(value)
    found = re.search(r"-?\d{1,18}", value) if isinstance(value, str) else None
    return int(found[0]) if found else None


def _narrow(number: int | None) -> int:
    """As int32; numbers that don't fit are folded into it."""
    if number is None:
        return 0
    return number if _INT32.min <= number <= _INT32.max else number % _INT32.max


def _printable(text: str) -> str:
    """Without lone surrogates, which no terminal or page can show."""
    return text.encode(errors="replace").decode()
