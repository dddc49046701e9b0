"""A class before one server: `overlap serve` beside a minimal Panel app, in one run.

Run by hand, best on a quiet machine: `.venv/bin/python tests/bench/classroom.py`; in
less than a minute with `--sessions 1 20 --rounds 1 --seconds 4 --browsers 0 --after 0`.
Each app has a process of its own, and while one is loaded the other stands still, so
both share what else the machine does; look at the ratios. Students are raw websockets
(`bokeh_wire.py`) in this process, which shares the cores with the server; each moves
its slider every two seconds, at a time of its own. A few are real browsers.

`open` is from asking for the page until its document has come, one student after
another. A move is answered when the message with the new state, or the line's new data,
is whole. `CPU` is of the server's process, in ms of an opening or a move, or percent of
a core; `MB` is its resident memory. In a browser `paint` is the first content, `slider`
when one stands that can be moved, `moved` when the first move, made at once, is drawn.
"""

import argparse
import asyncio
import resource
import statistics
import time
from contextlib import AsyncExitStack
from pathlib import Path

import classroom_pages as pages
from bokeh_wire import FRONT, SLIDER, client
from classroom_load import (
    Served,
    alone,
    answered,
    enter_at_once,
    fetch_at_once,
    grow,
    watched,
)
from playwright.async_api import async_playwright

ROOM = "/room"
"""Where the server hands out the embedded page."""
SETTLE_S = 2  # a server that stood still first does what has become due meanwhile
APPS = {
    "overlap serve": (
        ("-m", "overlap_widget.app", "serve", "--port", "0", "--no-show"),
        FRONT,
        pages.FRONT_SLIDER,
    ),
    "minimal Panel": (
        (Path(__file__).with_name("minimal_app.py"),),
        SLIDER,
        pages.PANEL_SLIDER,
    ),
}
OURS, MINIMAL = APPS
VISIT = "requests, files KiB, socket KiB, paint s, slider s, moved s"
GROWTH = "open ms, open CPU, MB each, move p50, move p95, move CPU, CPU %, lost"
CROWD = "last s, median s, CPU ms, failed"
WANTED = (
    ("a new visitor", "requests", 15, None),
    ("a new visitor", "files KiB", 900, None),
    ("a new visitor", "moved s", 1.5, None),
    ("sessions 100", "move p95", 60, None),
    ("sessions 200", "move p95", None, 0.5),
    ("sessions 200", "MB each", None, 1),
    ("200 at once", "last s", 15, 0.4),
    (f"200 ask for {ROOM}", "last s", 2, None),
)
"""Table, column, most that it may be, and most of what the minimal app has."""


async def in_turn(apps, load, rounds=1):
    """The medians over rounds of what `load(app)` finds, for each app by its name."""
    found = {name: [] for name in apps}
    for _ in range(rounds):
        for name, served in apps.items():
            with alone(served, apps.values()):
                await asyncio.sleep(SETTLE_S)
                found[name].append(await load(served))
    return {
        name: tuple(map(statistics.median, zip(*rows, strict=True)))
        for name, rows in found.items()
    }


class Report:
    """Tables printed as they are found; in the end, what is wanted of them."""

    def __init__(self):
        self._found = {}

    def add(self, title, columns, rows):
        """Print a row for each app, and what the first is of the second."""
        names = columns.split(", ")
        print(f"\n{title:24}" + "".join(f"{name:>13}" for name in names))
        for name, numbers in rows.items():
            print(f"{name:24}" + "".join(f"{number:13.2f}" for number in numbers))
            for column, number in zip(names, numbers, strict=True):
                self._found[title, column, name] = number
        if len(rows) > 1:
            ratios = [self._ratio(title, column) for column in names]
            print(f"{'ratio':24}" + "".join(f"{ratio:13.2f}" for ratio in ratios))

    def _ratio(self, title, column):
        mine, theirs = (self._found[title, column, name] for name in APPS)
        return mine / theirs if theirs else float("nan")

    def tell_wanted(self):
        """Whether what is wanted holds, of the sizes that were looked at."""
        print("\nwanted")
        for title, column, most, most_ratio in WANTED:
            if (title, column, OURS) not in self._found:
                continue
            pairs = [(self._found[title, column, OURS], most, "")]
            if most_ratio is not None:
                ratio = self._ratio(title, column)
                pairs.append((ratio, most_ratio, f" of {MINIMAL}"))
            for value, limit, of in pairs:
                if limit is not None:
                    verdict = "holds" if value <= limit else "MISSED"
                    what = f"{title}, {column}{of}"
                    print(f"{what:50}{value:10.2f} <= {limit:<6} {verdict}")


async def growing(http, apps, options, report):
    """More and more students, who move at each of the sizes; MB of memory before."""
    start_mb = {name: served.memory_mb() for name, served in apps.items()}
    for sessions in options.sessions:
        opened = await in_turn(apps, lambda one, most=sessions: grow(http, one, most))
        each_mb = {
            name: (served.memory_mb() - start_mb[name]) / sessions
            for name, served in apps.items()
        }
        moved = await in_turn(
            apps, lambda one: answered(one, options.seconds), options.rounds
        )
        rows = {name: (*opened[name], each_mb[name], *moved[name]) for name in apps}
        report.add(f"sessions {sessions}", GROWTH, rows)
    return start_mb


async def leaving(apps, start_mb, after_s, report):
    """Memory before, with all students and after they have left."""
    full_mb = {name: served.memory_mb() for name, served in apps.items()}
    for served in apps.values():
        served.leave()
    await asyncio.sleep(after_s)
    rows = {
        name: (start_mb[name], full_mb[name], served.memory_mb())
        for name, served in apps.items()
    }
    report.add(
        f"memory, {after_s:.0f} s after all", "before MB, full MB, after MB", rows
    )


async def crowds(http, apps, options, report):
    """All students at once: the page and its session, then the embedded page."""
    sessions = options.sessions[-1]
    titles = {f"{sessions} at once": False}
    if options.files:
        titles[f"{sessions} at once, files"] = True
    for title, with_files in titles.items():
        rows = await in_turn(
            apps,
            lambda one, files=with_files: enter_at_once(http, one, sessions, files),
            options.rounds,
        )
        report.add(title, CROWD, rows)
        await asyncio.sleep(options.after)
    with alone(apps[OURS], apps.values()):
        found = await fetch_at_once(http, apps[OURS], ROOM, sessions)
    if found is None:
        print(f"\n{ROOM} isn't there: the embedded page wasn't fetched")
    else:
        report.add(f"{sessions} ask for {ROOM}", "last s, KiB", {OURS: found})


async def run(options):
    async with AsyncExitStack() as stack:
        playwright = await stack.enter_async_context(async_playwright())
        browser = await stack.enter_async_context(pages.chromium(playwright))
        http, apps, report = client(), {}, Report()
        for name, parts in APPS.items():
            apps[name] = Served(*parts)
            stack.callback(apps[name].end)

        def visit(served):
            return pages.first_visit(browser, served.address, served.slider)

        report.add("the first of all", VISIT, await in_turn(apps, visit))
        report.add("a new visitor", VISIT, await in_turn(apps, visit, options.rounds))
        start_mb = await growing(http, apps, options, report)
        if options.browsers:
            rows = await in_turn(apps, lambda one: watched(browser, one, options))
            title = f"{options.browsers} browsers meanwhile"
            report.add(title, "move p50, move p95, lost", rows)
        await leaving(apps, start_mb, options.after, report)
        await crowds(http, apps, options, report)
        report.tell_wanted()


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("--sessions", type=int, nargs="+", default=[1, 20, 100, 200])
    add("--rounds", type=int, default=2, help="of visits, moves and crowds")
    add("--seconds", type=float, default=6, help="of moves at each size and round")
    add("--browsers", type=int, default=3, help="real ones while all others move")
    add("--moves", type=int, default=10, help="of each of these browsers")
    add("--after", type=float, default=36, help="seconds to wait after all have left")
    add("--files", action="store_true", help="a crowd also fetches the page's files")
    return parser.parse_args()


def main():
    begun = time.perf_counter()
    asyncio.run(run(read_options()))
    spent = resource.getrusage(resource.RUSAGE_SELF)
    took_s, students_s = time.perf_counter() - begun, spent.ru_utime + spent.ru_stime
    print(
        f"\ntook {took_s:.0f} s; the students' own processor time: {students_s:.0f} s"
    )


if __name__ == "__main__":
    main()
