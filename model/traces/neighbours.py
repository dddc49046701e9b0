"""What a file is that isn't a trace: named, so that nobody guesses why it fails.

Its first bytes decide. Where they tell nothing its name gives a hint, never more.
"""

import re
from pathlib import Path

READS = (
    "read are traces of the PyTorch profiler and of JAX/XLA (JSON), Nsight Systems "
    "(SQLite, or CSV of nsys stats) and rocprofv3 (CSV, JSON), plain or packed as .gz "
    "or .zip"
)

UTF_16 = re.compile(rb"[\[{]\x00[^\x00]\x00")
"""JSON of two bytes a letter, without a mark before it."""

_UNPACK = "unpack it and open what is inside"
_NSYS = "an Nsight Systems report; export it with `nsys export --type sqlite REPORT`"
_ARROW = "export it as SQLite instead, with `nsys export --type sqlite REPORT`"
_PICTURE = "a picture; open the trace that it shows"
_MAGIC = (
    (b"\x1f\x8b", f"gzip inside gzip; {_UNPACK}"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd; unpack it with `unzstd FILE`"),
    (b"\xfd7zXZ\x00", "compressed with xz; unpack it with `unxz FILE`"),
    (b"BZh", "compressed with bzip2; unpack it with `bunzip2 FILE`"),
    (b"\x04\x22\x4d\x18", "compressed with lz4; unpack it with `unlz4 FILE`"),
    (b"\x1f\x9d", "compressed with compress; unpack it with `uncompress FILE`"),
    (b"7z\xbc\xaf\x27\x1c", f"a 7-Zip archive; {_UNPACK}"),
    (b"Rar!", f"a RAR archive; {_UNPACK}"),
    (b"PK\x03\x04", f"a ZIP archive inside another file; {_UNPACK}"),
    (b"SQLite format 3\x00", f"an SQLite database; {READS}"),
    (b"PAR1", f"a Parquet file (of Nsight Systems?); {_ARROW}"),
    (b"ARROW1", f"an Arrow file (of Nsight Systems?); {_ARROW}"),
    (b"\x89HDF\r\n", f"an HDF5 file (of Nsight Systems?); {_ARROW}"),
    (b"NVR\x00", "an Nsight Compute report, which times single kernels and no run; "
     "record the run with Nsight Systems"),
    (b"PERFILE2", "a recording of Linux perf, which knows no GPU; record the run with "
     "a profiler of the GPU"),
    (b"\x93NUMPY", f"a numpy array; {READS}"),
    (b"\x7fELF", f"a program; {READS}"),
    (b"%PDF", f"a PDF document; {READS}"),
    (b"\x89PNG", _PICTURE),
    (b"\xff\xd8\xff", _PICTURE),
    (b"GIF8", _PICTURE),
    (b"\xff\xfe\x00\x00", "UTF-32 text; save it as UTF-8"),
    (b"\xff\xfe", "UTF-16 text, as PowerShell's > writes it; save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save it as UTF-8"),
)  # fmt: skip
_XPLANE = (
    "an XPlane protocol buffer of the XLA profiler (.xplane.pb); open the "
    ".trace.json.gz beside it, or convert it with xprof: "
    '`raw_to_tool_data.xspace_to_tool_data([FILE], "trace_viewer", {})`'
)
_PERFETTO = "convert it with `traceconv json FILE trace.json`"
_NCCL_LOG = (
    "a log of NCCL, which holds no times of kernels; record the run with a profiler"
)
_RECORDER = (
    "a dump of PyTorch's NCCL flight recorder, which holds no times of kernels; record "
    "the run with torch.profiler"
)
_SNAPSHOT = (
    "a memory snapshot of PyTorch, which holds no times of kernels; record the run "
    "with torch.profiler"
)
_BANNER = (
    "output of `nsys stats` without a table; print it again with `nsys stats -r "
    "cuda_gpu_trace --format csv`"
)
_CONTENTS = (
    (re.compile(rb"\x0a.{0,24}?(?:/device:|/host:|Task Env)", re.S), _XPLANE),
    (re.compile(
        rb"\x80[\x02-\x05].{0,4000}?(?:pg_config|pg_status|nccl_version)", re.S
     ), _RECORDER),
    (re.compile(rb"\x80[\x02-\x05].{0,4000}(?:device_traces|segments)", re.S),
     _SNAPSHOT),
    (re.compile(rb"\x80[\x02-\x05]"), f"a Python pickle; {READS}"),
    (UTF_16, "UTF-16 text; save it as UTF-8"),
    (re.compile(rb".{257}ustar", re.S), f"a tar archive; {_UNPACK}"),
    (re.compile(rb"<"), f"an HTML or XML page; {READS}"),
    (re.compile(rb"[^\n]{0,300}\bNCCL (?:INFO|WARN|TRACE)\b"), _NCCL_LOG),
)  # fmt: skip
_SUFFIXES = {
    ".nsys-rep": _NSYS,
    ".qdrep": _NSYS,
    ".qdstrm": "an unfinished Nsight Systems report; import it with `QdstrmImporter "
    "--input-file FILE`, then export it with `nsys export --type sqlite REPORT`",
    ".ncu-rep": "an Nsight Compute report, which times single kernels and no run; "
    "record the run with Nsight Systems",
    ".pb": _XPLANE,
    ".pftrace": f"a Perfetto trace; {_PERFETTO}",
    ".perfetto-trace": f"a Perfetto trace; {_PERFETTO}",
    ".pt": f"a file of torch.save; {READS}",
    ".pth": f"a file of torch.save; {READS}",
    ".pickle": f"a Python pickle; {READS}",
}
_TABLE = (
    "a table of comma-separated values, but neither of `nsys stats -r cuda_gpu_trace` "
    "nor of rocprofv3; open the trace that it was made from"
)
_TEXT_BEFORE = (
    "not JSON, since other text stands before the first brace; remove that text, "
    "or record the run again"
)
_EVENTS = re.compile(rb'[{,]\s*"(?:traceEvents|ph)"\s*:\s*["\[]')
_OF_NSYS = re.compile(rb"\s*(?:Generating SQLite file|Processing \[)")
_SCALAR = re.compile(rb'\s*(?:null|true|false|-?\d[\d.eE+-]*|"(?:[^"\\]|\\.)*")\s*')
_COMMAS, _BANNER_LINES = 3, 40
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]")


def what_it_is(path: str, start: bytes) -> str:
    """What the file is and what to do, as the end of a sentence: `is ...; ...`."""
    return known_kind(path, start) or (
        f"is {_kind_of_binary(start) if _BINARY.search(start) else _kind(start)}"
    )


def known_kind(path: str, start: bytes) -> str | None:
    """As `what_it_is`, where more than a guess tells it; None for any other file."""
    for magic, words in _MAGIC:
        if start.startswith(magic):
            return f"is {words}"
    for pattern, words in _CONTENTS:
        if pattern.match(start):
            return f"is {words}"
    named = _SUFFIXES.get(Path(path).suffix.lower())
    return f"is {named}" if named else None


def _kind_of_binary(start: bytes) -> str:
    if start.startswith(b"\x0a"):
        return f"a protocol buffer (of Perfetto?); {_PERFETTO}"
    return f"not JSON but a binary file of unknown kind; {READS}"


def _kind(start: bytes) -> str:
    """What a text is."""
    if _EVENTS.search(start):
        return _TEXT_BEFORE
    if _SCALAR.fullmatch(start):
        return f"JSON, but not a trace; {READS}"
    lines = start.splitlines()[:_BANNER_LINES]
    if any(line.count(b",") >= _COMMAS for line in lines):
        return _TABLE
    if _OF_NSYS.match(start):
        return _BANNER
    return f"not JSON; {READS}"
