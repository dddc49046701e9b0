"""Columns that come in parts, joined at the end with little memory beside them."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from overlap_widget.model.traces.gpu_events import Columns


class ColumnParts:
    """A table of typed columns, as `WORK` in gpu_events.py describes one."""

    def __init__(self, types: Mapping[str, str]) -> None:
        self._types = types
        self._parts: dict[str, list[NDArray[np.generic]]] = {name: [] for name in types}

    def add(self, **columns: ArrayLike) -> None:
        """Add rows: every column of the table, all of one length."""
        for name, code in self._types.items():
            self._parts[name].append(np.asarray(columns[name], dtype=code))

    def joined(self) -> Columns:
        """The whole columns; the parts are let go one column after the other."""
        return {
            name: np.concatenate([np.empty(0, code), *self._parts.pop(name)])
            for name, code in self._types.items()
        }
