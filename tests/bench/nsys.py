"""How fast and how lean an Nsight Systems export is read, beside SQLite itself.

Run by hand: `.venv/bin/python tests/bench/nsys.py [KERNELS ...]`. It makes an export in
the columns of 2026, with as many launches as kernels and a tenth of NVTX ranges, then
reads it in processes of its own by turns: with `load_all`, as SQLite's own scan of the
kernels (count and sums, the least that any reader can take), and by fetching all rows
of the kernels into an array. Imports don't count. Look at the ratios: everything here
depends on the machine, and on what else it does.
"""

import argparse
import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

KERNELS = (1_000_000,)
TURNS = 5
PROCESS = 281477392629760
THREAD = PROCESS + 144
A_STEP = 2000  # kernels
NAMES = (
    "void at::native::elementwise_kernel<(int)128, (int)2>(int, T3)",
    "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64",
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage)",
    "void flash_bwd_kernel<Flash_bwd_kernel_traits>(Flash_bwd_params)",
)
# between those that are read lie others, as in a real export
KERNEL_COLUMNS = (
    "start end deviceId contextId greenContextId streamId correlationId globalPid "
    "demangledName shortName mangledName launchType cacheConfig registersPerThread "
    "gridX gridY gridZ blockX blockY blockZ staticSharedMemory dynamicSharedMemory "
    "localMemoryPerThread localMemoryTotal gridId sharedMemoryExecuted graphNodeId "
    "sharedMemoryLimitConfig qmdBulkReleaseDone qmdPreexitDone qmdLastCtaDone graphId "
    "clusterX clusterY clusterZ"
)
LAUNCH_COLUMNS = "start end eventClass globalTid correlationId nameId returnValue"
RANGE_COLUMNS = "start end eventType text globalTid textId domainId"
READ = "start, end, deviceId, streamId, correlationId, globalPid, demangledName"
READERS = {
    "overlap": (
        "from overlap_widget.model.traces import load_all",
        "load_all(path)",
    ),
    "SQLite's scan": (
        "import sqlite3",
        "sqlite3.connect(path).execute('SELECT count(*), sum(end - start), "
        "sum(correlationId) FROM CUPTI_ACTIVITY_KIND_KERNEL').fetchall()",
    ),
    "fetchall": (
        "import sqlite3, numpy",
        f"numpy.array(sqlite3.connect(path).execute('SELECT {READ} FROM "
        "CUPTI_ACTIVITY_KIND_KERNEL').fetchall())",
    ),
}
MEASURE = """
import resource, sys, time
path = sys.argv[1]
{imports}
begun, cpu = time.perf_counter(), time.process_time()
{read}
print(time.perf_counter() - begun, time.process_time() - cpu,
      resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def write_export(path, kernels):
    """An export of so many kernels, in steps that NVTX ranges mark."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        fill(
            connection,
            "CUPTI_ACTIVITY_KIND_KERNEL",
            KERNEL_COLUMNS.split(),
            work(kernels),
        )
        fill(
            connection,
            "CUPTI_ACTIVITY_KIND_RUNTIME",
            LAUNCH_COLUMNS.split(),
            launches(kernels),
        )
        fill(connection, "NVTX_EVENTS", RANGE_COLUMNS.split(), ranges(kernels))
        connection.execute(
            "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)"
        )
        connection.executemany("INSERT INTO StringIds VALUES (?, ?)", enumerate(NAMES))
        connection.commit()


def fill(connection, table, columns, rows):
    typed = ", ".join(f'"{column}" INTEGER' for column in columns)
    connection.execute(f"CREATE TABLE {table} ({typed})")
    marks = ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def work(kernels):
    rng = random.Random(7)
    columns = KERNEL_COLUMNS.split()
    row, place = [0] * len(columns), columns.index
    row[place("contextId")], row[place("globalPid")] = 1, PROCESS
    row[place("graphNodeId")] = None
    row[place("localMemoryTotal")] = 250871808
    start_ns = 60_000_000_000
    for number in range(kernels):
        name = number % len(NAMES)
        length_ns = rng.randrange(2000, 90_000)
        row[:2] = start_ns, start_ns + length_ns
        row[place("streamId")] = 20 if name == 2 else 7
        row[place("correlationId")] = row[place("gridId")] = number + 1
        row[place("demangledName")] = row[place("shortName")] = name
        start_ns += length_ns + 500
        yield tuple(row)


def launches(kernels):
    for number in range(kernels):
        start_ns = 59_000_000_000 + number * 10_000
        yield start_ns, start_ns + 4000, 0, THREAD, number + 1, 9, 0


def ranges(kernels):
    for number in range(0, kernels, 10):
        start_ns = 59_000_000_000 + number * 10_000 - 100
        text, length = f"aten::linear, seq = {number}, op_id = {number}", 10
        if number % A_STEP == 0:
            text, length = f"iteration {number // A_STEP}", A_STEP
        yield start_ns, start_ns + length * 10_000 - 1, 59, text, THREAD, None, 0


def measured(reader, path):
    """Wall and CPU seconds, and peak memory in MB, of reading in a fresh process."""
    imports, read = reader
    done = subprocess.run(
        [sys.executable, "-c", MEASURE.format(imports=imports, read=read), str(path)],
        check=True,
        capture_output=True,
        text=True,
    )
    wall_s, cpu_s, peak_kib = map(float, done.stdout.split())
    return wall_s, cpu_s, peak_kib * 1024 / 1e6


def show(turns, size_mb, kernels):
    print(f"\n{size_mb:.0f} MB, {kernels:,} kernels and as many launches")
    print("                 wall s    CPU s  peak MB    times SQLite's scan: CPU")
    rows = {
        name: [statistics.median(values) for values in zip(*found, strict=True)]
        for name, found in turns.items()
    }
    for name, (wall_s, cpu_s, peak_mb) in rows.items():
        ratio = cpu_s / rows["SQLite's scan"][1]
        print(f"{name:14} {wall_s:8.2f} {cpu_s:8.2f} {peak_mb:8.0f} {ratio:26.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kernels", type=int, nargs="*", default=KERNELS)
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    for kernels in parser.parse_args().kernels:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "report.sqlite"
            write_export(path, kernels)
            turns = {name: [] for name in READERS}
            for _ in range(TURNS):
                for name, reader in READERS.items():
                    turns[name].append(measured(reader, path))
            show(turns, path.stat().st_size / 1e6, kernels)
    print(f"\nload of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
