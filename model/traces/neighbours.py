"""What a file is that isn't a trace: named, so that nobody guesses why it fails."""

import re
from pathlib import Path

READS = "this version reads PyTorch profiler JSON (.json, .json.gz)"

_MAGIC = {
    b"\x1f\x8b": "gzip inside gzip",
    b"PK\x03\x04": "a ZIP archive",
    b"SQLite format 3\x00": "an SQLite database (an Nsight Systems export?)",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
    b"\xfd7zXZ\x00": "compressed with xz",
    b"BZh": "compressed with bzip2",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    b"<": "an HTML or XML page",
}
_SUFFIXES = {
    ".nsys-rep": "an Nsight Systems report",
    ".qdrep": "an Nsight Systems report",
    ".ncu-rep": "an Nsight Compute report",
    ".pb": "a protocol buffer (of the XLA profiler?)",
    ".pickle": "a Python pickle",
    ".csv": "a table of comma-separated values",
}
_CSV_LINE = re.compile(rb"[^{}\[\]\r\n]*(?:,[^{}\[\]\r\n]*){3,}\r?\n")


def kind_of(path: str, start: bytes) -> str:
    """What the file is by its first bytes, else by its name."""
    for magic, kind in _MAGIC.items():
        if start.startswith(magic):
            return kind
    named = _SUFFIXES.get(Path(path).suffix.lower())
    if named:
        return named
    return _SUFFIXES[".csv"] if _CSV_LINE.match(start) else "not JSON"
