"""Students of a Bokeh server without a browser: they open a page, move and leave.

They share the machine with the server, so they are cheap: what comes is searched for
the few things that matter and never decoded. A student does what a browser does on the
wire: the page, the websocket with the page's token, the document, what the browser
tells of itself, and one message a move.
"""

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

PATIENCE_S = 120
MOST_AT_ONCE = 10_000
MOST_MESSAGE_BYTES = 64 * 2**20
TOKEN = re.compile(r'"token":\s*"([^"]+)"')
RESOURCE = re.compile(r"""<(?:script|link)\b[^>]*?\b(?:src|href)=["']([^"']+)""")
BUFFERS = re.compile(r'"num_buffers":\s*(\d+)')
SEQ = re.compile(r"""\\?"seq\\?"(?:,"new":|,|:)\s*(\d+)""")
BROWSER = re.compile(r'"name":"panel\.models\.browser\.BrowserInfo","id":"([^"]+)"')
TOLD = {
    "dark_mode": False,
    "device_pixel_ratio": 1,
    "language": "en-US",
    "webdriver": True,
    "timezone": "UTC",
    "timezone_offset": 0,
    "webgl": True,
}
READY = {"type": "event", "name": "document_ready", "values": {"type": "map"}}


@dataclass(frozen=True)
class App:
    """How an app is moved and how it answers.

    `model` finds the id of the model that takes a move, in the document; `move` is the
    event of (id, value, number of the move); `answers` whether a message answers it.
    """

    model: re.Pattern[str]
    move: Callable[[str, int, int], dict]
    answers: Callable[[str, int], bool]


def front_move(model, value, seq):
    """What the widget's front sends when the bucket slider moves."""
    move = [["type", "set"], ["key", "bucket"], ["value", value], ["seq", seq]]
    entries = [["model", {"id": model}], ["data", {"type": "map", "entries": move}]]
    values = {"type": "map", "entries": entries}
    return bokeh_event({"type": "event", "name": "data_event", "values": values})


def front_answers(content, seq):
    """A driver may leave out older moves: the answer to a newer one answers them."""
    return any(int(found) >= seq for found in SEQ.findall(content))


def slider_move(model, value, _seq):
    return changed(model, "value", value)


def slider_answers(content, _seq):
    return '"attr":"data"' in content or '"kind":"ColumnDataChanged"' in content


FRONT = App(
    re.compile(r'"name":"panel\.models\.esm\.\w+","id":"([^"]+)"'),
    front_move,
    front_answers,
)
SLIDER = App(
    re.compile(r'"name":"[\w.]*Slider","id":"([^"]+)"'), slider_move, slider_answers
)


def changed(model, attribute, value):
    event = {"kind": "ModelChanged", "model": {"id": model}}
    return event | {"attr": attribute, "new": value}


def bokeh_event(data):
    return {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": data}


def client():
    """Fetches without a queue of its own; connections aren't reused."""
    return AsyncHTTPClient(force_instance=True, max_clients=MOST_AT_ONCE)


async def fetch(http, address):
    """The bytes of an answer as they come, packed where the server packs."""
    headers = {"Accept-Encoding": "gzip, deflate, br", "User-Agent": "Mozilla/5.0"}
    times = {"connect_timeout": PATIENCE_S, "request_timeout": PATIENCE_S}
    request = HTTPRequest(address, headers=headers, decompress_response=False, **times)
    return (await http.fetch(request)).body


async def enter(http, address, app, *, with_resources=False):
    """A student whose page and document have come, as packed KiB of the page, student.

    With resources also all scripts and stylesheets that the page names have come, as
    to a browser that has never been here.
    """
    times = {"connect_timeout": PATIENCE_S, "request_timeout": PATIENCE_S}
    response = await http.fetch(HTTPRequest(address, **times))  # asks for gzip itself
    html = response.body.decode()
    if with_resources:
        await asyncio.gather(*(fetch(http, one) for one in resources(html, address)))
    student = Student(app)
    await student.connect(address, TOKEN.search(html)[1])
    return student


def resources(html, address):
    """The addresses of what a page names and its own server has, each once."""
    found = {urljoin(address, one) for one in RESOURCE.findall(html)}
    host = urlsplit(address).netloc
    return sorted(one for one in found if urlsplit(one).netloc == host)


class Student:
    """One session, from the websocket on. `seq` counts its moves."""

    def __init__(self, app):
        self.seq = 0
        self._app = app
        self._frames = []
        self._wanted, self._come = "", None

    async def connect(self, address, token):
        """Open the websocket and wait for the document."""
        parts = urlsplit(address)
        headers = {"Origin": f"{parts.scheme}://{parts.netloc}"}
        path = f"ws://{parts.netloc}{parts.path.rstrip('/')}/ws"
        acknowledged = self._next("ACK")
        self._socket = await websocket_connect(
            HTTPRequest(path, headers=headers, connect_timeout=PATIENCE_S),
            on_message_callback=self._hear,
            subprotocols=["bokeh", token],
            max_message_size=MOST_MESSAGE_BYTES,
        )
        self._socket.protocol.set_nodelay(True)  # as browsers do
        await asyncio.wait_for(acknowledged, PATIENCE_S)
        document = self._next("PULL-DOC-REPLY")
        self._send("PULL-DOC-REQ", {})
        content = await asyncio.wait_for(document, PATIENCE_S)
        self._model = self._app.model.search(content)[1]
        self._tell(BROWSER.search(content))

    def _tell(self, browser):
        """What every browser tells of itself, a message each."""
        told = TOLD.items() if browser else ()
        for attribute, value in told:
            self._patch(changed(browser[1], attribute, value))
        self._patch(bokeh_event(READY))

    async def move(self):
        """Move the slider to another value; returns when the answer is whole."""
        value = 1 + self.seq * 5 % 11  # never twice the same
        self.seq += 1
        answer = self._next("PATCH-DOC")
        self._patch(self._app.move(self._model, value, self.seq))
        await asyncio.wait_for(answer, PATIENCE_S)

    def leave(self):
        self._socket.close()

    def _patch(self, event):
        self._send("PATCH-DOC", {"events": [event]})

    def _send(self, kind, content):
        header = {"msgid": f"{id(self):X}", "msgtype": kind}
        for part in (header, {}, content):
            self._socket.write_message(json.dumps(part, separators=(",", ":")))

    def _next(self, wanted):
        """What will hold the content of the next such message that counts."""
        self._wanted = wanted
        self._come = asyncio.get_running_loop().create_future()
        return self._come

    def _hear(self, frame):
        """Gather the frames of a message: header, metadata, content, two a buffer."""
        if frame is None:
            return self._fail("the server closed the websocket")
        self._frames.append(frame)
        buffers = BUFFERS.search(self._frames[0])
        if len(self._frames) < 3 + 2 * int(buffers[1] if buffers else 0):
            return None
        (header, _, content), self._frames = self._frames[:3], []
        return self._take(header, content)

    def _take(self, header, content):
        if '"ERROR"' in header:
            return self._fail(content[:200])
        if f'"{self._wanted}"' not in header or self._come.done():
            return None
        if self._wanted == "PATCH-DOC" and not self._app.answers(content, self.seq):
            return None
        return self._come.set_result(content)

    def _fail(self, why):
        if not self._come.done():
            self._come.set_exception(ConnectionError(why))
