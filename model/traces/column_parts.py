"""Columns that grow by parts and become arrays without a copy."""

from array import array
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from overlap_widget.model.traces.gpu_events import Columns, on_same_memory


class ColumnParts:
    """A table of typed columns, as `WORK` in gpu_events.py describes one.

    Large memory that grows is moved, not copied, so little is held beside the columns.
    """

    def __init__(self, types: Mapping[str, str]) -> None:
        self._columns = {name: array(code) for name, code in types.items()}

    def add(self, **parts: ArrayLike) -> None:
        """Add rows: a part of every column, all of one length."""
        for name, column in self._columns.items():
            part = np.ascontiguousarray(parts[name], column.typecode)
            column.frombytes(part.view(np.uint8).data)

    def joined(self) -> Columns:
        """The whole columns on the same memory, so nothing may be added after."""
        return on_same_memory(self._columns)
