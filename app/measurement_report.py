"""A measurement as text for a terminal, as JSON and as CSV for a program."""

import csv
import io
import itertools
import json
from collections.abc import Sequence
from dataclasses import fields

from overlap_widget.app.quantities import size_text, time_text
from overlap_widget.app.text_table import aligned, on_one_line
from overlap_widget.model import measurement_rows as rows
from overlap_widget.model.measurement_rows import (
    Measurement,
    StepRow,
    TotalRow,
    TransferRow,
)

WORDS = {
    "step": "Step {step}",
    "one step": "The {step}",
    "all": "The whole file",
    "rank": ", rank {rank}",
    "device": ", device {device}",
    "runs": (
        "{place}: communication runs {communication}, {hidden} of it hidden behind "
        "compute and {exposed} exposed"
    ),
    "runs hidden": (
        "{place}: communication runs {communication}, all of it hidden behind compute"
    ),
    "runs exposed": (
        "{place}: communication runs {communication}, none of it hidden behind compute"
    ),
    "tail": "{said}; the tail after the backward pass is {tail}.",
    "tail guessed": (
        "{said}; the tail is {tail}, if the backward pass ends where it seems to."
    ),
    "none": "{place}: there is no communication; compute runs {compute}.",
    "idle": "{said} Of its {span}, the GPU computes {compute} and is idle {idle}.",
    "cut": "{said} The capture doesn't hold all of this step.",
    "complete": "yes",
    "incomplete": "no",
    "no communication": "none",
    "no overlap": "not applicable",
    "no rank": "?",
    "note": "Note: {note}.",
    "caveat": (
        "time spent waiting for a slower rank counts as communication, since one "
        "rank's recording can't tell the two apart"
    ),
    "transfers": "Transfers. {place}:",
    "more": "... and {count} more; --json lists them all.",
    "unknown": "unknown",
}
STEP_HEAD = ["file", "rank", "device", "step", "complete"]
STEP_HEAD += ["length", "idle", "compute", "communication", "hidden", "exposed"]
STEP_HEAD += ["tail"]
TOTAL_HEAD = [*STEP_HEAD[:3], "whole file", "", "", "", *STEP_HEAD[7:11], "overlap"]
TRANSFER_HEAD = ["transfer", "collective", "size", "starts", "takes", "exposed"]
MOST_TRANSFERS = 12
"""Rows of a step's transfers in a terminal."""
LEFT = 5  # columns of text, aligned to the left; numbers follow


def as_json(measurement: Measurement) -> str:
    """Seconds and bytes, units in the key names; unknown is null."""
    document = rows.as_json(measurement)
    text = json.dumps(document, indent=2, allow_nan=False)
    return f"{text}\n"


def as_csv(measurement: Measurement) -> str:
    """One row a step with a head; seconds, empty where unknown."""
    text = io.StringIO()
    names = [field.name for field in fields(StepRow)]
    table = csv.DictWriter(text, names, lineterminator="\n")
    table.writeheader()
    table.writerows(
        {name: _plain(value) for name, value in rows.plain(row).items()}
        for row in measurement.steps
    )
    return text.getvalue()


def as_text(measurement: Measurement, told: Sequence[StepRow | TotalRow]) -> str:
    """A sentence for each row to tell of, the tables, and what is doubtful."""
    parts = ["\n".join(_sentence(row, measurement) for row in told)]
    steps = [STEP_HEAD, *map(_step_cells, measurement.steps)]
    totals = [TOTAL_HEAD, *map(_total_cells, measurement.totals)]
    parts += _tables(steps, totals, with_file=len(measurement.files) > 1)
    parts += [_transfers(measurement, row) for row in told if isinstance(row, StepRow)]
    parts.append(
        "\n".join(WORDS["note"].format(note=note) for note in notes(measurement))
    )
    return "\n\n".join(filter(None, parts)) + "\n"


def notes(measurement: Measurement) -> list[str]:
    """The warnings, with the name of their file where there are several."""
    several = len(measurement.files) > 1
    moves = any(row.communication_s for row in measurement.totals)
    return [
        on_one_line(f"{file.path}: {warning}" if several else warning)
        for file in measurement.files
        for warning in file.warnings
    ] + ([WORDS["caveat"]] if moves else [])


def _sentence(row: StepRow | TotalRow, measurement: Measurement) -> str:
    place = _place(row, measurement)
    if not row.communication_s:
        said = WORDS["none"].format(place=place, compute=time_text(row.compute_s))
    else:
        said = WORDS[_key(row)].format(
            place=place,
            communication=time_text(row.communication_s),
            hidden=time_text(row.hidden_s),
            exposed=time_text(row.exposed_s),
        )
        said = f"{said}." if isinstance(row, TotalRow) else _with_tail(said, row)
    if isinstance(row, StepRow):
        said = WORDS["idle"].format(
            said=said,
            span=time_text(row.span_s),
            compute=time_text(row.compute_s),
            idle=time_text(row.idle_s),
        )
    if isinstance(row, StepRow) and not row.complete:
        said = WORDS["cut"].format(said=said)
    return said


def _key(row: StepRow | TotalRow) -> str:
    if not row.hidden_s:
        return "runs exposed"
    return "runs" if row.exposed_s else "runs hidden"


def _place(row: StepRow | TotalRow, measurement: Measurement) -> str:
    """The step, and as much of where it ran as tells it from the others."""
    place = WORDS["all"]
    if isinstance(row, StepRow):
        numbered = row.step[:1].isdigit()
        key = "step" if numbered else "one step"
        place = WORDS[key].format(step=on_one_line(row.step))
    if row.rank is not None:
        place += WORDS["rank"].format(rank=row.rank)
    if len(measurement.totals) > len(measurement.files):
        place += WORDS["device"].format(device=row.device)
    if len(measurement.files) > 1:
        place += f", {on_one_line(row.file)}"
    return place


def _with_tail(said: str, row: StepRow) -> str:
    key = "tail" if row.backward_found else "tail guessed"
    return WORDS[key].format(said=said, tail=time_text(row.tail_s))


def _step_cells(row: StepRow) -> list[str]:
    complete = WORDS["complete" if row.complete else "incomplete"]
    lengths = [time_text(row.span_s), time_text(row.idle_s)]
    tail = _moved(row, row.tail_s)
    return [*_named(row), row.step, complete, *lengths, *_times(row), tail]


def _total_cells(row: TotalRow) -> list[str]:
    share = WORDS["no overlap"] if row.overlap is None else f"{row.overlap:.1%}"
    return [*_named(row), "", "", "", "", *_times(row), share]


def _transfers(measurement: Measurement, step: StepRow) -> str:
    """The first transfers of a step; empty without any."""
    place = (step.file, step.device, step.step)
    moved = [
        row
        for row in measurement.transfers
        if (row.file, row.device, row.step) == place
    ]
    if not moved:
        return ""
    cells = [
        TRANSFER_HEAD,
        *(_transfer_cells(number, row) for number, row in enumerate(moved, start=1)),
    ][: MOST_TRANSFERS + 1]
    lines = [WORDS["transfers"].format(place=_place(step, measurement))]
    lines.append(aligned(cells, "><>>>>"))
    if len(moved) > MOST_TRANSFERS:
        lines.append(WORDS["more"].format(count=len(moved) - MOST_TRANSFERS))
    return "\n".join(lines)


def _transfer_cells(number: int, row: TransferRow) -> list[str]:
    return [
        str(number),
        (row.collective or WORDS["unknown"]).replace("_", "-"),
        WORDS["unknown"] if row.bytes is None else size_text(row.bytes),
        time_text(row.start_s),
        time_text(row.end_s - row.start_s),
        time_text(row.exposed_s),
    ]


def _named(row: StepRow | TotalRow) -> list[str]:
    rank = WORDS["no rank"] if row.rank is None else str(row.rank)
    return [row.file, rank, str(row.device)]


def _times(row: StepRow | TotalRow) -> list[str]:
    parts = row.communication_s, row.hidden_s, row.exposed_s
    return [time_text(row.compute_s), *(_moved(row, part) for part in parts)]


def _moved(row: StepRow | TotalRow, seconds: float) -> str:
    return time_text(seconds) if row.communication_s else WORDS["no communication"]


def _plain(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _tables(*tables: list[list[str]], with_file: bool) -> list[str]:
    """Tables in the same columns; the first column if asked for."""
    first = 0 if with_file else 1
    rows = [row[first:] for table in tables for row in table]
    sides = ("<" * LEFT).ljust(len(tables[0][0]), ">")[first:]
    lines = iter(aligned(rows, sides).splitlines())
    return ["\n".join(itertools.islice(lines, len(table))) for table in tables]
