"""Threads that read files beside the server, and end with it whatever they read."""

import atexit
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Thread
from weakref import WeakSet

from overlap_widget.app.stoppable import Reading

Work = Callable[[], None]


class Readers:
    """A few threads; unlike those of an executor no end of the process waits for them.

    `readings` are ended with the process, so that theirs end too.
    """

    def __init__(self, count: int) -> None:
        self._count, self._started = count, Lock()
        self._waiting: SimpleQueue[tuple[Future[None], Work]] = SimpleQueue()
        self.readings: WeakSet[Reading] = WeakSet()

    def submit(self, work: Work, reading: Reading) -> Future[None]:
        """Have a reading done when its turn comes; the future tells that it is over."""
        if self._started.acquire(blocking=False):
            atexit.register(self._end)
            for at in range(self._count):
                Thread(target=self._work, name=f"read-{at}", daemon=True).start()
        self.readings.add(reading)
        future: Future[None] = Future()
        self._waiting.put((future, work))
        return future

    def _work(self) -> None:
        while True:
            _do(*self._waiting.get())  # and keep nothing of it while waiting

    def _end(self) -> None:
        for reading in list(self.readings):
            reading.cancel()


def _do(future: Future[None], work: Work) -> None:
    try:
        work()
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(None)
