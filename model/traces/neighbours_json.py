"""JSON files that are no traces of a GPU, although they may look like some."""

import re

_PYTORCH = "record the run with torch.profiler, activities CPU and CUDA"
_FILES = (
    (
        rb'"schema"\s*:\s*"[\d.]+[^"]*".{0,400}"(?:nodes|pid)"\s*:',
        "an execution trace of PyTorch (Chakra), which holds operators without times "
        "of kernels; open the profiler's own trace of the same run",
    ),
    (
        rb'"\$schema"\s*:\s*"[^"]*speedscope|"exporter"\s*:\s*"speedscope',
        "a speedscope profile, which samples the CPU; record the run with a profiler "
        "of the GPU",
    ),
    (
        rb'"(?:pg_status|comm_lib_version)"\s*:',
        "a dump of PyTorch's NCCL flight recorder, which holds no times of kernels; "
        f"{_PYTORCH}",
    ),
    (
        rb'"(?:device_traces|allocator_settings)"\s*:',
        f"a memory snapshot of PyTorch, which holds no times of kernels; {_PYTORCH}",
    ),
    (
        rb'"nbformat"\s*:',
        "a notebook; open the trace that it recorded",
    ),
    (
        rb'"profilerVersion"|"samplesDescriptions?"|"cpuProfile"',
        "a profile of a CPU; record the run with a profiler of the GPU",
    ),
)
_CHROME_TRACES = (
    (
        rb'"pid"\s*:\s*"(?:CPU|CUDA) [Ff]unctions"',
        "a trace of the autograd profiler of 2018 to 2020, which tells neither streams "
        "nor when kernels truly ran; record the run with torch.profiler (PyTorch 1.8.1 "
        "or later)",
    ),
    (
        rb'"cat"\s*:\s*"(?:Op|Tensor|DataFlow)"',
        "a timeline of TensorFlow 1, which repeats the work of each device in several "
        "rows; record the run with the TensorFlow or JAX profiler",
    ),
    (
        rb'"cat"\s*:\s*"[^"]*(?:devtools|blink|v8|toplevel|cc,|loading)[^"]*"',
        "a trace of a web browser; open a trace of a GPU profiler",
    ),
    (
        rb'"viztracer_metadata"|"cat"\s*:\s*"FEE"',
        "a trace of VizTracer, which knows no GPU; record the run with a profiler of "
        "the GPU",
    ),
    (
        rb'"cat"\s*:\s*"(?:NEGOTIATE_)?(?:ALLREDUCE|BROADCAST|ALLGATHER)"'
        rb'|"name"\s*:\s*"NEGOTIATE_',
        "a timeline of Horovod, which tells operations of the CPU and no kernels; "
        f"{_PYTORCH}",
    ),
)
_EVENTS = b'"traceEvents"'
_FILE_PATTERNS = tuple((re.compile(one, re.S), words) for one, words in _FILES)
_TRACE_PATTERNS = tuple((re.compile(one), words) for one, words in _CHROME_TRACES)


def json_neighbour(head: bytes) -> str | None:
    """What a JSON document is that isn't read, and what to do; None if unknown."""
    is_trace = head.startswith(b"[") or _EVENTS in head
    for pattern, words in _TRACE_PATTERNS if is_trace else _FILE_PATTERNS:
        if pattern.search(head):
            return words
    return None
