"""Explorer: one session of the widget, and what follows when something moves."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import panel as pn
import param

from overlap_widget.app.changes import begun, change, short, started
from overlap_widget.app.embedded import embedded_page
from overlap_widget.app.front import Front, whole_front
from overlap_widget.app.lesson import PRESETS
from overlap_widget.app.measured import (
    Measured,
    example,
    opened,
)
from overlap_widget.app.measured_moves import MEASURED_MOVES, Act, Move
from overlap_widget.app.opening import Opened, open_found
from overlap_widget.app.reading import Trace, loaded
from overlap_widget.app.receiving import Found, Receiver
from overlap_widget.app.rules_text import rules_text
from overlap_widget.app.settings import DEFAULT, FAULT, Notice, Settings, restarted
from overlap_widget.app.shown import makers
from overlap_widget.app.start import start
from overlap_widget.app.upload import Upload, UploadError
from overlap_widget.app.what_if import tried
from overlap_widget.model.recording import Recording, window
from overlap_widget.model.traces import TraceError

LOG = logging.getLogger(__name__)
PARTS = ("view", "figures", "sweep", "map", "ranks", "upload")
CHANGES = {
    "window": ("figures",),
    "upload": ("upload",),
    "export": (),
    "save_classes": (),
}
"""What a kind of move changes of the state, where that isn't all of it."""
MOST_CUTS = 12
"""Steps that a session keeps cut out of their recordings."""


class Explorer(pn.viewable.Viewer):
    """The widget: `Explorer()` in a notebook cell or `.servable()` in an app.

    `Explorer("rank0.json.gz")` opens recordings, by path or as loaded; `query` sets it
    up as an address does: `Explorer(query="bucket=2&overhead=200us")`. `front`
    makes what shows it. The settings, the recordings and the notices are the whole
    state of a session; the front shows it and sends moves. Settings that are assigned
    are shown too.
    """

    settings = param.ClassSelector(class_=Settings, default=DEFAULT, instantiate=False)
    measured = param.ClassSelector(
        class_=Measured, default=Measured(), instantiate=False
    )
    notices = param.ClassSelector(class_=tuple, default=(), doc="What must be said.")

    def __init__(
        self,
        recordings: Trace | Sequence[Trace] | None = None,
        query: str | None = None,
        front: Callable[[], Front] = whole_front,
        **params: Any,
    ) -> None:
        begun = start(query or "", loaded(recordings))
        params = {"settings": begun.settings, "notices": begun.notices} | params
        super().__init__(measured=begun.measured, **params)
        self._cut = lru_cache(MOST_CUTS)(window)
        self._batch = ""
        self.receiver = Receiver(self._take, self._tell_upload)
        self._front = front()
        self._front.on_msg(lambda event: self.move(_as_move(event.data)))
        self._show(seq=0)
        self._is_moving = False
        self.param.watch(self._assigned, ["settings", "measured"])

    def _assigned(self, _event: object) -> None:
        """Show what was assigned from outside; a move shows its own outcome."""
        if not self._is_moving:
            self._show(seq=self._front.parts["seq"])

    @contextmanager
    def _moving(self) -> Iterator[None]:
        """While the session itself assigns: it shows the outcome at the end, once."""
        self._is_moving = True
        try:
            yield
        finally:
            self._is_moving = False

    @contextmanager
    def _unharmed(self, seq: int) -> Iterator[None]:
        """Where a fault of ours ends what is done, the state is as it was before.

        The log has the fault, and the page one sentence, so that the session goes on.
        """
        before = self.settings, self.measured
        try:
            yield
        except Exception:
            LOG.exception("A session goes on as it was before this fault")
            with self._moving():
                self.settings, self.measured = before
            self.notices = (FAULT,)
            self._front.tell_fault(seq, self.receiver.view())

    def __panel__(self) -> Front:
        return self._front

    def move(self, move: Move) -> None:
        """Do what the front asks for, then show the state that follows.

        A move that can't be understood changes nothing and is said.
        """
        with self._unharmed(_whole(move.get("seq"))):
            self._move(move)

    def _move(self, move: Move) -> None:
        kind = str(move.get("type"))
        said, self.notices = self.notices, ()
        with self._moving():
            try:
                self._acts().get(kind, _nothing)(move)
            except (TraceError, UploadError) as error:
                self._say(str(error))
            except (KeyError, TypeError, ValueError, OverflowError):
                self.notices = (*self.notices, Notice("notice.bad_move", {}))
        parts = CHANGES.get(kind, PARTS) if said == self.notices else PARTS
        self._show(_whole(move.get("seq")), parts)

    def close(self) -> None:
        """Remove what was received from the page; the session is over."""
        self.receiver.cancel()

    def _acts(self) -> dict[str, Callable[[Move], None]]:
        acts = {
            kind: partial(self._measure, act) for kind, act in MEASURED_MOVES.items()
        }
        return acts | {
            "set": self._set,
            "reset": self._reset,
            "preset": self._preset,
            "try": self._try,
            "upload": self.receiver.receive,
            "cancel_upload": lambda _move: self.receiver.cancel(),
            "export": self._export,
            "save_classes": self._save_classes,
        }

    def _set(self, move: Move) -> None:
        self.settings, self.notices = change(
            self.settings, str(move["key"]), move["value"]
        )

    def _try(self, move: Move) -> None:  # noqa: ARG002  every act takes its move
        """Explore the recorded step that is shown, with other buckets and links."""
        self.settings = tried(self.settings, self.measured)

    def _reset(self, move: Move) -> None:  # noqa: ARG002  every act takes its move
        in_lesson = self.settings.lesson != "off"
        self.settings = (begun if in_lesson else restarted)(self.settings)

    def _preset(self, move: Move) -> None:
        """Start from one of the presets; a question that is asked stays asked."""
        freed = replace(self.settings, lesson="off")
        self.settings = started(freed, PRESETS[str(move["value"])])

    def _measure(self, act: Act, move: Move) -> None:
        if self.measured.recordings:
            self.measured = act(self.measured, move)

    def _take(self, upload: Upload, found: Found) -> None:
        """Show what was in a file that the page sent."""
        with self._unharmed(self._front.parts["seq"]):
            with self._moving():
                if isinstance(found, TraceError):
                    self._say(str(found))
                else:
                    self._open(upload, found)
                    self.settings = replace(self.settings, mode="measured")
            self._show(seq=self._front.parts["seq"])

    def _open(self, upload: Upload, found: Opened) -> None:
        """Rules hold at once; of files that are opened together the first is shown."""
        try:
            self.measured, said = open_found(self.measured, upload, found, self._batch)
        except ValueError as error:
            self._say(f"{upload.name}: {error}")
        else:
            if any(isinstance(one, Recording) for one in found):  # not rules alone
                self._batch = upload.batch
            self.notices = (*self.notices, *said)

    def _export(self, move: Move) -> None:  # noqa: ARG002  every act takes its move
        """Hand this page over as one file, once; it is part of no view."""
        measured = self.measured
        place = measured.place if measured.recordings else None
        try:
            text = embedded_page(self.settings, measured.recordings, place)
        except Exception as error:  # whatever it was, the session goes on
            self.notices = (Notice("error.export", {"reason": short(error)}),)
        else:
            self._front.hand_over("overlap.html", text)

    def _save_classes(self, move: Move) -> None:  # noqa: ARG002  every act takes its move
        """Hand the rules over as a file."""
        recordings = self.measured.recordings
        names = {name for one in recordings for name in one.spans.names}
        text = rules_text(self.measured.classes.rules, sorted(names))
        self._front.hand_over("kernel-classes.json", text)

    def _tell_upload(self) -> None:
        self._show(seq=self._front.parts["seq"], parts=("upload",))

    def _say(self, text: str) -> None:
        self.notices = (*self.notices, Notice("", {"text": text}))

    def _show(self, seq: int, parts: Sequence[str] = PARTS) -> None:
        """Hand the front what changed of the state, as one change."""
        measures = self.settings.mode == "measured"
        if measures and not self.measured.recordings:
            with self._moving():
                self.measured = opened(self.measured, example())
        made = makers(self.settings, self.measured, self.notices, self._cut)
        made["upload"] = self.receiver.view
        self._front.tell({part: made[part]() for part in parts} | {"seq": seq})


def _as_move(sent: object) -> Move:
    """What the page sent; nothing to do where it is no move at all."""
    return sent if isinstance(sent, dict) else {}


def _nothing(move: Move) -> None:
    """What an unknown move does."""


def _whole(number: object) -> int:
    return number if isinstance(number, int) else 0
