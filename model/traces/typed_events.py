"""Events decoded straight into a type of their own, a whole run of text at once.

First by the layout, if the text is in one: the texts of the wanted events, and only
those, are decoded. Else all events of the run are. Text that isn't JSON, or has fields
of odd types, is left to others.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import msgspec

from overlap_widget.model.traces.repair import Event
from overlap_widget.model.traces.rescue import mended_event

E = TypeVar("E")

_BETWEEN = b" ,\t\r\n\x00"


@dataclass(frozen=True, slots=True)
class Typed(Generic[E]):
    """How events become a type.

    decoder: of a list of them; raises an error of msgspec, or ValueError
    of_dict: one that was read as a dict
    layout:  the texts of the wanted events of a run, or None if it isn't in a layout;
             as last text all that isn't, of any number of events
    """

    decoder: msgspec.json.Decoder[list[E]]
    of_dict: Callable[[Event], E]
    layout: Callable[[bytes], list[bytes] | None]

    def decoded(self, run: bytes) -> list[E] | None:
        """The wanted events of a run, with others among them; None if any is odd."""
        texts = self.layout(run)
        if texts is not None:
            found = self._list_of(b",".join(texts))
            # a text of several events stands for all in another layout
            if found is not None and len(found) == len(texts):
                return found
        return self._list_of(run.strip(_BETWEEN))

    def one_by_one(self, run: bytes, damage: Counter[str]) -> list[E] | None:
        """The wanted events of a run in the layout, mended where they must be.

        None where that fails; `damage` counts only if it doesn't.
        """
        texts = self.layout(run)
        if texts is None:
            return None
        events: list[E] = []
        found: Counter[str] = Counter()
        for text in texts:
            one = self._list_of(text)
            if one is None:
                saved = mended_event(text, found)
                if saved is None:
                    return None
                one = [self.of_dict(saved)]
            events += one
        damage.update(found)
        return events

    def _list_of(self, texts: bytes) -> list[E] | None:
        try:
            return self.decoder.decode(b"[%s]" % texts)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None
