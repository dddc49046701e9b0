"""Columns that grow row by row; compact, since a file can hold millions of rows."""

from array import array
from collections.abc import Mapping

from overlap_widget.model.traces.gpu_events import Columns, on_same_memory


class Growing:
    """A table of typed columns, as `WORK` in gpu_events.py describes one."""

    def __init__(self, types: Mapping[str, str]) -> None:
        self._columns = {name: array(code) for name, code in types.items()}
        self._appends = [column.append for column in self._columns.values()]

    def append(self, *row: float) -> None:
        """Add a row; its values in the order of the columns."""
        for append, value in zip(self._appends, row, strict=True):
            append(value)  # type: ignore[arg-type]

    def frozen(self) -> Columns:
        """The columns as arrays on the same memory, so nothing may be added after."""
        return on_same_memory(self._columns)
