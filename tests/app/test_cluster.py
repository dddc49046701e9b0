"""Files read on a Dask cluster of three processes, of which one dies on the way."""

import json
import os
import signal
import socket
import time
from threading import Timer

import dask
import distributed
import pytest

from overlap_widget.app import cluster as cluster_module
from overlap_widget.app.cluster import cluster
from overlap_widget.model.traces import TraceError
from overlap_widget.model.traces.batch import measure_paths

FILES, WORKERS, BUSY_S = 9, 3, 1.0


@pytest.fixture(scope="module")
def workers():
    """The address of a scheduler with three processes, without its dashboard."""
    quiet = {"dashboard_address": None, "silence_logs": 60}
    with (
        dask.config.set({"distributed.admin.log-format": "%(message)s"}),
        distributed.LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, **quiet
        ) as one,
    ):
        yield one.scheduler_address


@pytest.fixture
def traces(tmp_path):
    """Rank n computes n + 1 microseconds; the last file is broken."""
    kernel = {"ph": "X", "cat": "kernel", "name": "gemm", "args": {"device": 0}}
    paths = [tmp_path / f"rank{rank}.json" for rank in range(FILES)]
    for rank, path in enumerate(paths):
        events = [kernel | {"pid": 0, "tid": 7, "ts": 100, "dur": rank + 1}]
        document = {"distributedInfo": {"rank": rank}, "traceEvents": events}
        path.write_text(json.dumps(document))
    paths[-1].write_text("")
    return [str(path) for path in paths]


def computed_us(found):
    return [
        None
        if isinstance(one, TraceError)
        else round(one[0].total_rows[0].compute_s * 1e6)
        for _, one in found
    ]


def test_a_worker_that_dies_on_the_way_loses_no_file_and_counts_none_twice(
    workers, traces
):
    """All are busy at first, so that each has files ahead of it when one is killed."""
    with cluster(workers) as executor, distributed.Client(workers) as client:
        pids = list(client.run(os.getpid).values())
        assert len(pids) == WORKERS
        for _ in pids:
            executor.submit(time.sleep, BUSY_S)
        killer = Timer(BUSY_S / 2, os.kill, (pids[0], signal.SIGKILL))
        killer.start()
        found = list(measure_paths(traces, executor=executor))
        killer.join()
        alive = client.run(os.getpid, on_error="ignore").values()
        assert pids[0] not in alive
    assert [path for path, _ in found] == traces
    assert computed_us(found) == [*range(1, FILES), None]
    assert str(found[-1][1]).startswith(f"{traces[-1]}: ")


def test_leaving_early_leaves_the_cluster_free(workers, traces):
    with cluster(workers) as executor:
        found = measure_paths(traces, executor=executor)
        assert next(found)[0] == traces[0]
        found.close()
    with cluster(workers) as executor:
        assert executor.submit(sum, [1, 2]).result(timeout=30) == 3


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1:1", "Timed out trying to connect"),
        ("nowhere", "missing port number in address 'nowhere'"),
        ("foo://nowhere:1", "unknown address scheme 'foo'"),
    ],
)
def test_a_scheduler_that_does_not_answer_is_said(monkeypatch, address, reason):
    monkeypatch.setattr(cluster_module, "CONNECT_S", 0.2)
    with pytest.raises(ValueError, match="no Dask scheduler answers there") as caught:
        cluster(address).__enter__()
    assert f"--scheduler {address}: " in str(caught.value)
    assert reason in str(caught.value)


def test_something_else_that_listens_there_is_said(monkeypatch):
    monkeypatch.setattr(cluster_module, "CONNECT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ValueError, match="no Dask scheduler answers there"):
            cluster(address).__enter__()


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(cluster_module, "find_spec", lambda _: None)
    with pytest.raises(ValueError, match=r'pip install "overlap-widget\[cluster\]"'):
        cluster("127.0.0.1:8786").__enter__()
