"""Two measured steps beside each other, for a terminal and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from overlap_widget.app.comparison_said import comparison_said
from overlap_widget.app.measurement_report_data import csv_text, json_text
from overlap_widget.app.measurement_report_notes import notes_text
from overlap_widget.app.quantities import size_text, time_text
from overlap_widget.app.said import text
from overlap_widget.app.text_table import Column, aligned, fitted, wrapped
from overlap_widget.model.comparison import Comparison, Difference, StepNumbers
from overlap_widget.model.measurement_rows import DIGITS

HEAD = ("", "before", "after", "change")
LABELS = {
    "span_s": "length",
    "compute_s": "compute",
    "communication_s": "communication",
    "hidden_s": "hidden",
    "exposed_s": "exposed",
    "tail_s": "tail",
    "waiting_s": "waiting",
    "idle_s": "idle",
    "transfers": "transfers",
    "size_bytes": "bytes",
}
UNKNOWN, NO_CHANGE = "unknown", "none"
MOST_ROWS = 40
MORE = "... and {count:,} more; --csv lists them all."


@dataclass(frozen=True, slots=True)
class Pair:
    """Two steps that were compared, and where each ran."""

    before: str
    after: str
    found: Comparison


def as_text(pairs: Sequence[Pair], notes: Sequence[str] = ()) -> str:
    """What differs and why, then every number; of several ranks the one most changed.

    Then a row each of them, and what is doubtful about the files.
    """
    pair = max(pairs, key=lambda one: abs(one.found.change_s))
    where = wrapped(f"Before: {pair.before}. After: {pair.after}.")
    said = "\n".join(wrapped(text(one)) for one in comparison_said(pair.found))
    numbers = aligned([HEAD, *(_cells(row) for row in pair.found.rows)], "<>>>")
    parts = [where, said, numbers]
    if len(pairs) > 1:
        parts.append(fitted(_columns(pairs[:MOST_ROWS])))
    if len(pairs) > MOST_ROWS:
        parts.append(MORE.format(count=len(pairs) - MOST_ROWS))
    if notes:
        parts.append(notes_text(notes))
    return "\n\n".join(parts) + "\n"


def _columns(pairs: Sequence[Pair]) -> list[Column]:
    """Length and exposed communication of each pair."""
    columns = [Column("after", tuple(pair.after for pair in pairs), "<")]
    for name in ("span_s", "exposed_s"):
        rows = [_row(pair, name) for pair in pairs]
        columns += [
            Column(LABELS[name], tuple(_shown(name, row.after) for row in rows)),
            Column("change", tuple(map(_change, rows))),
        ]
    return columns


def _row(pair: Pair, name: str) -> Difference:
    return next(row for row in pair.found.rows if row.name == name)


def as_json(pairs: Sequence[Pair], notes: Sequence[str] = ()) -> str:
    """`comparisons`: both steps, after minus before, and the sentences; and `notes`."""
    return json_text(
        {"comparisons": [_plain(pair) for pair in pairs], "notes": list(notes)}
    )


def as_csv(pairs: Sequence[Pair]) -> str:
    """One row a number, with a head; seconds and bytes, empty where unknown."""
    names = ["before_step", "after_step", "number", "before", "after", "change"]
    return csv_text(
        names,
        (
            {
                "before_step": pair.before,
                "after_step": pair.after,
                "number": row.name,
                "before": _rounded(row.before),
                "after": _rounded(row.after),
                "change": _rounded(row.change),
            }
            for pair in pairs
            for row in pair.found.rows
        ),
    )


def _plain(pair: Pair) -> dict[str, Any]:
    return {
        "before": {"step": pair.before} | _numbers(pair.found.before),
        "after": {"step": pair.after} | _numbers(pair.found.after),
        "change": {row.name: _rounded(row.change) for row in pair.found.rows},
        "sentences": [text(one) for one in comparison_said(pair.found)],
    }


def _numbers(step: StepNumbers) -> dict[str, Any]:
    return {
        name: value if isinstance(value, bool | int) else _rounded(value)
        for name, value in asdict(step).items()
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)


def _cells(row: Difference) -> tuple[str, str, str, str]:
    before, after = _shown(row.name, row.before), _shown(row.name, row.after)
    return LABELS[row.name], before, after, _change(row)


def _shown(name: str, value: float | None) -> str:
    if value is None:
        return UNKNOWN
    if name.endswith("_s"):
        return time_text(value)
    return size_text(value) if name.endswith("_bytes") else f"{value:,.0f}"


def _change(row: Difference) -> str:
    """With its sign; of what is unknown on one side nothing can be said."""
    if row.change is None:
        return UNKNOWN
    size = _shown(row.name, abs(row.change))
    if size == _shown(row.name, 0.0):
        return NO_CHANGE
    return f"{'+' if row.change > 0 else '-'}{size}"
