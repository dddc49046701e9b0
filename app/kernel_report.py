"""The table of kernel names, for whoever writes rules: as text, JSON and CSV."""

from collections.abc import Sequence
from typing import Any

from overlap_widget.app.measurement_report_data import csv_text, json_text
from overlap_widget.app.quantities import time_text
from overlap_widget.app.text_table import MOST_WIDTH, aligned, on_one_line, wrapped
from overlap_widget.model.kernel_table import KernelRow
from overlap_widget.model.measurement_rows import DIGITS

MOST_NAMES = 100
"""Rows in a terminal."""
HEAD = ("class", "count", "time", "kernel")
KEYS = ("name", "class", "count", "time_s")
MORE = "... and {count:,} more; --csv lists them all."
CUT = "..."
ADVICE = (
    "Times are sums, so kernels at once count twice. What a kernel counts as can be "
    "changed by a file of rules on whole names (--rules FILE); --csv writes long names "
    "whole."
)


def as_text(rows: Sequence[KernelRow]) -> str:
    """The table, names cut to the width of the page, and what to do with it."""
    shown = rows[:MOST_NAMES]
    cells = [HEAD[:3], *(_cells(row) for row in shown)]
    table = aligned(cells, "<>>").splitlines()
    width = max(map(len, table))
    room = MOST_WIDTH - width - 2
    names = [HEAD[3], *(row.name for row in shown)]
    lines = [
        f"{line:{width}}  {_cut(name, room)}"
        for line, name in zip(table, names, strict=True)
    ]
    if len(rows) > MOST_NAMES:
        lines.append(MORE.format(count=len(rows) - MOST_NAMES))
    return "\n".join([*lines, "", wrapped(ADVICE), ""])


def as_json(rows: Sequence[KernelRow]) -> str:
    """`kernels`, each with its class, how often it ran and the sum of its seconds."""
    return json_text({"kernels": [_plain(row) for row in rows]})


def as_csv(rows: Sequence[KernelRow]) -> str:
    """One row a name and class, with a head; seconds."""
    return csv_text(KEYS, map(_plain, rows))


def _plain(row: KernelRow) -> dict[str, Any]:
    values = row.name, row.kind.name.lower(), row.count, round(row.time_s, DIGITS)
    return dict(zip(KEYS, values, strict=True))


def _cells(row: KernelRow) -> tuple[str, str, str]:
    return row.kind.name.lower(), f"{row.count:,}", time_text(row.time_s)


def _cut(name: str, room: int) -> str:
    shown = on_one_line(name)
    return shown if len(shown) <= room else shown[: room - len(CUT)] + CUT
