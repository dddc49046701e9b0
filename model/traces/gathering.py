"""Events of a PyTorch profiler trace into columns.

Times are integer nanoseconds from the text. Columns are made of some thousand events
at once, and what repeats (names, streams, groups) is looked up in a dict.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.recording import NO_SEQUENCE
from overlap_widget.model.timeline import Collective, Kind
from overlap_widget.model.traces.collective_notes import (
    Groups,
    noted_bytes,
    noted_copy_bytes,
    noted_sequence,
)
from overlap_widget.model.traces.column_parts import ColumnParts
from overlap_widget.model.traces.exact_time import FAR_NS
from overlap_widget.model.traces.exact_times import nanoseconds_of
from overlap_widget.model.traces.gpu_events import (
    LAUNCHES,
    NO_CORRELATION,
    NO_GROUP,
    NO_TIME,
    WORK,
    Columns,
    GpuEvents,
)
from overlap_widget.model.traces.kernels import GPU_WORK, Category
from overlap_widget.model.traces.kineto_events import KinetoEvent, Scalar
from overlap_widget.model.traces.kineto_lookups import (
    Categories,
    Integers,
    Launching,
    Processes,
    Threads,
    WorkKinds,
    integer,
)
from overlap_widget.model.traces.kineto_names import (
    ENDLESS,
    UNKNOWN_CATEGORY,
    WITHOUT_RANGES,
)
from overlap_widget.model.traces.kineto_pairs import BEGIN, END, Pairs
from overlap_widget.model.traces.kineto_ranges import Ranges, printable

AT_ONCE = 2048  # events; fewer make numpy's calls dear, more take memory

# Kind, collective and name of a row follow from its `WorkKind`.
_GATHERED = {
    name: code
    for name, code in WORK.items()
    if name not in ("kind", "collective", "name", "is_kernel")
} | {"work_kind": "i", "sequence": "i"}

Events = list[KinetoEvent]


def gather(batches: Iterable[Events]) -> GpuEvents:
    """The columns of all events; those of no use here are passed over."""
    gathering = _Gathering()
    pending: Events = []
    for batch in batches:
        pending += batch
        if len(pending) >= AT_ONCE:
            gathering.add(pending)
            pending = []
    gathering.add(pending)
    return gathering.found()


class _Gathering:
    """The tables while they grow, and codes for what repeats."""

    def __init__(self) -> None:
        self._work, self._launches = ColumnParts(_GATHERED), ColumnParts(LAUNCHES)
        self._seen: Counter[str] = Counter()
        self._launching = Launching()
        self._categories, self._kinds = Categories(), WorkKinds()
        self._integers, self._threads, self._groups = Integers(), Threads(), Groups()
        self._ranges = Ranges(self._integers, self._threads)
        self._pairs, self._processes = Pairs(), Processes(self._integers)

    def add(self, events: Events) -> None:
        """Take events, complete ones ("X") and pairs of a begin and an end."""
        by_cat: defaultdict[str, Events] = defaultdict(list)
        for event in events:
            if event.ph == "X":
                by_cat[event.cat or ""].append(event)
            elif event.ph in (BEGIN, END):
                whole = self._pairs.taken(event)
                if whole is not None:
                    by_cat[whole.cat or ""].append(whole)
        for cat, alike in by_cat.items():
            self._add_alike(cat, self._categories[cat], alike)

    def _add_alike(self, cat: str, category: Category | None, events: Events) -> None:
        """Take events of one category."""
        if category is Category.HOST:
            if cat not in WITHOUT_RANGES:
                self._ranges.add_of_host(events)
            if not cat:
                self._add_unknown(events)
        elif category is None:
            self._add_unknown(events)
        elif category is Category.LAUNCH:
            self._add_launches(events)
        elif category in GPU_WORK:
            self._add_work(cat, events)
        else:
            self._ranges.add_of_gpu(events)

    def found(self) -> GpuEvents:
        """All of it; nothing may be added after."""
        self._add_endless()
        work = self._joined_work()
        return GpuEvents(
            work=work,
            names=tuple(printable(str(name)) for name in self._kinds.names),
            groups=self._groups.met(),
            launches=_compact(self._launches.joined()),
            ranges=self._ranges.columns.joined(),
            marks=tuple(self._ranges.marks),
            seen=self._seen + self._ranges.seen,
        )

    def _add_endless(self) -> None:
        """Ranges of the host go on for ever; of work it has to be said."""
        for event in self._pairs.endless():
            category = self._categories[event.cat or ""]
            if category is Category.HOST:
                self._ranges.add_of_host([event])
            elif category in GPU_WORK:
                self._seen[ENDLESS] += 1
        self._seen.update(self._processes.several())

    def _joined_work(self) -> Columns:
        """In order of time, one column after the other to save memory."""
        gathered = dict(self._work.joined())
        del self._work
        order = np.lexsort((gathered["length_ns"], gathered["start_ns"]))
        if not (gathered["sequence"] != NO_SEQUENCE).any():
            del gathered["sequence"]
        work = {name: gathered.pop(name)[order] for name in list(gathered)}
        work["correlation"] = _narrow(work["correlation"])
        work_kind = work.pop("work_kind")
        for name in ("kind", "collective", "name", "is_kernel"):
            of_kind = [getattr(kind, name) for kind in self._kinds.kinds]
            work[name] = np.array(of_kind, dtype=WORK[name])[work_kind]
        return work

    def _add_work(self, cat: str, events: Events) -> None:
        args = [event.args for event in events]
        kinds, integers = self._kinds, self._integers
        self._processes.sample(events)
        work_kind = [kinds[cat, event.name, event.args.collective] for event in events]
        group, size_bytes, sequence = self._notes(events, work_kind)
        self._work.add(
            start_ns=nanoseconds_of([event.ts for event in events]),
            length_ns=nanoseconds_of([event.dur for event in events]),
            device=[
                integers[event.pid if noted.device is None else noted.device]
                for event, noted in zip(events, args, strict=True)
            ],
            stream=[
                integers[event.tid if noted.stream is None else noted.stream]
                for event, noted in zip(events, args, strict=True)
            ],
            correlation=_correlations([noted.correlation for noted in args]),
            size_bytes=size_bytes,
            group=group,
            sequence=sequence,
            in_graph=[
                bool(noted.graph_node and integer(noted.graph_node)) for noted in args
            ],
            work_kind=work_kind,
        )

    def _notes(
        self, events: Events, codes: Sequence[int]
    ) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]:
        """Group, size and number of what communicates; peer copies have a size too."""
        group = np.full(len(events), NO_GROUP, dtype=np.int32)
        sequence = np.full(len(events), NO_SEQUENCE, dtype=np.int32)
        size_bytes = np.zeros(len(events))
        moves = [kind.collective is not Collective.NONE for kind in self._kinds.kinds]
        for row, code in enumerate(codes):
            if moves[code]:
                args = events[row].args
                if self._kinds.kinds[code].kind is Kind.COMMUNICATION:
                    group[row] = self._groups.code(args)
                    size_bytes[row] = noted_bytes(args)
                    sequence[row] = noted_sequence(args)
                else:
                    size_bytes[row] = noted_copy_bytes(args)
        return group, size_bytes, sequence

    def _add_launches(self, calls: Events) -> None:
        launching = self._launching
        events = [call for call in calls if launching[call.name]]
        start_ns = nanoseconds_of([event.ts for event in events])
        correlation = _correlations([event.args.correlation for event in events])
        thread = np.array([self._threads[event.tid] for event in events], dtype="q")
        kept = (start_ns != NO_TIME) & (correlation != NO_CORRELATION)
        self._launches.add(
            start_ns=start_ns[kept], correlation=correlation[kept], thread=thread[kept]
        )

    def _add_unknown(self, events: Events) -> None:
        """Count what stands on rows of a GPU and is of no known category."""
        for event in events:
            if event.args.stream is not None or str(event.tid).startswith("stream "):
                self._seen[f"{UNKNOWN_CATEGORY}{event.cat or ''}"] += 1


def _correlations(values: Sequence[Scalar]) -> NDArray[np.int64]:
    try:
        numbers = np.array(values, dtype=np.int64)
    except (TypeError, ValueError, OverflowError):
        read = [integer(value) or NO_CORRELATION for value in values]
        numbers = np.array([n if 0 < n < FAR_NS else 0 for n in read], dtype=np.int64)
    numbers[(numbers <= 0) | (numbers >= FAR_NS)] = NO_CORRELATION
    return numbers


def _compact(launches: Columns) -> Columns:
    """With numbers of half the size, as far as they fit."""
    whole = dict(launches)
    del launches
    for name in ("correlation", "thread"):
        whole[name] = _narrow(whole.pop(name))
    return whole


def _narrow(numbers: NDArray[np.int64]) -> NDArray[np.signedinteger]:
    """As int32 if they fit, which saves memory: there may be millions."""
    fits = not len(numbers) or numbers.max() <= np.iinfo(np.int32).max
    return numbers.astype(np.int32) if fits else numbers
