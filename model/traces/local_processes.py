"""Processes of this machine that read files, and end when told to."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from ctypes import c_byte
from types import TracebackType
from typing import Self

from overlap_widget.model.traces.measuring import (
    Outcome,
    Task,
    lost,
    outcome_elsewhere,
)

_stop: list[c_byte] = []
"""In a process that reads: not 0 once nobody waits for it any more."""


class StoppedError(BaseException):
    """Ends a reading that nobody waits for; nothing on the way takes it for a fault."""


class LocalProcesses:
    """A pool of processes; leaving it ends what still runs there, and soon.

    They are started afresh rather than forked: the one that asks may have threads.
    """

    def __init__(self, count: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._stop = self._context.RawValue("b", False)
        self.executor = self._pool(count)
        self._alone: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.value = True
        for pool in filter(None, (self.executor, self._alone)):
            pool.shutdown(cancel_futures=True)

    def again(self, one: Task) -> Outcome:
        """Read a file alone, after its process died: another one's may be to blame."""
        pool = self._alone = self._alone or self._pool(1)
        try:
            return pool.submit(outcome_here, one).result()
        except BrokenExecutor as error:
            self._alone = None
            return lost(one, error)

    def _pool(self, count: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            count,
            mp_context=self._context,
            initializer=_begin,
            initargs=(self._stop,),
        )


def outcome_here(one: Task) -> Outcome:
    """As `outcome_elsewhere`, until the pool is left."""
    return outcome_elsewhere(one, progress=_go_on)


def usable_cpus() -> int:
    """Processors that this process may use."""
    allowed: Callable[[int], set[int]] | None = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def _begin(stop: c_byte) -> None:
    """Interrupts are for the process that asks; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stop.append(stop)


def _go_on(_: float) -> None:
    if any(one.value for one in _stop):
        raise StoppedError
