"""Reading can be stopped, and takes bounded memory and time whatever the file holds."""

import gzip
import os
import time
import tracemalloc
from pathlib import Path

import pytest

from overlap_widget.model.traces import Options, TraceError, event_runs, load_all

KERNEL = b'{"ph":"X","cat":"kernel","name":"gemm","ts":%d,"dur":5,"args":{"stream":7}}'
OPEN_FILES = Path("/proc/self/fd")


def trace_of(count):
    return b"[%s]" % b",".join(KERNEL % (10 * at) for at in range(count))


@pytest.fixture
def written(tmp_path):
    def write(content, name="trace.json"):
        path = tmp_path / name
        path.write_bytes(content)
        return str(path)

    return write


class CancelledError(Exception):
    """What the user of a progress bar raises."""


@pytest.mark.skipif(not OPEN_FILES.exists(), reason="tells open files on Linux only")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_cancelled_reading_leaves_no_file_open(written, pack):
    def cancel(share):
        raise CancelledError(f"at {share}")

    path = written(pack(trace_of(5000)))
    before = len(os.listdir(OPEN_FILES))
    with pytest.raises(CancelledError) as cancelled:
        load_all(path, options=Options(progress=cancel))
    # the traceback still holds all frames
    assert len(os.listdir(OPEN_FILES)) == before, cancelled


def test_a_bomb_is_refused_before_it_unpacks(written):
    path = written(gzip.compress(b"[" + b" " * 30_000_000 + b"]"))
    tracemalloc.start()
    with pytest.raises(TraceError, match="more than 3 MB"):
        load_all(path, options=Options(limit_bytes=3_000_000))
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak_bytes < 15_000_000


@pytest.mark.parametrize("start", [b'{"a":"', b'[{"name":"', b'{"traceEvents":['])
def test_text_without_end_is_refused_soon(written, monkeypatch, start):
    monkeypatch.setattr(event_runs, "HELD_BYTES", 4 << 20)
    begun = time.process_time()
    with pytest.raises(TraceError):
        load_all(written(start + b"x" * (6 << 20)))
    assert time.process_time() - begun < 5


def test_many_events_take_little_memory_beside_their_columns(written):
    path = written(trace_of(20_000))
    tracemalloc.start()
    (recording,) = load_all(path)
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(recording.spans) == 20_000
    assert peak_bytes < 20_000 * 200 + 5_000_000
