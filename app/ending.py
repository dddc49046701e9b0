"""How a command is ended from outside: Ctrl-C, a request to end, a closed terminal.

Signals that are ignored when a command starts stay so: `nohup` asks for that, and a
shell for what it runs in the background.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, NoReturn

Signals = tuple[signal.Signals, ...]

ENDING: Signals = tuple(
    signal.Signals[name]
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if name in signal.Signals.__members__  # Windows has no SIGHUP
)
REPORTED = 128
"""A shell reports a program that ended by signal n as 128 + n."""


@contextmanager
def ended_at_once() -> Iterator[None]:
    """Ctrl-C ends the process then and there.

    For loading modules: nothing has to be put in order yet, and KeyboardInterrupt may
    become any other error in a module that is half loaded, or get lost.
    """
    heard = _not_ignored((signal.SIGINT,))
    before = _handle(heard, signal.SIG_DFL)
    try:
        yield
    finally:
        _restore(before)


@contextmanager
def unwinding() -> Iterator[Signals]:
    """Any of the signals leaves the block by SystemExit, so that files are removed.

    Gives the signals that aren't ignored. A second one ends the process at once.
    """
    heard = _not_ignored(ENDING)

    def leave(number: int, _frame: FrameType | None) -> NoReturn:
        _handle(heard, signal.SIG_DFL)
        raise SystemExit(REPORTED + number)

    before = _handle(heard, leave)
    try:
        yield heard
    finally:
        _restore(
            {one: was for one, was in before.items() if signal.getsignal(one) is leave}
        )


def run_until_ended(
    run: Callable[[], None], stop: Callable[[], None], heard: Signals
) -> None:
    """Run until one of the signals, which has it stopped; a second ends the process.

    `stop` must be safe wherever a signal may come.
    """

    def end(_number: int, _frame: FrameType | None) -> None:
        _handle(heard, signal.SIG_DFL)
        stop()

    _handle(tuple(one for one in ENDING if one not in heard), signal.SIG_IGN)
    _handle(heard, end)
    run()


def _not_ignored(signals: Signals) -> Signals:
    return tuple(one for one in signals if signal.getsignal(one) != signal.SIG_IGN)


def _handle(signals: Signals, handler: Any) -> dict[signal.Signals, Any]:
    """Handle signals so from now on, and say how before; only the main thread can."""
    if current_thread() is not main_thread():
        return {}
    return {one: signal.signal(one, handler) for one in signals}


def _restore(before: dict[signal.Signals, Any]) -> None:
    for one, handler in before.items():
        signal.signal(one, handler)
