"""What was worked out of a recording, kept for as long as the recording itself."""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from overlap_widget.model.recording import Recording

P = ParamSpec("P")
T = TypeVar("T")
Made = Callable[Concatenate[Recording, P], T]


def remembered(make: Made[P, T]) -> Made[P, T]:
    """The function with its outcomes kept, by recording and by further arguments.

    A recording never changes, and all sessions that show it may share what is known of
    it. An outcome must not refer to the recording, which would then stay for ever.
    """
    kept: WeakKeyDictionary[Recording, dict[object, T]] = WeakKeyDictionary()

    def known(recording: Recording, /, *args: P.args, **kwargs: P.kwargs) -> T:
        of_this = kept.setdefault(recording, {})
        key = (args, tuple(kwargs.items()))
        if key not in of_this:
            of_this[key] = make(recording, *args, **kwargs)
        return of_this[key]

    known.__doc__ = make.__doc__
    return known
