"""Events of a JAX/XLA trace into columns, one table a host.

Read of an event: name, ts, dur, pid, tid and, in args, the operation it is part of
(hlo_op, hlo_category, long_name), correlation_id, step_num and tf_op. Numbers in args
are text. Times are microseconds in the file.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces.exact_time import nanoseconds
from overlap_widget.model.traces.gpu_events import (
    LAUNCHES,
    NO_CORRELATION,
    NO_GROUP,
    NO_TIME,
    RANGES,
    WORK,
    GpuEvents,
    StepMark,
    no_columns,
)
from overlap_widget.model.traces.growing import Growing
from overlap_widget.model.traces.kernels import Args
from overlap_widget.model.traces.repair import Event
from overlap_widget.model.traces.xla_cores import (
    BESIDE,
    ON_CORE,
    ON_STREAM,
    joined,
    without_containers,
)
from overlap_widget.model.traces.xla_lanes import Lane, Lanes, Role
from overlap_widget.model.traces.xla_operations import (
    kernel_kind,
    operation_kind,
    peer_bytes,
    phase_told,
)
from overlap_widget.model.traces.xla_shapes import collective_bytes

NAMELESS = "event of a nameless lane"
CONTAINERS = "container"
WHOLE_GRAPHS = "whole graph"
ASYNCHRONOUS = "asynchronous transfer"

_XLA_WORK = {**WORK, "phase": "B", "lane": "b"}
_LANES = {
    Role.STREAM: ON_STREAM,
    Role.OPERATIONS: ON_CORE,
    Role.ASYNC: BESIDE,
    Role.UNKNOWN: BESIDE,
}
_STARTED_BY = re.compile(r"-done\(.*%([\w.-]+)")
_WHOLE_GRAPH = re.compile(r"(?:Cuda|Hip)GraphExec:? ?\d+", re.IGNORECASE)
_GRAPHS = ("cuda_graph", "hip_graph")


def wanted_events(lanes: Lanes) -> re.Pattern[bytes]:
    """The marks of what is read: all of the devices, launches and steps of hosts."""
    processes = b"|".join(re.escape(one.encode()) for one in lanes.devices)
    return re.compile(
        rb'"pid"\s*:\s*"?(?:%s)"?\s*[,}]|"(?:step_num|correlation_id)"' % processes
    )


def gather(batches: Iterable[list[Event]], lanes: Lanes) -> dict[str, GpuEvents]:
    """What each host's devices did, by the host; every event has work."""
    hosts = {device.host for device in lanes.devices.values()}
    found = {host: _Gathering() for host in sorted(hosts)}
    for batch in batches:
        for event in batch:
            if event.get("ph", "X") == "X":
                _add(event, lanes, found)
    return {host: one.finished() for host, one in found.items() if one.names}


def _add(event: Event, lanes: Lanes, found: dict[str, "_Gathering"]) -> None:
    process = str(event.get("pid"))
    lane = lanes.by_place.get((process, str(event.get("tid"))))
    args = event.get("args")
    args = args if isinstance(args, dict) else {}
    if lane is not None:
        found[lane.device.host].add(lane, event, args)
    elif process in lanes.devices:
        unnamed = (process, str(event.get("tid"))) not in lanes.named
        found[lanes.devices[process].host].seen[NAMELESS] += unnamed
    elif len(found) == 1:  # of several hosts nothing tells whose device it is
        for only in found.values():
            only.add_of_host(event, args)


@dataclass(slots=True)
class _Gathering:
    """The tables of a host while they grow."""

    work: Growing = field(default_factory=lambda: Growing(_XLA_WORK))
    launches: Growing = field(default_factory=lambda: Growing(LAUNCHES))
    on_devices: list[StepMark] = field(default_factory=list)
    on_host: list[StepMark] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    starts: dict[int, str] = field(default_factory=dict)
    threads: dict[str, int] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)

    def add(self, lane: Lane, event: Event, args: Args) -> None:
        """Take what stands in a lane of a device: work or a step."""
        name = _printable(str(event.get("name", "(no name)")))
        if lane.role is Role.STEPS:
            step = _printable(str(args.get("step_num", name)))
            self._mark(step, event, self.on_devices, lane.device.number)
            return
        code = self.names.setdefault(name, len(self.names))
        is_graph = bool(_WHOLE_GRAPH.fullmatch(name))
        self.seen[WHOLE_GRAPHS] += is_graph
        kind, collective = self._kind(lane, code, name, args)
        self.work.append(
            _time(event.get("ts")),
            _time(event.get("dur")),
            lane.device.number,
            lane.stream,
            _number(args.get("correlation_id")),
            kind,
            collective,
            _size(kind, collective, args),
            code,
            NO_GROUP,
            kind is not Kind.OTHER,
            is_graph or any(key.startswith(_GRAPHS) for key in args),
            phase_told(args),
            _LANES[lane.role],
        )

    def _kind(
        self, lane: Lane, code: int, name: str, args: Args
    ) -> tuple[Kind, Collective]:
        if lane.role is Role.STREAM:
            return kernel_kind(name, str(args.get("hlo_op") or ""))
        started = _STARTED_BY.search(str(args.get("long_name", "")))
        if started:
            self.starts[code] = started[1]
        kind, collective = operation_kind(name, args)
        if lane.role is Role.UNKNOWN and kind is Kind.COMPUTE:
            return kernel_kind(name, "")
        return kind, collective

    def add_of_host(self, event: Event, args: Args) -> None:
        """Take a launch or a step of the host's own clock."""
        correlation, start_ns = _number(args.get("correlation_id")), event.get("ts")
        if "step_num" in args:
            self._mark(_printable(str(args["step_num"])), event, self.on_host, None)
        elif correlation != NO_CORRELATION and _time(start_ns) != NO_TIME:
            thread = str(event.get("tid"))
            number = self.threads.setdefault(thread, len(self.threads))
            self.launches.append(correlation, _time(start_ns), number)

    def _mark(
        self, step: str, event: Event, marks: list[StepMark], device: int | None
    ) -> None:
        start_ns, length_ns = _time(event.get("ts")), _time(event.get("dur"))
        if start_ns != NO_TIME and length_ns >= 0:
            marks.append(StepMark(step, start_ns, start_ns + length_ns, device))

    def finished(self) -> GpuEvents:
        """The tables; a core's containers left out, its asynchronous halves joined."""
        names = tuple(self.names)
        work, containers = without_containers(self.work.frozen(), names)
        work, joint = joined(work, names, self.starts)
        self.seen.update({CONTAINERS: containers, ASYNCHRONOUS: joint})
        return GpuEvents(
            work=work,
            names=names,
            groups=(),
            launches=self.launches.frozen(),
            ranges=no_columns(RANGES),
            marks=tuple(self.on_devices or self.on_host),
            seen=self.seen,
        )


def _size(kind: Kind, collective: Collective, args: Args) -> float:
    if collective is Collective.PEER_COPY:
        return peer_bytes(args)
    return collective_bytes(args, collective) if kind is Kind.COMMUNICATION else 0.0


def _time(value: object) -> int:
    ns = nanoseconds(value)
    return NO_TIME if ns is None else ns


def _number(value: object) -> int:
    """A correlation, which stands there as text; `NO_CORRELATION` if there is none."""
    found = re.fullmatch(r"\d{1,18}", str(value))
    return int(found[0]) if found else NO_CORRELATION


def _printable(text: str) -> str:
    """Without lone surrogates, which no terminal or page can show."""
    return text.encode(errors="replace").decode()
