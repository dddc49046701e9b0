"""A session that is over is forgotten: no object, file, thread or folder is left."""

import asyncio
import gc
import os
import tempfile
import threading
import weakref
from pathlib import Path

import panel as pn
import pytest
from bokeh.application.handlers.document_lifecycle import DocumentLifecycleHandler
from bokeh.server.contexts import ApplicationContext
from bokeh.util.token import generate_jwt_token
from panel.io.state import set_curdoc
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine
from tornado.ioloop import IOLoop

from overlap_widget.app import page as page_module
from overlap_widget.app.explorer import Explorer
from overlap_widget.app.server import _application

TRACE = Path(__file__).parents[1] / "data" / "kineto" / "by-the-clock.json"
ASKED = RequestStartLine("GET", "/ws", "HTTP/1.1")


@pytest.fixture
def made(monkeypatch):
    """Weak references to the explorers of all sessions, as they are made."""
    made = []

    def explorer(*args, **options):
        one = Explorer(*args, **options)
        made.append(weakref.ref(one))
        return one

    monkeypatch.setattr(page_module, "Explorer", explorer)
    monkeypatch.setattr(pn.config, "browser_info", False)
    return made


def sessions():
    """What a server has instead of a page's socket: it makes and ends sessions."""
    application = _application(())
    application.add(DocumentLifecycleHandler())
    return ApplicationContext(application, io_loop=IOLoop.current(), url="/")


async def begin(context, name):
    token = generate_jwt_token(name, extra_payload={"query": "bucket=3"})
    request = HTTPServerRequest(start_line=ASKED, headers=HTTPHeaders(host="localhost"))
    return await context.create_session_if_needed(name, request, token)


async def end(context, session):
    session.request_expiration()
    await context._cleanup_sessions(0)


async def open_file(session, explorer):
    data = TRACE.read_bytes()
    about = {"id": "1", "name": "a.json", "size_bytes": len(data), "offset": 0}
    with set_curdoc(session.document):
        explorer.move({"type": "upload", "data": data, "last": True, **about})
    while not explorer.measured.recordings:
        await asyncio.sleep(0.01)


def resources():
    """Names of threads, number of open files, and our folders of received files."""
    threads = sorted(thread.name for thread in threading.enumerate())
    files = len(list(Path("/proc/self/fd").iterdir())) if os.name == "posix" else 0
    return threads, files, sorted(Path(tempfile.gettempdir()).glob("overlap-*"))


async def visit(context, made, name):
    """A session that opens a file and ends; weak references to all that it was."""
    session = await begin(context, name)
    explorer = made[-1]()
    await open_file(session, explorer)
    (recording,) = explorer.measured.recordings
    await end(context, session)
    return [weakref.ref(one) for one in (explorer, session, recording)]


def test_nothing_is_left_of_sessions_that_opened_a_file(made, in_a_loop):
    async def visits():
        context = sessions()
        await visit(context, made, "first")  # what is made once stays
        before = resources()
        left = []
        for at in range(5):
            left += await visit(context, made, f"later-{at}")
        if last := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(last, timeout=10)
        del last
        return before, resources(), left

    before, after, left = in_a_loop(visits())
    gc.collect()

    assert [one() for one in left if one() is not None] == []
    assert after == before


def test_a_file_that_is_half_received_goes_with_its_session(made, in_a_loop):
    async def visit_half():
        context = sessions()
        session = await begin(context, "half")
        with set_curdoc(session.document):
            about = {"id": "1", "name": "a.json", "size_bytes": 9, "offset": 0}
            made[-1]().move({"type": "upload", "data": b"{", **about})
        folder = Path(made[-1]().receiver.upload.folder.name)
        assert folder.exists()
        await end(context, session)
        return folder

    assert not in_a_loop(visit_half()).exists()
