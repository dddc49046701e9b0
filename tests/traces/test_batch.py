"""Many files through executors: each once, in order, whatever happens to a process."""

import gzip
import json
import os
import pickle
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from functools import partial
from multiprocessing import get_context

import pytest

from overlap_widget.model.classes import Classes, Rule
from overlap_widget.model.timeline import Kind
from overlap_widget.model.traces import Options, TraceError
from overlap_widget.model.traces.batch import measure_paths
from overlap_widget.model.traces.measuring import Task, outcome, outcome_elsewhere

KERNEL = {"ph": "X", "cat": "kernel", "name": "gemm", "args": {"device": 0}}


@pytest.fixture
def traces(tmp_path):
    """Files of three ranks; rank n has n + 1 kernels."""
    for rank in range(3):
        events = [
            KERNEL | {"pid": 0, "tid": 7, "ts": 10 * at, "dur": 5}
            for at in range(1, rank + 2)
        ]
        text = json.dumps({"distributedInfo": {"rank": rank}, "traceEvents": events})
        (tmp_path / f"rank{rank}.json").write_text(text)
    return [str(tmp_path / f"rank{rank}.json") for rank in range(3)]


def computed_s(found):
    """Of each file, by its path; the sentence of one that can't be read."""
    return [
        (path, str(one) if isinstance(one, TraceError) else round(busy(one) * 1e6))
        for path, one in found
    ]


def busy(files):
    return sum(row.compute_s for file in files for row in file.total_rows)


def test_files_come_in_their_order_one_after_the_other(traces):
    found = list(measure_paths(traces[::-1]))
    assert computed_s(found) == [(traces[2], 15), (traces[1], 10), (traces[0], 5)]
    assert [one[0].rank for _, one in found] == [2, 1, 0]


def test_a_file_that_is_named_twice_is_read_once(traces, tmp_path):
    (tmp_path / "again.json").symlink_to(traces[0])
    paths = [traces[0], traces[1], traces[0], str(tmp_path / "again.json")]
    assert [path for path, _ in measure_paths(paths)] == traces[:2]


def test_a_file_that_cannot_be_read_leaves_the_others(traces, tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text("")
    found = dict(measure_paths([traces[0], str(broken), traces[1]]))
    assert [len(one) for one in found.values() if not isinstance(one, TraceError)]
    assert str(found[str(broken)]).startswith(f"{broken}: ")


def test_no_files_are_no_work():
    assert list(measure_paths([])) == []
    with ThreadPoolExecutor() as threads:
        assert list(measure_paths([], executor=threads)) == []


def test_classes_and_limits_go_with_each_file(traces):
    aside = Classes((Rule("gemm", Kind.OTHER),))
    with ThreadPoolExecutor() as threads:
        found = list(measure_paths(traces, aside, executor=threads))
        assert [taken for _, taken in computed_s(found)] == [0, 0, 0]
        limited = Options(limit_bytes=10)
        for _, one in measure_paths(traces, options=limited, executor=threads):
            assert isinstance(one, TraceError)


def test_what_comes_back_is_small_and_can_be_sent(traces):
    ((_, (file,)),) = measure_paths(traces[:1])
    again = pickle.loads(pickle.dumps(file))
    assert again.step_rows == file.step_rows
    assert len(pickle.dumps(file)) < 5000


@pytest.mark.usefixtures("traces")
def test_relative_paths_stay_as_they_were_given(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with ThreadPoolExecutor() as threads:
        found = list(measure_paths(["rank0.json", "none.json"], executor=threads))
    (path, (file,)), (_, failure) = found
    assert (path, file.path, file.step_rows[0].file) == ("rank0.json",) * 3
    assert str(failure).startswith("none.json: ")


def test_progress_is_the_share_of_all_bytes(traces):
    heard = []
    sizes = [os.path.getsize(path) for path in traces]
    list(measure_paths(traces, options=Options(progress=heard.append)))
    for done in (sizes[0], sizes[0] + sizes[1], sum(sizes)):
        assert pytest.approx(done / sum(sizes)) in heard
    assert heard == sorted(heard)


def test_a_packed_file_counts_by_about_what_it_holds(traces, tmp_path):
    packed = tmp_path / "packed.json.gz"
    packed.write_bytes(gzip.compress(b'{"traceEvents": []}'))
    heard = []
    options = Options(progress=heard.append)
    paths = [str(packed), traces[0]]
    with ThreadPoolExecutor(1) as threads:
        list(measure_paths(paths, options=options, executor=threads))
    sizes = [10 * os.path.getsize(packed), os.path.getsize(traces[0])]
    assert heard == pytest.approx([sizes[0] / sum(sizes), 1])


class StopError(Exception):
    """What a listener raises to stop."""


def stop(_):
    raise StopError


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_listener_that_raises_ends_all_reading(traces, jobs):
    with pytest.raises(StopError):
        list(measure_paths(traces, options=Options(progress=stop), jobs=jobs))


class Slow(Executor):
    """Takes tasks and does none of them."""

    def __init__(self):
        self.futures = []

    def submit(self, *_, **__):
        self.futures.append(Future())
        return self.futures[-1]


def test_leaving_early_cancels_what_has_not_begun(traces):
    slow = Slow()
    found = measure_paths(traces, executor=slow)
    done = partial(outcome_elsewhere, Task(traces[0], traces[0], Classes(), None))
    later = ThreadPoolExecutor().submit(lambda: settle(slow, done))
    assert next(found)[0] == traces[0]
    later.result()
    found.close()
    assert [one.cancelled() for one in slow.futures] == [False, True, True]


def settle(slow, done):
    while not slow.futures:
        pass
    slow.futures[0].set_result(done())


class Failing(Executor):
    """Fails with an error the first times, then works."""

    def __init__(self, error, times):
        self.error, self.times, self.asked = error, times, []

    def submit(self, function, /, *given, **named):
        future = Future()
        self.asked.append(given[0].path)
        if self.asked.count(given[0].path) <= self.times:
            future.set_exception(self.error)
        else:
            future.set_result(function(*given, **named))
        return future


def test_a_file_that_was_lost_is_tried_once_more(traces):
    failing = Failing(OSError("worker left"), times=1)
    found = list(measure_paths(traces, executor=failing))
    assert computed_s(found) == computed_s(measure_paths(traces))
    assert sorted(failing.asked) == sorted(traces * 2)


def test_a_file_that_was_lost_twice_is_said_in_one_sentence(traces):
    failing = Failing(OSError("worker\nleft"), times=2)
    for path, one in measure_paths(traces[:2], executor=failing):
        assert str(one) == (
            f"{path}: the process that read it ended early, twice (OSError: worker "
            "left); see whether its machine has enough memory"
        )


def test_files_that_nobody_is_left_to_read_are_said(traces):
    # As a cluster does whose scheduler is gone; asking it again would never end.
    gone = Slow()
    found = measure_paths(traces, executor=gone)
    later = ThreadPoolExecutor().submit(lambda: cancel_all(gone, len(traces)))
    for path, one in found:
        assert str(one).startswith(f"{path}: wasn't read, since what should have")
    later.result()
    assert len(gone.futures) == len(traces)


def cancel_all(slow, count):
    while len(slow.futures) < count:
        pass
    for future in slow.futures:
        future.cancel()
        future.set_running_or_notify_cancel()


def test_an_executor_that_is_closed_loses_nothing_in_silence(traces):
    with ThreadPoolExecutor() as closed:
        pass
    found = list(measure_paths(traces, executor=closed))
    assert [path for path, _ in found] == traces
    assert all("cannot schedule new futures" in str(one) for _, one in found)


def test_a_fault_of_ours_elsewhere_is_a_sentence_too(traces, monkeypatch):
    def fault(*_):
        raise KeyError("dur")

    monkeypatch.setattr(f"{outcome.__module__}.load_all", fault)
    with ThreadPoolExecutor() as threads:
        ((path, one),) = measure_paths(traces[:1], executor=threads)
    said = f"{path}: reading it failed (KeyError: 'dur'); please report this"
    assert str(one) == said
    with pytest.raises(KeyError):
        list(measure_paths(traces[:1]))


def test_too_little_memory_is_a_sentence(traces, monkeypatch):
    def fault(*_):
        raise MemoryError

    monkeypatch.setattr(f"{outcome.__module__}.load_all", fault)
    ((path, one),) = measure_paths(traces[:1])
    assert str(one).startswith(f"{path}: there isn't enough memory to read it")


class Deadly(str):
    """A path at which a process dies when it hears of it, as for want of memory."""

    __slots__ = ("marks",)

    def __reduce__(self):
        exits = "__import__('os')._exit(1)"
        if getattr(self, "marks", None) is None:
            return eval, (exits,)
        exists = f"__import__('os').path.exists({self.marks!r})"
        return eval, (
            f"{str(self)!r} if {exists} else (open({self.marks!r}, 'w'), {exits})",
        )


def test_a_process_that_dies_loses_only_the_file_that_it_dies_of(traces):
    paths = [traces[0], Deadly(traces[1]), traces[2]]
    found = list(measure_paths(paths, jobs=2))
    (_, first), (path, said), (_, last) = computed_s(found)
    assert (first, last) == (5, 15)
    assert said.startswith(f"{path}: the process that read it ended early, twice (")
    assert "BrokenProcessPool" in said


def test_a_process_that_dies_once_loses_nothing(traces, tmp_path):
    once = Deadly(traces[1])
    once.marks = str(tmp_path / "died")
    heard = []
    options = Options(progress=heard.append)
    found = list(measure_paths([traces[0], once, traces[2]], options=options, jobs=2))
    assert computed_s(found) == computed_s(measure_paths(traces))
    assert heard == sorted(heard)
    assert heard[-1] == pytest.approx(1)
    assert (tmp_path / "died").exists()


def test_a_pool_whose_process_has_died_is_helped_out(traces):
    with ProcessPoolExecutor(1, get_context("spawn")) as broken:
        with pytest.raises(BrokenExecutor):
            broken.submit(os._exit, 1).result()
        found = list(measure_paths(traces, executor=broken))
    assert computed_s(found) == computed_s(measure_paths(traces))
