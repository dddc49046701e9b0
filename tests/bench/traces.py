"""How fast and how lean a trace is read, beside other readers, in one run.

Run by hand: `.venv/bin/python tests/bench/traces.py [MB ...] [--hta PYTHON]`, where
PYTHON is an interpreter that has HolisticTraceAnalysis. It writes traces in the layout
of the PyTorch profiler, then reads each in a process of its own, plain and gzipped, by
turns: with `load`, as a whole document with `json`, and with HTA. Imports don't count.
Look at the ratios: everything here depends on the machine, and on what else it does;
where that is much, the CPU tells more than the wall.
"""

import argparse
import gzip
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from kineto_text import write_trace

SIZES_MB = (50, 500)
TURNS = 5
SMALL_MB = 100  # of larger files slow readers get one turn
MOST_MB = 600  # a whole document takes five times its size in memory
LOAD = "from overlap_widget.model.traces import load", "load(path)"
PACKED = LOAD[0], "load(path + '.gz')"
JSON = "import json", "json.load(open(path, encoding='utf-8'))"
HTA = (
    "import os; from hta.trace_analysis import TraceAnalysis",
    "TraceAnalysis(trace_files={0: path}, trace_dir=os.path.dirname(path))",
)
MEASURE = """
import resource, sys, time
path = sys.argv[1]
{imports}
begun, cpu = time.perf_counter(), time.process_time()
{read}
wall = time.perf_counter() - begun
own, rest = (resource.getrusage(who) for who in (resource.RUSAGE_SELF,
                                                 resource.RUSAGE_CHILDREN))
cpu = time.process_time() - cpu + rest.ru_utime + rest.ru_stime
print()
print(wall, cpu, max(own.ru_maxrss, rest.ru_maxrss))
"""


def measured(reader, path, python=sys.executable):
    """Wall and CPU seconds, and peak memory in MB, of reading in a fresh process."""
    imports, read = reader
    done = subprocess.run(
        [python, "-c", MEASURE.format(imports=imports, read=read), str(path)],
        check=True,
        capture_output=True,
        text=True,
    )
    wall_s, cpu_s, peak_kib = map(float, done.stdout.splitlines()[-1].split())
    return wall_s, cpu_s, peak_kib * 1024 / 1e6


def compare(path, size_mb, hta):
    """Rows of the table: a name, and the medians of some turns."""
    readers = {"overlap": (LOAD,), "overlap, .gz": (PACKED,)}
    slow = {"json": (JSON,)} | ({"HTA": (HTA, hta)} if hta else {})
    if size_mb >= MOST_MB:
        slow = {}
    turns = {name: [] for name in (*readers, *slow)}
    for turn in range(TURNS):
        for name, (reader, *python) in (readers | slow).items():
            if name in readers or turn == 0 or size_mb < SMALL_MB:
                turns[name].append(measured(reader, path, *python))
    return {
        name: [statistics.median(values) for values in zip(*rows, strict=True)]
        for name, rows in turns.items()
    }


def show(rows, size_mb, kernels):
    print(f"\n{size_mb:.0f} MB, {kernels:,} pieces of GPU work")
    print("                                               times that of overlap")
    print("                wall s    CPU s    MB/s  peak MB      wall     CPU")
    best_wall_s, best_cpu_s, _ = rows["overlap"]
    for name, (wall_s, cpu_s, peak_mb) in rows.items():
        print(
            f"{name:13} {wall_s:8.2f} {cpu_s:8.2f} {size_mb / wall_s:7.0f} "
            f"{peak_mb:8.0f} {wall_s / best_wall_s:9.1f} {cpu_s / best_cpu_s:7.1f}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sizes_mb", type=float, nargs="*", default=SIZES_MB)
    parser.add_argument("--hta", help="a Python that has HolisticTraceAnalysis")
    given = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}")
    for size_mb in given.sizes_mb:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "trace.json"
            kernels = write_trace(path, size_mb * 1e6)
            with path.open("rb") as plain, gzip.open(f"{path}.gz", "wb", 6) as packed:
                shutil.copyfileobj(plain, packed, 1 << 20)
            real_mb = path.stat().st_size / 1e6
            show(compare(path, real_mb, given.hta), real_mb, kernels)
    print(f"\nload of the machine after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
