"""The tables of a measurement for a terminal, each at most 100 characters wide."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from overlap_widget.app.quantities import percent_text, size_text, time_text
from overlap_widget.app.said import Cell, text
from overlap_widget.app.text_table import Column, fitted
from overlap_widget.app.words import words
from overlap_widget.model.measurement_rows import DIGITS, StepRow, TotalRow, TransferRow

MOST_ROWS = 40
MOST_TRANSFERS = 12
"""Rows of a table in a terminal."""
MOST_NAME = 48
"""Characters of the name of a process group."""
WORDS = {
    "complete": "yes",
    "incomplete": "no",
    "no communication": "none",
    "no overlap": "not applicable",
    "unknown": "unknown",
    "whole": "The whole file:",
    "wholes": "The whole files:",
    "no rank": "?",
    "more": "... and {count:,} more; --csv lists them all.",
    "more transfers": "... and {count:,} more; --json lists them all.",
}


def step_table(rows: Sequence[StepRow], files: Sequence[str]) -> str:
    """A row a step; `files` are their labels, all empty where there is one file."""
    shown, files = rows[:MOST_ROWS], files[:MOST_ROWS]
    all_complete = all(row.complete for row in shown)
    waits = any(row.waiting_s is not None for row in shown)
    columns = [
        *_where(shown, files),
        Column("step", tuple(row.step for row in shown), "<"),
        Column(
            "complete",
            tuple(WORDS["complete" if one.complete else "incomplete"] for one in shown),
            "<",
            spare=1 if all_complete else 0,
        ),
        _times("length", shown, lambda row: row.span_s),
        _times("idle", shown, lambda row: row.idle_s, spare=4),
        _times("compute", shown, lambda row: row.compute_s),
        *_moved(shown),
        Column("tail", tuple(_of_moved(row, row.tail_s) for row in shown)),
    ]
    if waits:
        cells = tuple(_of_moved(row, row.waiting_s) for row in shown)
        columns.append(Column("waiting", cells))
    if any(row.remark for row in shown):
        cells = tuple(row.remark for row in shown)
        columns.append(Column("remark", cells, "<", spare=3))
    return _with_rest(fitted(columns), len(rows), "more")


def total_table(rows: Sequence[TotalRow], files: Sequence[str]) -> str:
    """A row a device, of whole files."""
    shown, files = rows[:MOST_ROWS], files[:MOST_ROWS]
    columns = [
        *_where(shown, files),
        _times("compute", shown, lambda row: row.compute_s),
        *_moved(shown),
        Column("overlap", tuple(map(_overlap, shown))),
    ]
    table = _with_rest(fitted(columns), len(rows), "more")
    return f"{WORDS['whole'] if len(rows) == 1 else WORDS['wholes']}\n{table}"


def transfer_table(
    rows: Sequence[TransferRow], waiting_s: Sequence[float | None]
) -> str:
    """The first transfers of a step, numbered; `waiting_s` where several ranks tell."""
    shown, waits = rows[:MOST_TRANSFERS], waiting_s[:MOST_TRANSFERS]
    columns = [
        Column("transfer", tuple(str(at + 1) for at in range(len(shown)))),
        Column("collective", tuple(map(_collective, shown)), "<"),
        Column("size", tuple(_size(row.bytes) for row in shown)),
        _seconds("starts", [row.start_s for row in shown]),
        _seconds("takes", [row.end_s - row.start_s for row in shown]),
        _seconds("exposed", [row.exposed_s for row in shown]),
    ]
    if any(one is not None for one in waits):
        columns.append(_seconds("waiting", waits))
    rest = len(rows) - MOST_TRANSFERS
    more = f"\n{WORDS['more transfers'].format(count=rest)}" if rest > 0 else ""
    return f"{fitted(columns)}{more}"


def _collective(row: TransferRow) -> str:
    return (row.collective or WORDS["unknown"]).replace("_", "-")


def _size(size_bytes: float | None) -> str:
    return WORDS["unknown"] if size_bytes is None else size_text(size_bytes)


def group_table(groups: Mapping[str, Sequence[Any]]) -> str:
    """A row a process group, from the columns of `rank_groups.groups_table`."""
    names = tuple(_group_name(name) for name in groups["name"])
    waits = any(one is not None for one in groups["waiting_s"])
    columns = [
        Column("process group", names, "<"),
        Column("transfers", tuple(f"{count:,}" for count in groups["transfers"])),
        Column("size", tuple(map(_size, groups["size_bytes"])), spare=1),
        _seconds("communication", groups["communication_s"]),
        _seconds("exposed", groups["exposed_s"]),
    ]
    if waits:
        columns.append(_seconds("waiting", groups["waiting_s"]))
    return fitted(columns)


def _group_name(name: Cell | None) -> str:
    name = words("group.unknown") if name is None else text(name)
    return name if len(name) <= MOST_NAME else f"{name[: MOST_NAME - 3]}..."


def _seconds(head: str, values: Sequence[float | None]) -> Column:
    cells = tuple(
        WORDS["unknown"] if value is None else time_text(round(value, DIGITS))
        for value in values
    )
    return Column(head, cells)


def _with_rest(table: str, count: int, key: str) -> str:
    """The table, with how many rows it leaves out."""
    rest = count - MOST_ROWS
    return f"{table}\n{WORDS[key].format(count=rest)}" if rest > 0 else table


def _where(
    rows: Sequence[StepRow] | Sequence[TotalRow], files: Sequence[str]
) -> list[Column]:
    """Where each row ran: only what tells rows apart must stand."""
    devices = {row.device for row in rows}
    ranks = tuple(
        WORDS["no rank"] if row.rank is None else str(row.rank) for row in rows
    )
    where = [
        Column("rank", ranks, "<"),
        Column(
            "device",
            tuple(str(row.device) for row in rows),
            "<",
            spare=2 if len(devices) == 1 else 0,
        ),
    ]
    return [Column("file", tuple(files), "<"), *where] if any(files) else where


def _times(
    head: str,
    rows: Sequence[StepRow] | Sequence[TotalRow],
    seconds: Callable[..., float],
    spare: int = 0,
) -> Column:
    cells = tuple(time_text(round(seconds(row), DIGITS)) for row in rows)
    return Column(head, cells, spare=spare)


def _moved(rows: Sequence[StepRow] | Sequence[TotalRow]) -> list[Column]:
    return [
        Column(
            "communication", tuple(_of_moved(row, row.communication_s) for row in rows)
        ),
        Column("hidden", tuple(_of_moved(row, row.hidden_s) for row in rows), spare=5),
        Column("exposed", tuple(_of_moved(row, row.exposed_s) for row in rows)),
    ]


def _of_moved(row: StepRow | TotalRow, seconds: float | None) -> str:
    if seconds is None:
        return WORDS["unknown"]
    return time_text(seconds) if row.communication_s else WORDS["no communication"]


def _overlap(row: TotalRow) -> str:
    return WORDS["no overlap"] if row.overlap is None else percent_text(row.overlap)
