"""Panel and Bokeh: what draws, asks and answers; no arithmetic of its own.

`Explorer` is loaded when it is asked for, so that reading a trace in a terminal
doesn't load Panel.
"""

import importlib
from typing import Any

__all__ = ["Explorer"]


def __getattr__(name: str) -> Any:
    if name == "Explorer":
        return importlib.import_module("overlap_widget.app.explorer").Explorer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
