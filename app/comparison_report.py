"""Two measured steps beside each other, for a terminal and as JSON."""

import math
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
UNKNOWN, NO_CHANGE = "unknown", "the same"
OTHERS = "The other ranks, the most changed first:"
MOST_SENTENCES = 8
"""Ranks that are told of one by one; the table has all."""
MOST_ROWS = 40
MORE = "... and {count:,} more; --csv lists them all."


@dataclass(frozen=True, slots=True)
class Pair:
    """Two steps that were compared, and where each ran."""

    before: str
    after: str
    found: Comparison


def as_text(pairs: Sequence[Pair], notes: Sequence[str] = ()) -> str:
    """What differs and why, then every number; of several ranks those of the slowest.

    Then why the others differ, a row each of them, and what is doubtful about the
    files.
    """
    pair, *others = _slowest_first(pairs)
    where = wrapped(f"Before: {pair.before}. After: {pair.after}.")
    said = "\n".join(wrapped(text(one)) for one in comparison_said(pair.found))
    numbers = aligned([HEAD, *(_cells(row) for row in pair.found.rows)], "<>>>")
    parts = [where, said, numbers]
    if others:
        parts.append("\n".join([OTHERS, *map(_why, others[: MOST_SENTENCES - 1])]))
        parts.append(fitted(_columns(pairs[:MOST_ROWS])))
    if len(pairs) > MOST_ROWS:
        parts.append(MORE.format(count=len(pairs) - MOST_ROWS))
    if notes:
        parts.append(notes_text(notes))
    return "\n\n".join(parts) + "\n"


def _slowest_first(pairs: Sequence[Pair]) -> list[Pair]:
    """The rank that waits least for others, which wait for it; then the most changed.

    What is due to it alone stands on the others as exposed communication.
    """
    changed = sorted(pairs, key=lambda one: -round(abs(one.found.change_s), DIGITS))
    slowest = min(changed, key=_waits_s)
    return [slowest, *(one for one in changed if one is not slowest)]


def _waits_s(pair: Pair) -> float:
    waits_s = [step.waiting_s for step in (pair.found.before, pair.found.after)]
    known_s = [one for one in waits_s if one is not None]
    return round(sum(known_s), DIGITS) if known_s else math.inf


def _why(pair: Pair) -> str:
    """How much longer the step of a rank is, and why, in one sentence."""
    length = text(comparison_said(pair.found)[0])
    sentence = f"{pair.after}: {length[:1].lower()}{length[1:]}"
    return wrapped(f"{sentence[:1].upper()}{sentence[1:]}")


def _columns(pairs: Sequence[Pair]) -> list[Column]:
    """Length, compute and exposed communication of each pair."""
    columns = [Column("after", tuple(pair.after for pair in pairs), "<")]
    for name in ("span_s", "compute_s", "exposed_s"):
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
    if not row.change:
        return NO_CHANGE
    sign = "+" if row.change > 0 else "-"
    return f"{sign}{_shown(row.name, abs(row.change))}"
