"""A PyTorch profiler (Kineto) trace as a Recording.

Read are Chrome JSON files since 2020, from NVIDIA and AMD GPUs. GPU work is kernels,
copies and fills; annotations and synchronisation are neither compute nor
communication and are left aside. Times are microseconds in the file.
"""

import re
from collections import Counter
from contextlib import closing

import msgspec

from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import sentences
from overlap_widget.model.traces.assembled import About, assembled
from overlap_widget.model.traces.chrome_json import Reading, typed_events
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.gathering import gather
from overlap_widget.model.traces.gpu_events import GpuEvents
from overlap_widget.model.traces.kineto_events import KinetoEvent, event_of
from overlap_widget.model.traces.kineto_layout import wanted_texts
from overlap_widget.model.traces.kineto_names import (
    ASIDE,
    ENDLESS,
    GLOO_RANGE,
    HOST_RANGES,
    LAUNCH_NOTHING,
    PROCESSES,
    UNKNOWN_CATEGORY,
)
from overlap_widget.model.traces.options import Options
from overlap_widget.model.traces.rank import base_ns_in, rank_in
from overlap_widget.model.traces.source import chunks
from overlap_widget.model.traces.typed_events import Typed
from overlap_widget.model.traces.wanted_events import Wanted

FORMAT = "PyTorch profiler (Kineto)"

_LONG_AGO_NS = 10**18  # since 1970: no machine runs so long, and no capture is older

_WANTED = Wanted(
    re.compile(
        rb'"cat"\s*:\s*"(?!(?i:%s)")(?![^"]*"\s*,\s*"name"\s*:\s*"%s)'
        % (ASIDE.encode(), LAUNCH_NOTHING.encode())
    ),
    texts=tuple(f'"{start}'.encode() for start in HOST_RANGES),
)
_CATEGORY = re.compile(rb'"cat"\s*:')
_TYPED = Typed(msgspec.json.Decoder(list[KinetoEvent]), event_of, wanted_texts)


def recognises(text: bytes) -> bool:
    """Whether a piece of a Chrome trace gives its events categories, as Kineto does."""
    return bool(_CATEGORY.search(text))


def load(path: str, options: Options) -> tuple[Recording, ...]:
    """The one recording of a trace; raises TraceError with the reason."""
    reading = Reading()
    pieces = chunks(path, reading.damage, options.progress, options.limit_bytes)
    with closing(pieces):  # and the file, also when the reading is cancelled
        found = gather(typed_events(path, pieces, _WANTED, _TYPED, reading))
    if not len(found.work["name"]):
        raise TraceError(f"{path}: {_why_no_work(found, reading.damage)}")
    notes = [reading.head, *reading.notes]
    about = About(
        path=path,
        format=FORMAT,
        rank=rank_in(notes),
        base_ns=_base_ns(found, base_ns_in(notes)),
        warnings=(*sentences.on_damage(reading.damage), *_of_odd_rows(found)),
    )
    return (assembled(found, about),)


def _base_ns(found: GpuEvents, noted_ns: int) -> int:
    """What to add to the times of the file; nothing if they are since 1970 already."""
    return 0 if found.work["start_ns"].max() >= _LONG_AGO_NS else noted_ns


def _of_odd_rows(found: GpuEvents) -> list[str]:
    """What stands on rows of a GPU and isn't read, or is of several processes."""
    seen = found.seen
    unknown = {
        key.removeprefix(UNKNOWN_CATEGORY): count
        for key, count in seen.items()
        if key.startswith(UNKNOWN_CATEGORY)
    }
    merged = [key.removeprefix(PROCESSES) for key in seen if key.startswith(PROCESSES)]
    return [
        *sentences.on_unknown_categories(unknown),
        *sentences.on_endless(seen[ENDLESS]),
        *sentences.on_several_processes(merged),
    ]


def _why_no_work(found: GpuEvents, damage: Counter[str]) -> str:
    early_end = sentences.on_early_end(damage)
    if early_end:
        return early_end
    odd = [*sentences.on_lost(damage), *_of_odd_rows(found)]
    if odd:
        said = "; ".join([*odd, "record the run again"])
        return f"no GPU work that can be read in the file: {said}"
    why = "no GPU work in the file (permissions, WSL, or CUDA activity off)"
    if found.seen[GLOO_RANGE]:
        why += "; its gloo communication ran on the CPU"
    return f"{why}; profile a run on a GPU with ProfilerActivity.CUDA"
