"""Panel and Bokeh: what draws, asks and answers; no arithmetic of its own.

`Explorer` and `frame` are loaded when they are asked for, so that reading a trace in a
terminal doesn't load Panel.
"""

import importlib
from typing import Any

__all__ = ["Explorer", "frame"]

HOMES = {"Explorer": "explorer", "frame": "notebook"}


def __getattr__(name: str) -> Any:
    if name in HOMES:
        return getattr(importlib.import_module(f"{__name__}.{HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
