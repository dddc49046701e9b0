"""The recipes of docs/embedding.md: built as they stand there, opened in Chromium."""

import functools
import http.server
import os
import re
import shlex
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

TEXT = (Path(__file__).parents[2] / "docs" / "embedding.md").read_text()
FENCED = r"^(`{3,})%s\n(.*?)^\1$"
FILE = re.compile(
    r"^`([^`\n]+)`:\n\n" + FENCED.replace(r"\1", r"\2") % r"\w*", re.M | re.S
)
BUILD_S = 120


def section(title):
    """What stands under a heading of the page."""
    (found,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", TEXT, re.M | re.S)
    return found


def blocks(title, language=None):
    """The blocks of a language under a heading; all that stands there without one."""
    if language is None:
        return section(title)
    found = re.findall(FENCED % language, section(title), re.M | re.S)
    return [text for _, text in found]


@pytest.fixture(scope="session")
def recipe_blocks():
    """`recipe_blocks(heading, language)`: what docs/embedding.md gives to copy."""
    return blocks


@pytest.fixture(scope="session")
def run_commands():
    """`run_commands(heading, folder)`: the commands of a recipe, in their order."""
    return run


def run(title, folder):
    programs = str(Path(sys.executable).parent)
    environment = os.environ | {
        "PATH": os.pathsep.join([programs, os.environ["PATH"]]),
        "NO_MKDOCS_2_WARNING": "1",
    }
    for line in "".join(blocks(title, "sh")).splitlines():
        done = subprocess.run(
            shlex.split(line),
            check=False,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=BUILD_S,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """`built(heading)`: the folder in which a recipe was followed, once a session."""

    @functools.cache
    def follow(title):
        folder = tmp_path_factory.mktemp("recipe")
        for name, _, text in FILE.findall(section(title)):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        run(title, folder)
        return folder

    return follow


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Keep the terminal for the tests."""


@contextmanager
def served(folder):
    """The address of a folder while the block lasts."""
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def serving():
    """`with serving(folder) as address`."""
    return served


@pytest.fixture
def open_host(browser):
    """`open_host(address, own)`: errors, and requests outside, fail a test.

    `own` is where its own addresses begin. `own=None` judges the frames' requests
    alone: some tools ask their own scripts of the web. `tolerates` are the errors of
    such scripts. With a `folder` the page is answered from there, wherever it is.
    """
    contexts, complaints = [], []

    def judge(request, own):
        inside = (own or "about:", "data:", "blob:", "about:")
        is_ours = own is not None or request.frame.parent_frame is not None
        if is_ours and not request.url.startswith(inside):
            complaints.append(f"asked for {request.url[:100]}")

    def hear(error, tolerates):
        if tolerates is None or tolerates not in error:
            complaints.append(error)

    def open_it(address, own, size=(1000, 700), folder=None, tolerates=None):
        viewport = dict(zip(("width", "height"), size, strict=True))
        context = browser.new_context(viewport=viewport)
        contexts.append(context)
        if folder:
            context.route(f"{own}**", lambda route: answer(route, folder, own))
        page = context.new_page()
        page.on("pageerror", lambda error: hear(str(error), tolerates))
        page.on("request", lambda request: judge(request, own))
        page.goto(address)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []


def answer(route, folder, own):
    """A file of the folder, as any server would give it."""
    path = folder / urlsplit(route.request.url).path.removeprefix(urlsplit(own).path)
    route.fulfill(path=path / "index.html" if path.is_dir() else path)
