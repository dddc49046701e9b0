"""How much faster several processes read the files of many ranks than one does.

Run by hand: `.venv/bin/python tests/bench/batch.py [RANKS [MB]]`. It writes a trace for
each rank, then reads all of them in turn, in two processes of its own and on a Dask
cluster with two workers, in several rounds of one run. The start of the processes
counts, that of the cluster doesn't: it stands ready. Look at the ratios.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import distributed
from kineto_text import write_trace

from overlap_widget.app.cluster import cluster
from overlap_widget.model.ranks_compared import compare_ranks
from overlap_widget.model.traces.batch import measure_paths

ROUNDS = 3
RANK = b'"rank": 0'


def write_ranks(folder, ranks, size_mb):
    """The same trace for each rank, but for its number."""
    paths = [folder / f"rank{rank}.json" for rank in range(ranks)]
    write_trace(paths[0], size_mb * 1e6)
    with paths[0].open("rb") as file:
        head, rest = file.read(4096), file.read()
    assert RANK in head, "the trace no longer says where its rank stands"
    for rank, path in enumerate(paths[1:], start=1):
        path.write_bytes(head.replace(RANK, b'"rank": %d' % rank) + rest)
    return [str(path) for path in paths]


def seconds(paths, **where):
    """Wall time to read all files, and what was measured."""
    begun = time.perf_counter()
    found = [file for _, files in measure_paths(paths, **where) for file in files]
    return time.perf_counter() - begun, found


def main():
    ranks = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    size_mb = float(sys.argv[2]) if len(sys.argv) > 2 else 50
    with (
        tempfile.TemporaryDirectory() as folder,
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as dask,
        cluster(dask.scheduler_address) as executor,
    ):
        paths = write_ranks(Path(folder), ranks, size_mb)
        places = {
            "in turn": {"jobs": 1},
            "2 processes": {"jobs": 2},
            "Dask, 2 workers": {"executor": executor},
        }
        times = {name: [] for name in places}
        for _ in range(ROUNDS):
            for name, where in places.items():
                taken_s, found = seconds(paths, **where)
                times[name].append(taken_s)
        begun = time.perf_counter()
        compare_ranks(found)
        compared_s = time.perf_counter() - begun
    print(f"{ranks} ranks of {size_mb:.0f} MB  wall s    MB/s   x in turn")
    in_turn_s = statistics.median(times["in turn"])
    for name, taken in times.items():
        middle_s = statistics.median(taken)
        rate = ranks * size_mb / middle_s
        print(f"{name:18} {middle_s:8.2f} {rate:7.0f} {in_turn_s / middle_s:9.2f}")
    print(f"comparing them     {compared_s:8.2f}")


if __name__ == "__main__":
    main()
