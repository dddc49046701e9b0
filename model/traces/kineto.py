"""A PyTorch profiler (Kineto) trace as a Recording.

Read are Chrome JSON files since 2020, from NVIDIA and AMD GPUs. GPU work is kernels,
copies and fills; annotations and synchronisation are neither compute nor
communication and are left aside. Times are microseconds in the file.
"""

from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import sentences
from overlap_widget.model.traces.assembled import About, assembled
from overlap_widget.model.traces.chrome_json import Reading, events
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.gathering import (
    GLOO_RANGE,
    WANTED,
    XLA_PROCESSES,
    gather,
)
from overlap_widget.model.traces.gpu_events import GpuEvents
from overlap_widget.model.traces.options import Options
from overlap_widget.model.traces.rank import rank_in
from overlap_widget.model.traces.source import READS, chunks

FORMAT = "PyTorch profiler (Kineto)"


def load(path: str, options: Options) -> tuple[Recording, ...]:
    """The one recording of a trace; raises TraceError with the reason."""
    reading = Reading()
    pieces = chunks(path, reading.damage, options.progress)
    found = gather(events(path, pieces, WANTED, reading))
    if not len(found.work["name"]):
        raise TraceError(f"{path}: {_why_no_work(found)}")
    about = About(
        path=path,
        format=FORMAT,
        rank=rank_in([reading.head, *reading.notes]),
        warnings=tuple(sentences.on_damage(reading.damage)),
    )
    return (assembled(found, about),)


def _why_no_work(found: GpuEvents) -> str:
    if found.seen[XLA_PROCESSES[0]]:
        return f"is a JAX/XLA trace, which isn't read yet; {READS}"
    why = "no GPU work in the file (permissions, WSL, or CUDA activity off)"
    if found.seen[GLOO_RANGE]:
        why += "; its gloo communication ran on the CPU"
    return f"{why}; profile a run on a GPU with ProfilerActivity.CUDA"
