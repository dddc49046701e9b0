"""Columns of a source as plain lists: what several makers of them do to rows."""

from collections.abc import Iterable, Mapping
from itertools import compress
from typing import Any


def rows_where(
    columns: Mapping[str, Iterable[Any]], keep: Iterable[object]
) -> dict[str, list[Any]]:
    """The rows that are to be kept, in every column."""
    kept = list(keep)
    return {key: list(compress(column, kept)) for key, column in columns.items()}
