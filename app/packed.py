"""Columns in fewer characters, for a page that holds thousands of rows.

A column stays a list or becomes one of these, whichever is written shortest;
`static/twin/packed.js` unpacks them:

    {"one": value, "times": n}     the same value n times
    {"like": "left"}               the same as an earlier column
    {"of": [values], "at": [...]}  few values, and which of them each row has
    {"micro": [...]}               whole millionths, each as its difference to the last
"""

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

Columns = dict[str, list[Any]]
MICRO = 1e6
MOST_EXACT = 2.0**52
"""Whole numbers up to here are exact, and so are their differences."""


def packed(columns: dict[str, Any]) -> dict[str, Any]:
    """The columns of a source or a table; what is no column stays as it is."""
    shorter: dict[str, Any] = {}
    for name, column in columns.items():
        earlier = {key: columns[key] for key in shorter}
        shorter[name] = (
            _shortest(column, earlier) if isinstance(column, list) else column
        )
    return shorter


def _shortest(column: list[Any], earlier: Columns) -> Any:
    forms = [column, *_forms(column, earlier)]
    return min(forms, key=lambda form: len(json.dumps(form, separators=(",", ":"))))


def _forms(column: list[Any], earlier: Columns) -> Iterator[dict[str, Any]]:
    if not column:
        return
    for name, other in earlier.items():
        if other == column:
            yield {"like": name}
    marks = [_mark(value) for value in column]
    first = dict(zip(reversed(marks), reversed(column), strict=True))
    values = [first[mark] for mark in dict.fromkeys(marks)]
    if len(values) == 1:
        yield {"one": values[0], "times": len(column)}
    places = {mark: place for place, mark in enumerate(dict.fromkeys(marks))}
    yield {"of": values, "at": [places[mark] for mark in marks]}
    if all(isinstance(value, float) for value in column):
        yield from _millionths(column)


def _mark(value: Any) -> Any:
    """What tells a value from others, and has a hash also where it is a sentence."""
    return ("said", json.dumps(value)) if isinstance(value, dict) else value


def _millionths(column: list[float]) -> Iterator[dict[str, Any]]:
    """Nothing where a value isn't exactly that many millionths."""
    if not all(abs(value * MICRO) < MOST_EXACT for value in column):  # also for NaN
        return
    wholes = [round(value * MICRO) for value in column]
    pairs = zip(wholes, column, strict=True)
    if all(whole / MICRO == value for whole, value in pairs):
        yield {"micro": [later - one for one, later in pairwise([0, *wholes])]}
