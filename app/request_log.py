"""The log of requests: short lines, and not without end, whatever strangers ask for."""

import logging

from overlap_widget.app.standard_streams import short_line

LOGGERS = ("tornado.access", "tornado.general")
MOST_TOLD = 100
"""Refused or strange requests of a process that the log names; faults always are."""


class ShortLines(logging.Filter):
    """Cuts what a stranger chose, and leaves such lines out once there are many."""

    def __init__(self) -> None:
        super().__init__()
        self._told = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is for the log."""
        record.msg, record.args = short_line(record.getMessage()), ()
        if record.levelno < logging.ERROR:
            self._told += 1
        return record.levelno >= logging.ERROR or self._told <= MOST_TOLD


SHORT_LINES = ShortLines()


def shorten_lines() -> None:
    """Have the log of this process keep to that."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(SHORT_LINES)
