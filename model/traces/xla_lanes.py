"""The lanes of a JAX/XLA trace that hold the work of devices, each piece once.

A process is a device ("/device:GPU:0", "/device:TPU:3") or a host; a thread of it is a
lane. On GPUs the streams hold the kernels, "Stream #118(MemcpyD2H,Compute)"; lanes of
operations, modules and steps repeat them. On TPUs "XLA Ops" holds the operations of
the core and "Async XLA Ops" what runs beside them. Names of processes and lanes are
metadata events, which may stand anywhere in the file.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from overlap_widget.model.traces.repair import Event

NAMES = re.compile(rb'"(?:process|thread)_name"')

_DEVICE = re.compile(
    r"(?P<host>.*?)/device:(?P<kind>[A-Za-z_]+):(?P<number>\d{1,9})\b", re.DOTALL
)
_NO_DEVICES = ("CPU", "CUSTOM")

Place = tuple[str, str]
"""A process and a thread, as the file numbers them."""


class Role(Enum):
    """What a lane holds."""

    STREAM = "kernels of a stream, one after the other"
    OPERATIONS = "operations of a core, with those that contain others"
    ASYNC = "operations that run beside those of the core"
    STEPS = "the steps of a device"
    REPEAT = "what another lane holds, seen otherwise"
    UNKNOWN = "unknown"


_STREAMS, _CORES = (Role.STREAM,), (Role.OPERATIONS, Role.ASYNC)
_ROLES = tuple(
    (role, re.compile(pattern, re.IGNORECASE))
    for role, pattern in (
        (Role.STREAM, r"Stream ?#\d{1,9}\b.*"),
        (Role.ASYNC, r"(?:Sparse ?Core )?Async XLA Ops"),
        (Role.OPERATIONS, r"(?:(?:Sparse|Tensor) ?Core )?XLA Ops|Sparse ?Core Ops"),
        (Role.STEPS, r"(?:Sparse ?Core )?Steps"),
        (
            Role.REPEAT,
            r"(?:Sparse ?Core )?(?:XLA )?Modules|XLA TraceMe|Source code|Launch Stats"
            r"|(?:TensorFlow|Framework) (?:Ops|Name Scope)|TC Overlay|Scalar Unit"
            r"|Host Offload Ops|_?counters_?\d*",
        ),
    )
)


@dataclass(frozen=True, slots=True)
class Device:
    """A device, by what its process is called.

    host: what comes before "/device:"; "" in a file of one host
    """

    host: str
    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class Lane:
    """A thread of a device's process; its stream is a number of its own."""

    device: Device
    name: str
    role: Role
    stream: int


@dataclass(frozen=True, slots=True)
class Lanes:
    """The lanes that are read, by process and thread.

    by_place: what to read
    devices:  all devices, by process
    named:    all threads that have a name
    aside:    names of lanes that hold something unknown and are left out
    """

    by_place: dict[Place, Lane]
    devices: dict[str, Device]
    named: frozenset[Place]
    aside: tuple[str, ...]

    @property
    def guessed(self) -> tuple[str, ...]:
        """Names of unknown lanes that are read, since their device has no others."""
        read = [
            lane.name for lane in self.by_place.values() if lane.role is Role.UNKNOWN
        ]
        return tuple(dict.fromkeys(read))


def lanes_in(events: Iterable[Event]) -> Lanes:
    """The lanes to read, from the metadata events of a file."""
    processes: dict[str, str] = {}
    threads: dict[Place, str] = {}
    for event in events:
        args = event.get("args")
        if event.get("ph") != "M" or not isinstance(args, dict):
            continue
        name, process = str(args.get("name")), str(event.get("pid"))
        if event.get("name") == "process_name":
            processes[process] = name
        elif event.get("name") == "thread_name":
            threads[process, str(event.get("tid"))] = name
    devices = _devices(processes)
    chosen: dict[Place, Lane] = {}
    aside: dict[str, None] = {}
    for process, device in devices.items():
        here = {place: name for place, name in threads.items() if place[0] == process}
        roles = {place: _role(name) for place, name in here.items()}
        for place in _worth_reading(roles):
            stream = _stream(here[place], place[1], device, chosen.values())
            chosen[place] = Lane(device, here[place], roles[place], stream)
        unread = roles.keys() - chosen.keys()
        aside |= {here[p]: None for p in unread if roles[p] is Role.UNKNOWN}
    return Lanes(chosen, devices, frozenset(threads), tuple(aside))


def _devices(processes: dict[str, str]) -> dict[str, Device]:
    """The processes that are devices; the same name again is another host's."""
    devices: dict[str, Device] = {}
    names: set[str] = set()
    for process, name in processes.items():
        found = _DEVICE.match(name)
        if not found or found["kind"].upper() in _NO_DEVICES:
            continue
        host = "".join(filter(str.isprintable, found["host"])).strip("/ ")
        if name in names:
            host = f"{host} process {process}".strip()
        names.add(name)
        devices[process] = Device(host, found["kind"], int(found["number"]))
    return devices


def _role(lane: str) -> Role:
    for role, pattern in _ROLES:
        if pattern.fullmatch(lane):
            return role
    return Role.UNKNOWN


def _worth_reading(roles: dict[Place, Role]) -> list[Place]:
    """Of a process: its streams, else its operations, else what nobody knows."""
    for work in (_STREAMS, _CORES, (Role.UNKNOWN,)):
        if any(role in work for role in roles.values()):
            wanted = (*work, Role.STEPS)
            return [place for place, role in roles.items() if role in wanted]
    return []


def _stream(lane: str, thread: str, device: Device, others: Iterable[Lane]) -> int:
    """The number in the lane's name, else its thread's; of a device each once."""
    found = re.search(r"#(\d{1,9})", lane) or re.fullmatch(r"(\d{1,9})", thread)
    number = int(found[1]) if found else 0
    taken = {other.stream for other in others if other.device == device}
    while number in taken:
        number += 1
    return number
