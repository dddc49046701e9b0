"""What all tests share: the profile of hypothesis, and one Chromium a run."""

import asyncio
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.resources import files

import pytest
from hypothesis import settings
from playwright.sync_api import sync_playwright

# Repeatable, and patient on a busy machine.
settings.register_profile("overlap", deadline=None, derandomize=True)
settings.load_profile("overlap")

# Where the run was started in the background, what it starts would not hear Ctrl-C,
# nor, under nohup, that its terminal is closed.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session")
def in_a_loop():
    """`in_a_loop(coroutine)`: what it comes to, in a loop and a thread of its own.

    A browser's tests leave a loop running in theirs.
    """

    def run(coroutine):
        with ThreadPoolExecutor(max_workers=1) as other:
            return other.submit(asyncio.run, coroutine).result()

    return run


ASKED = """
import json
%s
from overlap_widget.app.server import make_server

server = make_server((), 0, "127.0.0.1", ())

async def look():
    told = await server.io_loop.run_in_executor(None, asked, server.port)
    print(json.dumps({"told": told, "sessions": len(server.get_sessions("/"))}))
    server.io_loop.stop()

server.start()
server.io_loop.add_callback(look)
server.io_loop.start()
"""


@pytest.fixture(scope="session")
def ask_server():
    """`ask_server(code)`: what its `asked(port)` is told, and the sessions after it.

    In a process of its own: a server changes what the libraries do in its process.
    """

    def ask(code):
        done = subprocess.run(
            [sys.executable, "-c", ASKED % code],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            timeout=120,
        )
        return json.loads(done.stdout)

    return ask


@pytest.fixture(scope="session")
def zipped():
    """`zipped(files)`: a ZIP archive of them, each content by its name."""

    def pack(files):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as writer:
            for name, content in files.items():
                writer.writestr(name, content)
        return archive.getvalue()

    return pack


BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (  # no sandbox for root, no calls home on a closed network
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser():
    """Chromium: the one that OVERLAP_CHROMIUM names, else the machine's."""
    path = os.environ.get("OVERLAP_CHROMIUM") or next(
        filter(None, map(shutil.which, BROWSERS)), None
    )
    if path is None and "CI" not in os.environ:
        pytest.skip("no Chromium on this machine; name one in OVERLAP_CHROMIUM")
    assert path, "no Chromium on this machine; name one in OVERLAP_CHROMIUM"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=[*QUIET])
        yield chromium
        chromium.close()


class Pages:
    """Pages that tests use one after the other: a warm one opens three times as fast.

    Each is as new when it is lent: nothing stored, no mouse over it, its media plain.
    What a test does to the context itself (a clock, a session of the debugger) would
    stay: such a test asks for a page of its own, and one with options has it anyway.

    An error of a page fails the test that has it, unless it holds a part of
    `page.known`.
    """

    def __init__(self, browser):
        self._browser, self._free = browser, defaultdict(list)

    @contextmanager
    def lend(self):
        """`take(width, height, **options of the context)` until the end; then all rest.

        `key` and `prepare(page)`: what is done to a page once, when it is made;
        `clear(page)`: makes it as new, by default by leaving its document;
        `is_fault`: which messages of its console are errors.
        """
        lent = []

        def take(  # noqa: PLR0913  a page has that many sides
            width,
            height,
            key,
            *,
            prepare=None,
            clear=_leave,
            is_fault=_is_error,
            own=False,
            **options,
        ):
            is_kept = not own and not options
            size = {"width": width, "height": height}
            if is_kept and self._free[key]:
                page = self._free[key].pop()
                page.set_viewport_size(size)
            else:
                page = self._browser.new_context(viewport=size, **options).new_page()
                _listen(page, is_fault)
                if prepare:
                    prepare(page)
            page.complaints, page.known = [], ()
            lent.append((key if is_kept else None, page, clear))
            return page

        try:
            yield take
        finally:
            for one in lent:
                self._rest(*one)
        assert [said for _, page, _ in lent for said in page.complaints] == []

    def _rest(self, key, page, clear):
        if key is None or page.is_closed():
            page.context.close()
            return
        if page.url.startswith("http"):
            page.evaluate(
                "() => [localStorage, sessionStorage].map((one) => one.clear())"
            )
        clear(page)
        page.mouse.move(0, 0)
        page.emulate_media(
            media="null",
            color_scheme="light",
            forced_colors="none",
            reduced_motion="no-preference",
        )
        self._free[key].append(page)


def _leave(page):
    page.goto("about:blank")


def _is_error(message):
    return message.type == "error"


def _listen(page, is_fault):
    def note(text):
        if not any(part in text for part in page.known):
            page.complaints.append(text)

    page.on("pageerror", lambda error: note(str(error)))
    page.on("console", lambda message: is_fault(message) and note(message.text))


AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
FOUND = """async ([within, runOnly]) => (await axe.run(within,
        { runOnly, resultTypes: ['violations'] })).violations
    .map((one) => [one.id, one.nodes.length, one.nodes[0].html.slice(0, 150)])"""


@pytest.fixture(scope="session")
def axe():
    """`axe(page, within="html")`: rules that are broken, how often, and where first.

    `only_colours`: of the rest nothing can have changed, as by another theme alone.
    """

    def find(page, within="html", only_colours=False):
        if not page.evaluate("() => 'axe' in globalThis"):
            page.evaluate(AXE)
        rules = OF_COLOURS if only_colours else TAGS
        return page.evaluate(FOUND, [within, rules])

    return find


SPOKEN = """(within) => {
    window.spoken = [];
    const region = document.querySelector(within);
    new MutationObserver((changes) => {
        const added = changes.flatMap((one) => [...one.addedNodes]);
        for (const node of added) window.spoken.push(node.textContent);
    }).observe(region, { childList: true, subtree: true, characterData: true });
}"""


@pytest.fixture(scope="session")
def gather_spoken():
    """`gather_spoken(page)`: from now on its `spoken` has what a live region gets."""
    return lambda page, within="[aria-live=polite]": page.evaluate(SPOKEN, within)


IS_LIVE = "() => !document.querySelector('.overlap-snapshot, .overlap-behind')"


@pytest.fixture(scope="session")
def until_live():
    """`until_live(page)`: the picture that a page of ours starts with has gone."""
    return lambda page: page.wait_for_function(IS_LIVE)


SHARED = """() => [...Bokeh.index.roots].filter(({ model }) => model.name === 'lanes')
    .flatMap((view) => view.computed_renderer_views)
    .filter(({ glyph }) => glyph)
    .map(({ glyph, muted_glyph }) => glyph.model === muted_glyph.model)"""


@pytest.fixture(scope="session")
def shared_views():
    """`shared_views(page)`: whether one view of each kind of mark does for all."""
    return lambda page: page.evaluate(SHARED)


@pytest.fixture(scope="session")
def pages(browser):
    """The pages that the tests of a process share: `with pages.lend() as take`."""
    return Pages(browser)
