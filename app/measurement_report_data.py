"""A measurement for a program: as JSON, and as CSV with a row a step."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from overlap_widget.model import measurement_rows as rows
from overlap_widget.model.measurement_rows import Measurement, StepRow


def as_json(measurement: Measurement) -> str:
    """Seconds and bytes, units in the key names; unknown is null."""
    return json_text(rows.as_json(measurement))


def json_text(document: Any) -> str:
    """A document as `--json` writes it; piece by piece, since it can be large."""
    text = io.StringIO()
    for piece in json.JSONEncoder(indent=2, allow_nan=False).iterencode(document):
        text.write(piece)
    text.write("\n")
    return text.getvalue()


def as_csv(measurement: Measurement) -> str:
    """One row a step with a head; seconds, empty where unknown."""
    names = [field.name for field in fields(StepRow)]
    return csv_text(names, map(rows.plain, measurement.steps))


def csv_text(names: Sequence[str], table: Iterable[Mapping[str, object]]) -> str:
    """Rows of values by name below their names."""
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {name: _plain(value) for name, value in row.items()} for row in table
    )
    return text.getvalue()


def _plain(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value
