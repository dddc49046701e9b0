"""What a session receives from its page: files in pieces, then read beside it."""

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

import panel as pn
from bokeh.document import Document
from panel.io.state import set_curdoc

from overlap_widget.app.leftovers import remove_leftovers
from overlap_widget.app.opening import is_rules_file
from overlap_widget.app.read_process import Read
from overlap_widget.app.readers import Readers
from overlap_widget.app.reading import read
from overlap_widget.app.stoppable import Reading, StoppedError
from overlap_widget.app.upload import Upload, UploadError, begin, shown_name
from overlap_widget.app.upload_limits import STALL_S, Allowance
from overlap_widget.model.classes import Rule
from overlap_widget.model.rules_file import RulesError, load_rules
from overlap_widget.model.traces import TraceError

READERS = Readers(2)
TELL_S = 0.3
"""So often does a page hear how far a file has been read."""

Found = Read | tuple[Rule, ...]
"""Recordings, rules, or why there are none."""
Take = Callable[[Upload, Found], None]
Act = Callable[[], None]


class Receiver:
    """The one file that is on its way, if any.

    `take` gets what was in it, and `tell` is called when it is read a little further;
    both in the turn of the session.
    """

    def __init__(self, take: Take, tell: Callable[[], None]) -> None:
        self.upload: Upload | None = None
        self.future: Future[None] | None = None
        self._reading: Reading | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._allowance = Allowance()
        self._take, self._tell = take, tell
        remove_leftovers()

    def receive(self, move: Mapping[str, Any]) -> None:
        """One piece of a file; after the last one it is read.

        UploadError if it can't be received; then nothing of it is left.
        """
        upload = self.upload
        if upload is None or upload.id != move["id"]:
            upload = self._begin(move)
        try:
            upload.receive(move["data"], int(move["offset"]))
            if move.get("last"):
                upload.finish()
        except UploadError:
            self.cancel()
            raise
        if move["data"] or move.get("last") or self._timer is None:
            self._expect_more(upload)
        if move.get("last"):
            self._go_on(upload)

    def cancel(self) -> None:
        """End what is on its way, whether it is being received or read."""
        if self._reading is not None:
            self._reading.cancel()  # its thread removes the file
        elif self.upload is not None:
            self.upload.discard()
        self._set(None)

    def _set(self, upload: Upload | None) -> None:
        """Another file is the one on its way, or none; it isn't read yet."""
        self.upload, self._reading = upload, None
        self._end_timer()

    def _begin(self, move: Mapping[str, Any]) -> Upload:
        """The file that a first piece announces, after the one before it has ended."""
        before = self.upload
        try:
            self._allowance.take(shown_name(move), max(int(move["size_bytes"]), 0))
            joined = begin(move, before)
        except UploadError:
            self.cancel()
            raise
        if before is None or before.folder is not joined.folder:
            self.cancel()
        self._set(joined)
        return joined

    def _expect_more(self, upload: Upload) -> None:
        """Give a file up if nothing more comes of it, or of those it is held for."""
        self._end_timer()
        if upload.state not in ("receiving", "held"):
            return
        soon = _turns(pn.state.curdoc)
        with suppress(RuntimeError):  # moves are answered in threads: no clock there
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(
                STALL_S, lambda: soon(lambda: self._give_up(upload))
            )

    def _end_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _give_up(self, upload: Upload) -> None:
        if self.upload is not upload:
            return
        said = f"nothing more of it came for {STALL_S / 60:.0f} minutes; open it again"
        self._end(upload, TraceError(f"{upload.name}: {said}"))

    def view(self) -> dict[str, Any]:
        """What the front shows of it; empty without one."""
        return self.upload.view() if self.upload else {}

    def _go_on(self, upload: Upload) -> None:
        """Read a whole file, unless it waits for another one, or is none of ours."""
        if upload.state == "held":
            return
        if is_rules_file(upload.path):
            self._end(upload, _rules(upload))
        else:
            self._begin_reading(upload, pn.state.curdoc)

    def _begin_reading(self, upload: Upload, document: Document | None) -> None:
        told_s = 0.0
        soon = _turns(document)

        def tell(share: float) -> None:
            nonlocal told_s
            upload.read_share = share
            if time.monotonic() - told_s >= TELL_S:
                told_s = time.monotonic()
                soon(self._tell)

        self._reading = reading = Reading(upload, tell)

        def read_then_take() -> None:
            try:
                found = read(reading)
            except StoppedError:
                upload.discard()
            else:
                soon(lambda: self._end(upload, found))

        self.future = READERS.submit(read_then_take, reading)

    def _end(self, upload: Upload, found: Found) -> None:
        """Hand over what was found, unless it was cancelled meanwhile."""
        upload.discard()
        if self.upload is not upload:
            return
        if upload.is_found and found == ():
            self._set(upload)
            upload.state = "skipped"
            self._tell()
            return
        self._set(None)
        self._take(upload, found)


def _rules(upload: Upload) -> Found:
    try:
        return load_rules(upload.path)
    except RulesError as error:
        return TraceError(str(error).replace(str(upload.path), upload.name))


def _turns(document: Document | None) -> Callable[[Act], object]:
    """What has something done in the session's own turn; at once without a server.

    To be made in the thread of the server, which alone touches the document: what
    another one adds to it while a view is sent may be lost.
    """
    if document is None or document.session_context is None:
        return lambda act: act()
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:  # moves are answered in threads: there is no such one
        return document.add_next_tick_callback
    context = document.session_context

    async def turn(act: Act) -> None:
        """Not as a callback of the document: one was lost now and then."""
        await context.with_locked_document(lambda _document: acted(act))

    async def acted(act: Act) -> None:
        with set_curdoc(document):
            act()

    return lambda act: asyncio.run_coroutine_threadsafe(turn(act), loop)
