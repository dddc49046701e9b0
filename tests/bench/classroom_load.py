"""One app in a process of its own, and what a class does to it: come, move, crowd.

Times are of this process' clock, `CPU` of the server's process, from /proc.
"""

import asyncio
import os
import random
import re
import resource
import signal
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import classroom_pages as pages
from bokeh_wire import enter, fetch
from tornado.httpclient import HTTPClientError

PERIOD_S = 2
FAILURES = (OSError, ConnectionError, asyncio.TimeoutError, HTTPClientError)


class Served:
    """An app in a process of its own, and the students who have it open."""

    def __init__(self, arguments, app, slider):
        self.app, self.slider, self.students = app, slider, []
        command = [sys.executable, *map(str, arguments)]
        quiet = os.environ | {"BOKEH_PY_LOG_LEVEL": "error"}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=quiet
        )
        self.address = re.search(r"http://\S+", self.process.stdout.readline())[0]

    def memory_mb(self):
        pages_held = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages_held) * resource.getpagesize() / 1e6

    def cpu_s(self):
        after_name = Path(f"/proc/{self.process.pid}/stat").read_text().split(") ")[1]
        user, system = after_name.split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def leave(self):
        for student in self.students:
            student.leave()
        self.students = []

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=20)
        self.process.stdout.close()


@contextmanager
def alone(served, others):
    """The other servers stand still meanwhile."""
    for other in others:
        if other is not served:
            other.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for other in others:
            other.process.send_signal(signal.SIGCONT)


async def grow(http, served, sessions):
    """Students come one after another: ms of an opening, CPU ms of one."""
    times, begun_s = [], served.cpu_s()
    while len(served.students) < sessions:
        begun = time.perf_counter()
        served.students.append(await enter(http, served.address, served.app))
        times.append((time.perf_counter() - begun) * 1e3)
    return statistics.median(times), (served.cpu_s() - begun_s) * 1e3 / len(times)


async def move_all(served, seconds):
    """All students move: ms of the moves, CPU ms of one, percent of a core taken.

    A move that can't be made in time, since the one before isn't answered, counts from
    when it was due.
    """
    loop, chance = asyncio.get_running_loop(), random.Random(7)
    begun, begun_s = loop.time(), served.cpu_s()
    times = []

    async def moves(student, due):
        while due < begun + seconds:
            is_late = loop.time() > due
            await asyncio.sleep(due - loop.time())
            start = due if is_late else loop.time()
            try:
                await student.move()
            except FAILURES:
                return times.append(float("inf"))
            times.append(loop.time() - start)
            due += PERIOD_S
        return None

    starts = [begun + chance.uniform(0, PERIOD_S) for _ in served.students]
    await asyncio.gather(*map(moves, served.students, starts))
    spent_s = served.cpu_s() - begun_s
    cpu_ms = spent_s * 1e3 / max(1, len(times))
    percent = spent_s / (loop.time() - begun) * 100
    return [time * 1e3 for time in times], cpu_ms, percent


async def answered(served, seconds):
    """p50, p95, CPU ms of a move, percent of a core, and moves without an answer."""
    times, cpu_ms, percent = await move_all(served, seconds)
    return *spread(times), cpu_ms, percent, times.count(float("inf"))


async def watched(browser, served, options):
    """p50 and p95 in ms of real browsers' moves while all the others move."""
    moving = asyncio.create_task(move_all(served, options.seconds * 100))
    found = await pages.moves_of_pages(
        browser, served.address, served.slider, options.browsers, options.moves
    )
    moving.cancel()
    await asyncio.gather(moving, return_exceptions=True)
    return *spread([time or float("inf") for time in found]), found.count(None)


async def enter_at_once(http, served, sessions, with_resources):
    """Seconds until the last and the median student is in, CPU ms of one, failures."""
    begun, begun_s, times = time.perf_counter(), served.cpu_s(), []

    async def one():
        student = await enter(
            http, served.address, served.app, with_resources=with_resources
        )
        times.append(time.perf_counter() - begun)
        return student

    found = await asyncio.gather(
        *(one() for _ in range(sessions)), return_exceptions=True
    )
    failed = [one for one in found if isinstance(one, BaseException)]
    served.students = [one for one in found if one not in failed]
    cpu_ms = (served.cpu_s() - begun_s) * 1e3 / sessions
    served.leave()
    times = times or [float("inf")]
    return max(times), statistics.median(times), cpu_ms, len(failed)


async def fetch_at_once(http, served, path, sessions):
    """Seconds until the last has the file, KiB of one; None where it isn't there."""
    address = served.address + path
    try:
        await fetch(http, address)
    except HTTPClientError:
        return None
    begun = time.perf_counter()
    found = await asyncio.gather(*(fetch(http, address) for _ in range(sessions)))
    return time.perf_counter() - begun, len(found[0]) / 1024


def spread(times):
    """p50 and p95."""
    ordered = sorted(times) or [float("nan")]
    return statistics.median(ordered), ordered[int(0.95 * len(ordered))]
