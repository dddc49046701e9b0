"""Work beside the server, which the end of the process doesn't wait for."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

Made = TypeVar("Made")


def beside(work: Callable[[], Made]) -> Future[Made]:
    """Begin it in a thread of its own; an executor's would be waited for at the end."""
    made: Future[Made] = Future()

    def run() -> None:
        try:
            made.set_result(work())
        except Exception as error:  # whoever asks for it must hear of it
            made.set_exception(error)

    Thread(target=run, name="beside", daemon=True).start()
    return made
