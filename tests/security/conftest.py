"""Attackers: visitors of a served process who send whatever they like."""

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.iostream import StreamClosedError
from tornado.websocket import WebSocketClosedError, websocket_connect

PATIENCE_S = 30
TOKEN = re.compile(r'"token":\s*"([^"]+)"')
MODEL = re.compile(r'"name":"panel\.models\.esm\.\w+","id":"([^"]+)"')
BUFFERS = re.compile(r'"num_buffers":\s*(\d+)')
LOCAL = ("--address", "127.0.0.1", "--port", "0", "--no-show")


class Served:
    """`overlap serve` in a process of its own, whose temporary folder can be looked at.

    Its visitors run in a thread: browser tests leave a loop running in the main one.
    """

    def __init__(self, folder, *arguments):
        self.folder, self.visitors = folder, []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "overlap_widget.app", "serve", *LOCAL, *arguments],
            env={**os.environ, "TMPDIR": str(folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        line = self.process.stdout.readline()
        assert "http" in line, line
        self.address = re.search(r"http://[\w.:]+", line)[0]
        self.host = urlsplit(self.address).netloc

    def do(self, coroutine):
        """What a coroutine of a visitor comes to."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(PATIENCE_S)

    def fetch(self, path="/", **headers):
        """The answer to a request for a page, whatever its status."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        times = {"connect_timeout": PATIENCE_S, "request_timeout": PATIENCE_S}
        request = HTTPRequest(self.address + path, headers=headers, **times)

        async def fetched():
            client = AsyncHTTPClient(force_instance=True)
            return await client.fetch(request, raise_error=False)

        return self.do(fetched())

    def token(self, query=""):
        """What a page gets to open its session with."""
        return TOKEN.search(self.fetch(f"/{query}").body.decode())[1]

    def visit(self, query=""):
        """A visitor whose session is open."""
        visitor = self.do(entered(self, self.token(query)))
        self.visitors.append(visitor)
        return visitor

    def files(self):
        """What lies in the temporary folder, but for the folders themselves."""
        return sorted(
            path.relative_to(self.folder).as_posix()
            for path in Path(self.folder).rglob("*")
        )


async def connected(served, token, heard=None, **headers):
    """A websocket with a token; HTTPClientError where it is refused."""
    headers = {"Origin": served.address} | headers
    path = f"ws://{served.host}/ws"
    request = HTTPRequest(path, headers=headers, connect_timeout=PATIENCE_S)
    return await websocket_connect(
        request,
        on_message_callback=heard,
        subprotocols=["bokeh", token],
        max_message_size=1 << 28,
    )


async def entered(served, token):
    visitor = Visitor(served)
    await visitor.enter(token)
    return visitor


class Visitor:
    """One session, on the wire: `move` is what its front would send."""

    def __init__(self, served):
        self.served, self.seq = served, 0
        self.frames, self.come = [], asyncio.Queue()
        self.told = []
        self.is_closed = asyncio.Event()

    async def enter(self, token):
        self.socket = await connected(self.served, token, self.hear)
        await self.wait_for("ACK")
        self.model = MODEL.search(await self.pulled())[1]

    def hear(self, frame):
        if frame is None:
            self.is_closed.set()
            self.come.put_nowait(("closed", ""))
            return
        self.frames.append(frame)
        buffers = BUFFERS.search(self.frames[0])
        if len(self.frames) == 3 + 2 * int(buffers[1] if buffers else 0):
            kind = json.loads(self.frames[0])["msgtype"]
            self.told.append(self.frames[2])
            self.come.put_nowait((kind, self.frames[2]))
            self.frames = []

    async def wait_for(self, kind):
        while True:
            came, content = await asyncio.wait_for(self.come.get(), PATIENCE_S)
            if came == kind:
                return content
            if came == "closed":
                raise ConnectionError(self.socket.close_reason)

    async def pulled(self):
        self.post("PULL-DOC-REQ", {})
        return await self.wait_for("PULL-DOC-REPLY")

    def post(self, kind, content, *buffers):
        header = {"msgid": "1", "msgtype": kind, "num_buffers": len(buffers)}
        for part in (header, {}, content):
            self.socket.write_message(json.dumps(part))
        for at, buffer in enumerate(buffers):
            self.socket.write_message(json.dumps({"id": f"b{at}"}))
            self.socket.write_message(buffer, binary=True)

    def say(self, *frames):
        """Send frames as they are, of whatever message, until it is closed."""

        async def said():
            for frame in frames:
                await self.socket.write_message(frame, isinstance(frame, bytes))

        with suppress(StreamClosedError, WebSocketClosedError):
            self.served.do(said())

    def document(self):
        """All that the server shows and has told of the session, as text."""
        return "".join([self.served.do(self.pulled()), *self.told])

    def patch(self, *events, buffers=()):
        """Send changes of the document."""

        async def patched():
            self.post("PATCH-DOC", {"events": list(events)}, *buffers)

        self.served.do(patched())

    def move(self, data=None, **move):
        """Send a move, perhaps with bytes; returns the document as it is after it."""
        self.seq += 1
        sent = {"seq": self.seq} | encoded(move)
        buffers = [] if data is None else [data]
        if buffers:
            sent["data"] = {"type": "bytes", "data": {"id": "b0"}}
        values = {"model": {"id": self.model}, "data": mapped(sent)}
        self.patch(event("data_event", **values), buffers=buffers)
        return self.document()

    def closing(self):
        """Waits until the server has closed the websocket; returns its code."""
        self.served.do(asyncio.wait_for(self.is_closed.wait(), PATIENCE_S))
        return self.socket.close_code

    def upload(self, name, data, **changes):
        """Send a file in one piece."""
        piece = {"type": "upload", "id": name, "name": name, "offset": 0, "last": True}
        return self.move(data, **piece | {"size_bytes": len(data)} | changes)

    def leave(self):
        """Close the websocket, unless it is closed."""

        async def left():
            self.socket.close()
            await asyncio.wait_for(self.is_closed.wait(), PATIENCE_S)

        self.served.do(left())


def event(name, **values):
    """An event of Bokeh as its client sends it."""
    data = {"type": "event", "name": name, "values": mapped(values)}
    return {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": data}


def mapped(values):
    return {"type": "map", "entries": [[key, value] for key, value in values.items()]}


def encoded(move):
    """The values of a move as Bokeh writes them."""
    return {
        key: mapped(encoded(one)) if isinstance(one, dict) else one
        for key, one in move.items()
    }


@contextmanager
def serve(folder, *arguments):
    served = Served(folder, *arguments)
    try:
        yield served
    finally:
        for visitor in served.visitors:
            visitor.leave()
        served.process.terminate()
        served.process.wait(timeout=20)
        served.process.stdout.close()
        served.loop.call_soon_threadsafe(served.loop.stop)
        served.thread.join()
        served.loop.close()


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """A server that all attacks share."""
    with serve(tmp_path_factory.mktemp("server")) as one:
        yield one


@pytest.fixture(scope="session")
def serving():
    """`with serving(folder) as served`: a server for one attack alone."""
    return serve


@pytest.fixture
def socket_of(served):
    """Open a websocket with a token and other headers than a page's, and close it."""

    async def opened(token, headers):
        socket = await connected(served, token, lambda _: None, **headers)
        socket.close()
        return socket

    return lambda token, **headers: served.do(opened(token, headers))


@pytest.fixture
def closed(served):
    """Whether the server closes the websocket of a token before it shows anything."""

    async def came(token):
        frames = asyncio.Queue()
        try:
            socket = await connected(served, token, frames.put_nowait)
        except HTTPClientError as refused:
            return refused.code
        first = await asyncio.wait_for(frames.get(), PATIENCE_S)
        socket.close()
        return first is None

    return lambda token: served.do(came(token))
