"""The GPU trace that `nsys stats` prints as CSV, as Recordings.

Read are cuda_gpu_trace, also under its old name gputrace, and cuda_kern_exec_trace,
between whatever else the command printed. Times are in the unit of the header. The
table tells neither steps nor ranks.
"""

from collections import Counter

from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import sentences
from overlap_widget.model.traces.assembled import About, assembled
from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.gpu_events import RANGES, GpuEvents, no_columns
from overlap_widget.model.traces.nsys_csv_layout import is_header
from overlap_widget.model.traces.nsys_csv_rows import Found, Trace, traces_in
from overlap_widget.model.traces.options import Options
from overlap_widget.model.traces.separated import has_header, table_rows

FORMAT = "Nsight Systems (CSV)"
NO_MARKS = (
    "the table of nsys stats tells no steps, so the whole capture is shown as one "
    "step; for steps open the report exported with `nsys export --type sqlite`"
)
_OTHER_REPORTS = "holds no kernels of the GPU but other reports of nsys stats"
_COPIES = "holds copies and fills and no kernels of the GPU"
_NO_ROWS = "its table has no rows"
_PRINT = "print the trace with `nsys stats -r cuda_gpu_trace --format csv`"


def recognises(head: bytes) -> bool:
    """Whether the start of a file holds the header of a table of `nsys stats`."""
    return has_header(head, is_header)


def load(path: str, options: Options) -> tuple[Recording, ...]:
    """The recordings of the traces in a file; raises TraceError with the reason."""
    damage: Counter[str] = Counter()
    rows = table_rows(path, options, is_header, damage)
    found = traces_in(path, rows, damage)
    timeless = found.timeless
    traces = [trace for trace in found.traces if trace.has_kernels]
    if not traces:
        early_end = sentences.on_early_end(damage)
        raise TraceError(
            f"{path}: {early_end or f'{_why_no_kernels(found)}; {_PRINT}'}"
        )
    said = sentences.on_damage(damage)
    if timeless:
        said.append(sentences.on_timeless(timeless))
    if len(traces) > 1:
        said.append(
            f"the file holds {len(traces)} traces, which are taken for ranks in the "
            "order in which they stand"
        )
    return tuple(
        _recording(path, trace, rank if len(traces) > 1 else None, said)
        for rank, trace in enumerate(traces)
    )


def _why_no_kernels(found: Found) -> str:
    if found.timeless:
        unread = sentences.counted(found.timeless, "row")
        return f"none of its {unread} has a time that can be read"
    if found.traces:
        return _COPIES
    return _NO_ROWS if found.has_header else _OTHER_REPORTS


def _recording(path: str, trace: Trace, rank: int | None, said: list[str]) -> Recording:
    events = GpuEvents(
        work=trace.work,
        names=trace.names,
        groups=(),
        launches=trace.launches,
        ranges=no_columns(RANGES),
        marks=(),
    )
    about = About(path, FORMAT, rank, warnings=tuple(said), no_marks=NO_MARKS)
    return assembled(events, about)
