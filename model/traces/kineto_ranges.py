"""Ranges of a PyTorch profiler trace: steps and phases, as host and GPU mark them."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from overlap_widget.model.recording import Phase
from overlap_widget.model.traces.column_parts import ColumnParts
from overlap_widget.model.traces.exact_time import FAR_NS
from overlap_widget.model.traces.exact_times import Times, nanoseconds_of
from overlap_widget.model.traces.gpu_events import NO_TIME, RANGES, StepMark
from overlap_widget.model.traces.kineto_events import KinetoEvent
from overlap_widget.model.traces.kineto_lookups import Integers, Starts, Threads
from overlap_widget.model.traces.kineto_names import (
    BACKWARD_RANGE,
    FORWARD_RANGE,
    GLOO_RANGE,
    HOST_RANGES,
    OPTIMIZER_RANGE,
    STEP_MARK,
)

_PHASES = {
    BACKWARD_RANGE: Phase.BACKWARD,
    OPTIMIZER_RANGE: Phase.OPTIMIZER,
    FORWARD_RANGE: Phase.FORWARD,
}

Events = list[KinetoEvent]


class Ranges:
    """Columns of the phases, marks of the steps, and counts of what else was seen."""

    def __init__(self, integers: Integers, threads: Threads) -> None:
        self.columns = ColumnParts(RANGES)
        self.marks: list[StepMark] = []
        self.seen: Counter[str] = Counter()
        self._integers, self._threads = integers, threads
        self._starts = Starts()

    def add_of_host(self, events: Events) -> None:
        """Ranges on the CPU; those that never ended have "B" instead of "X"."""
        starts = self._starts
        marked = [event for event in events if starts[event.name]]
        found: dict[str, Events] = {start: [] for start in HOST_RANGES}
        for event in marked:
            if event.ph in ("X", "B"):
                found[starts[event.name]].append(event)
        self._add_marks(found[STEP_MARK])
        self.seen[GLOO_RANGE] += len(found[GLOO_RANGE])
        for start, phase in _PHASES.items():
            if found[start]:
                self._add_phase(found[start], phase)

    def _add_phase(self, events: Events, phase: Phase) -> None:
        start_ns, end_ns = _bounds(events)
        self.columns.add(
            thread=[self._threads[event.tid] for event in events],
            start_ns=start_ns,
            end_ns=end_ns,
            phase=np.full(len(events), phase),
        )

    def add_of_gpu(self, events: Events) -> None:
        """Steps that a GPU marks on its streams."""
        found = [event for event in events if event.name.startswith(STEP_MARK)]
        places = [self._place(event) for event in found]
        self._add_marks(found, places)

    def _add_marks(
        self, events: Events, places: Sequence[tuple[int | None, int | None]] = ()
    ) -> None:
        places = places or [(None, None)] * len(events)
        for event, start_ns, end_ns, place in zip(
            events, *_bounds(events), places, strict=True
        ):
            step = printable(event.name.removeprefix(STEP_MARK))
            if start_ns != NO_TIME:
                self.marks.append(StepMark(step, int(start_ns), int(end_ns), *place))

    def _place(self, event: KinetoEvent) -> tuple[int, int]:
        """Device and stream; older files have them in pid and tid only."""
        device, stream = event.args.device, event.args.stream
        return (
            self._integers[event.pid if device is None else device],
            self._integers[event.tid if stream is None else stream],
        )


def _bounds(events: Events) -> tuple[Times, Times]:
    """Starts and ends of ranges; one that never ended goes on for ever."""
    start_ns = nanoseconds_of([event.ts for event in events])
    length_ns = nanoseconds_of([event.dur for event in events])
    end_ns = start_ns + np.maximum(length_ns, 0)
    return start_ns, np.where(length_ns < 0, FAR_NS, np.minimum(end_ns, FAR_NS))


def printable(text: str) -> str:
    """Without lone surrogates, which no terminal or page can show."""
    return text.encode(errors="replace").decode()
