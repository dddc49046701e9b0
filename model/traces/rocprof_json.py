"""The JSON of AMD's rocprofv3 as Recordings: one a process.

Read are kernels and memory copies, the HIP calls that launched them, roctx ranges that
name steps and phases, and calls of RCCL. Times are nanoseconds.
"""

from collections import Counter

import msgspec

from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import sentences
from overlap_widget.model.traces.assembled import About
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.options import Options
from overlap_widget.model.traces.rocprof_json_records import (
    DECODER,
    Document,
    Process,
)
from overlap_widget.model.traces.rocprof_json_rows import nameless, rows_of
from overlap_widget.model.traces.source import chunks

FORMAT = "rocprofv3 (JSON)"
KEY = b'"rocprofiler-sdk-tool"'
NO_MARKS = (
    "no step is marked, so the whole capture is shown as one step; call "
    'roctxRangePush("step 3") and roctxRangePop() around each training step, and '
    "record with --marker-trace and --hip-trace"
)
_NO_WORK = (
    "holds no kernels and no copies; record the run with `rocprofv3 --kernel-trace "
    "--memory-copy-trace --output-format json`"
)


def recognises(head: bytes) -> bool:
    """Whether the start of a file holds the key under which all else stands."""
    return KEY in head


def load(path: str, options: Options) -> tuple[Recording, ...]:
    """The recordings of the file; raises TraceError with the reason."""
    damage: Counter[str] = Counter()
    pieces = chunks(path, damage, options.progress, options.limit_bytes)
    processes = _decoded(path, b"".join(pieces), damage)
    read = [(process.metadata.pid, rows_of(process)) for process in processes]
    worked = sorted(
        ((pid, rows) for pid, rows in read if rows.work), key=lambda one: one[0]
    )
    if not worked:
        raise TraceError(f"{path}: {sentences.on_early_end(damage) or _NO_WORK}")
    several = len(worked) > 1
    said = [*sentences.on_damage(damage), *_of_nameless(processes)]
    if several:
        said.append(
            f"the file doesn't tell ranks, so its {len(worked)} processes are numbered "
            "in the order of their ids"
        )
    return tuple(
        rows.recording(_about(path, rank if several else None, said))
        for rank, (_, rows) in enumerate(worked)
    )


def _decoded(path: str, text: bytes, damage: Counter[str]) -> list[Process]:
    try:
        document: Document = DECODER.decode(text)
    except msgspec.ValidationError as error:
        raise TraceError(
            f"{path}: isn't what rocprofv3 writes ({error}); record the run again, or "
            "with --output-format csv"
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        why = sentences.on_early_end(damage) or (
            f"the JSON is damaged or cut off ({error}); copy the file again, or record "
            "the run again"
        )
        raise TraceError(f"{path}: {why}") from None
    return document.tool if isinstance(document.tool, list) else [document.tool]


def _of_nameless(processes: list[Process]) -> list[str]:
    """Kernels whose symbols are missing: nothing tells whether they communicate."""
    count = sum(nameless(process) for process in processes)
    if not count:
        return []
    verb = "counts" if count == 1 else "count"
    kernels = sentences.counted(count, "kernel")
    return [f"{kernels} without a name {verb} as compute"]


def _about(path: str, rank: int | None, said: list[str]) -> About:
    return About(path, FORMAT, rank, warnings=tuple(said), no_marks=NO_MARKS)
