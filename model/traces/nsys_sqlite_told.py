"""Word of how far a reading is also while SQLite works at one question for long."""

from overlap_widget.model.traces.options import Progress

STEPS_BETWEEN = 10**7
"""Of SQLite's own, between two words to the progress: a tenth of a second."""


class Told:
    """A progress that is told again while SQLite works, and may end that by raising."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress, self._share = progress, 0.0
        self.error: BaseException | None = None

    def __call__(self, share: float) -> None:
        """As any progress."""
        self._share = share
        if self._progress is not None:
            self._progress(share)

    def again(self) -> bool:
        """Whether SQLite should stop: for `set_progress_handler`."""
        try:
            self(self._share)
        except BaseException as error:  # SQLite would swallow it
            self.error = error
        return self.error is not None
