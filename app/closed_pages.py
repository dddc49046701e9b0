"""Pages that were closed, or loaded anew, while the server wrote to them."""

import logging

from tornado.websocket import WebSocketClosedError

LOGGERS = ("asyncio", "bokeh.server.views.ws")
SAID = "Failed sending message as connection was closed"


def leave_unsaid() -> None:
    """Keep them out of the log, where a traceback looks as if something was wrong."""
    for name in LOGGERS:
        logging.getLogger(name).addFilter(is_worth_saying)


def is_worth_saying(record: logging.LogRecord) -> bool:
    """Whether a record tells of anything else."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, WebSocketClosedError) and record.msg != SAID
