"""Sessions that come, open a file and leave: what the server keeps of them.

Run by hand: `.venv/bin/python tests/bench/cycles.py [VISITS [ROUNDS]]`. In each round
(3) so many (200) students open a page of one server, send it a recording, look at it,
and close the page. Then the server's memory, threads, open files and received files
are printed, which should be as after the round before.
"""

import asyncio
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from bokeh_wire import FRONT, TOKEN, Student, client

TRACE = Path(__file__).parents[2] / "static" / "example-trace.json.gz"
AT_ONCE = 4
LEFT = 1001  # as browsers close the socket of a page that is left
REST_S = 40  # in which the server looks twice for sessions that are over
VISITS, ROUNDS = 200, 3


def is_shown(content, _seq):
    return TRACE.name in content and re.search(r'\\"measured\\":\{', content)


OPENED = replace(FRONT, answers=is_shown)


class Visitor(Student):
    """A student who brings a file."""

    async def open_file(self):
        data = TRACE.read_bytes()
        about = {"type": "upload", "id": "1", "name": TRACE.name, "seq": 1}
        about |= {"size_bytes": len(data), "offset": 0, "last": True}
        piece = ["data", {"type": "bytes", "data": {"id": "0"}}]
        move = {"type": "map", "entries": [*map(list, about.items()), piece]}
        entries = [["model", {"id": self._model}], ["data", move]]
        event = {"type": "event", "name": "data_event"}
        event["values"] = {"type": "map", "entries": entries}
        sent = {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": event}
        shown = self._next("PATCH-DOC")
        header = {"msgid": f"{id(self):X}", "msgtype": "PATCH-DOC", "num_buffers": 1}
        for part in (header, {}, {"events": [sent]}, {"id": "0"}):
            self._socket.write_message(json.dumps(part))
        self._socket.write_message(data, binary=True)
        await asyncio.wait_for(shown, 60)

    def leave(self):
        self._socket.close(LEFT)


async def visit(http, address, turn):
    async with turn:
        page = (await http.fetch(address)).body.decode()
        visitor = Visitor(OPENED)
        await visitor.connect(address, TOKEN.search(page)[1])
        await visitor.open_file()
        visitor.leave()


async def visits(address, count):
    http, turn = client(), asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*(visit(http, address, turn) for _ in range(count)))


def kept(server):
    """MB of memory, threads, open files and folders of received files, as a line."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    memory_mb = int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1e3
    threads = re.search(r"Threads:\s+(\d+)", status)[1]
    files = len(list(Path(f"/proc/{server.pid}/fd").iterdir()))
    folders = len(list(Path(tempfile.gettempdir()).glob("overlap-*")))
    return f"{memory_mb:5.0f} MB  {threads} threads  {files} files  {folders} folders"


async def main(count=VISITS, rounds=ROUNDS):
    command = [sys.executable, "-m", "overlap_widget.app", "serve"]
    server = subprocess.Popen(
        [*command, "--port", "0", "--no-show"], stdout=subprocess.PIPE, text=True
    )
    try:
        address = re.search(r"http://\S+", server.stdout.readline())[0]
        await visits(address, 10)  # what is made once
        await asyncio.sleep(REST_S)
        print(f"before   {kept(server)}")
        for at in range(rounds):
            await visits(address, count)
            await asyncio.sleep(REST_S)
            print(f"round {at + 1}  {kept(server)}")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
