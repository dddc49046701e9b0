"""Records of one process of a ROCm profiler, while they are read, and as its events."""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from overlap_widget.model.recording import Recording
from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces.assembled import About, assembled
from overlap_widget.model.traces.exact_time import FAR_NS
from overlap_widget.model.traces.gpu_events import (
    LAUNCHES,
    NO_GROUP,
    WORK,
    Columns,
    GpuEvents,
)
from overlap_widget.model.traces.growing import Growing
from overlap_widget.model.traces.kernels import Category, classify
from overlap_widget.model.traces.nccl_calls import Call, transfers_of
from overlap_widget.model.traces.range_steps import NamedRange
from overlap_widget.model.traces.ranged_events import events_with_ranges

COPY_STREAM = -1
"""Where copies are shown: no stream of kernels waits for them, as far as is told."""

_INT32, MOST_INT64 = np.iinfo(np.int32).max, np.iinfo(np.int64).max

Times = tuple[int, int]
"""When work starts and ends."""


class Place(NamedTuple):
    """Where work ran; the stream is 0 where the profiler doesn't know it."""

    device: int
    queue: int
    stream: int


class RocmRows:
    """Rows of a process; times in nanoseconds, devices by number.

    ranges: what roctx named, with thread and times
    calls:  of RCCL
    work:   how many kernels and copies
    """

    def __init__(self) -> None:
        self.ranges: list[NamedRange] = []
        self.calls: list[Call] = []
        self.work = 0
        self._names: dict[str, int] = {}
        self._classes: list[tuple[Kind, Collective]] = []
        self._work = Growing({**WORK, "stream": "q", "queue": "q"})
        self._launches = Growing(LAUNCHES)

    def add_kernel(
        self, name: str, place: Place, correlation: int, times_ns: Times
    ) -> None:
        """Take a kernel."""
        at = self._names.setdefault(name, len(self._names))
        if at == len(self._classes):
            self._classes.append(classify(Category.KERNEL, name))
        kind, collective = self._classes[at]
        size_bytes = math.nan if kind is Kind.COMMUNICATION else 0.0
        what = kind, collective, size_bytes, at, NO_GROUP, True, False
        self._add(place, correlation, times_ns, what)

    def add_copy(
        self,
        direction: str,
        agents: tuple[int, int],
        correlation: int,
        times_ns: Times,
        size_bytes: float,
    ) -> None:
        """Take a copy from one agent to another; engines copy side by side."""
        peer = "DEVICE_TO_DEVICE" in direction and agents[0] != agents[1]
        name = f"{direction} (peer)" if peer else direction
        at = self._names.setdefault(name, len(self._names))
        if at == len(self._classes):
            collective = Collective.PEER_COPY if peer else Collective.NONE
            self._classes.append((Kind.OTHER, collective))
        kind, collective = self._classes[at]
        device = agents[1] if "HOST_TO_DEVICE" in direction else agents[0]
        moved_bytes = size_bytes if peer else 0.0
        what = kind, collective, moved_bytes, at, NO_GROUP, False, True
        place = Place(device, COPY_STREAM, COPY_STREAM)
        self._add(place, correlation, times_ns, what)

    def add_launch(self, correlation: int, start_ns: int, thread: int) -> None:
        """Take a call that may have launched work."""
        self._launches.append(
            correlation % MOST_INT64, clipped_ns(start_ns), thread % MOST_INT64
        )

    def events(self) -> tuple[GpuEvents, list[str]]:
        """The events, and what they can't tell; nothing may be added after."""
        return events_with_ranges(
            (self._placed(), tuple(self._names)),
            self._launches.frozen(),
            self.ranges,
            transfers_of(self.calls),
        )

    def recording(self, about: About) -> Recording:
        """As a recording, whose warnings also tell what was guessed."""
        events, guessed = self.events()
        warnings = (*about.warnings, *guessed)
        return assembled(events, replace(about, warnings=warnings))

    def _add(
        self,
        place: Place,
        correlation: int,
        times_ns: Times,
        what: tuple[Kind, Collective, float, int, int, bool, bool],
    ) -> None:
        start_ns, end_ns = map(clipped_ns, times_ns)
        device, queue, stream = (
            max(number, -MOST_INT64) if number < 0 else number % MOST_INT64
            for number in place
        )
        begun = start_ns, end_ns - start_ns, device % _INT32, stream
        self.work += 1
        self._work.append(*begun, correlation % MOST_INT64, *what, queue)

    def _placed(self) -> Columns:
        """On streams where the profiler knew them, else on queues of the hardware."""
        work = dict(self._work.frozen())
        queue, stream = work.pop("queue"), work["stream"]
        chosen = stream if (stream > 0).any() else queue
        if len(chosen) and chosen.max() > _INT32:  # handles that are addresses
            _, chosen = np.unique(chosen, return_inverse=True)
        return {**work, "stream": chosen.astype(np.int32)}


def clipped_ns(time_ns: int) -> int:
    """A time, cut to what int64 can hold the differences of."""
    return max(-FAR_NS, min(time_ns, FAR_NS))
