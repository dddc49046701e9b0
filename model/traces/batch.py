"""Many files measured, each in a process of its own, through any executor.

Only what is measured comes back from a process, never the events. Where one dies, as
for want of memory, its file is tried once more, and no other is lost or read twice.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from dataclasses import replace
from functools import partial

from overlap_widget.model.classes import LOADED, Classes
from overlap_widget.model.traces.local_processes import (
    LocalProcesses,
    outcome_here,
    usable_cpus,
)
from overlap_widget.model.traces.measuring import (
    Outcome,
    Task,
    lost,
    outcome,
    outcome_elsewhere,
    unread,
)
from overlap_widget.model.traces.options import Options, Progress

WORTH_PROCESSES_BYTES = 400e6
"""With less, the time that processes take to start is more than they save."""
PACKED = (b"\x1f\x8b", b"PK")
PACKS_TO = 0.1

Read = Callable[[Task], Outcome]


def measure_paths(
    paths: Sequence[str],
    classes: Classes = LOADED,
    options: Options | None = None,
    executor: Executor | None = None,
    jobs: int | None = None,
) -> Iterator[tuple[str, Outcome]]:
    """Each file once, in the order of paths: its processes, or why it can't be read.

    options:  its progress hears the share of all files; what it raises ends all reading
    executor: where to read; else in so many processes here as `jobs` says, or as there
              are processors where that is worth while
    """
    options = options or Options()
    tasks = [_task(path, classes, options) for path in _each_once(paths)]
    heard = _Heard(tasks, options.progress)
    count = min(jobs or _worth_while(tasks), len(tasks))
    if executor is None and count <= 1:
        for task in tasks:
            yield task.path, _here(task, heard)
        return
    with LocalProcesses(max(1, count)) as local:
        if executor is None:
            yield from _through(local.executor, outcome_here, local.again, tasks, heard)
        else:
            again = partial(_again, executor, local.again)
            yield from _through(executor, outcome_elsewhere, again, tasks, heard)


def _task(path: str, classes: Classes, options: Options) -> Task:
    return Task(path, os.path.abspath(path), classes, options.limit_bytes)


def _each_once(paths: Sequence[str]) -> list[str]:
    """Without those that lead to a file which is there already."""
    places: dict[str, str] = {}
    for path in paths:
        places.setdefault(os.path.realpath(path), path)
    return list(places.values())


def _here(task: Task, heard: "_Heard") -> Outcome:
    found = outcome(replace(task, place=task.path), heard.within(task))
    heard.done(task)
    return found


def _through(
    executor: Executor, read: Read, again: Read, tasks: list[Task], heard: "_Heard"
) -> Iterator[tuple[str, Outcome]]:
    """The outcomes in the order of tasks; leaving early cancels those still to come."""
    futures: dict[Task, Future[Outcome]] = {
        task: _submitted(executor, read, task) for task in tasks if _travels(task)
    }
    unheard = {future: task for task, future in futures.items()}
    try:
        for task in tasks:
            if task not in futures:
                yield task.path, _here(task, heard)
                continue
            while not futures[task].done():
                for future in wait(unheard, return_when=FIRST_COMPLETED).done:
                    heard.done(unheard.pop(future))
            yield task.path, _result(futures[task], task, again)
    finally:
        for future in futures.values():
            future.cancel()


def _submitted(executor: Executor, read: Read, task: Task) -> Future[Outcome]:
    try:
        return executor.submit(read, task)
    except RuntimeError as error:  # as from a pool of which a process has died
        failed: Future[Outcome] = Future()
        failed.set_exception(error)
        return failed


def _result(future: Future[Outcome], task: Task, again: Read) -> Outcome:
    """What is read is a value, also where it is a fault, so an exception is a death."""
    try:
        return future.result()
    except CancelledError:  # the executor itself is gone, and would never answer
        return unread(task)
    except Exception:
        return again(task)


def _again(executor: Executor, alone: Read, task: Task) -> Outcome:
    """Once more where it was; a pool that lost one of its processes takes no more."""
    try:
        return executor.submit(outcome_elsewhere, task).result()
    except BrokenExecutor:
        return alone(task)
    except Exception as error:
        return lost(task, error)


def _travels(task: Task) -> bool:
    """Whether another process can open it: a pipe is of this one alone."""
    return os.path.isfile(task.place) or not os.path.exists(task.place)


def _worth_while(tasks: Sequence[Task]) -> int:
    read_bytes = sum(_unpacked_bytes(task.place) for task in tasks)
    return usable_cpus() if read_bytes > WORTH_PROCESSES_BYTES else 1


def _unpacked_bytes(place: str) -> float:
    """About how many bytes there are to read; 0 where nothing tells."""
    if not os.path.isfile(place):
        return 0.0
    try:
        with open(place, "rb") as file:
            is_packed = file.read(2) in PACKED
        return os.path.getsize(place) / (PACKS_TO if is_packed else 1)
    except OSError:
        return 0.0


class _Heard:
    """What a listener hears of several files: the share of all their bytes."""

    def __init__(self, tasks: Sequence[Task], listener: Progress | None) -> None:
        self._listener = listener
        sizes = {task: _unpacked_bytes(task.place) or 1.0 for task in tasks}
        self._shares = {
            task: size / sum(sizes.values()) for task, size in sizes.items()
        }
        self._share = 0.0

    def done(self, task: Task) -> None:
        """A file was read to its end."""
        self._share = min(1.0, self._share + self._shares[task])
        if self._listener:
            self._listener(self._share)

    def within(self, task: Task) -> Progress | None:
        """A listener for the share of one file."""
        listener, before, all_of_it = self._listener, self._share, self._shares[task]
        if listener is None:
            return None
        return lambda share: listener(min(1.0, before + share * all_of_it))
