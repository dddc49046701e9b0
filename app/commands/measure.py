"""`overlap measure`: what profiler traces say of hidden and exposed communication."""

import argparse
from collections.abc import Sequence
from dataclasses import replace

from overlap_widget.app.measurement_report import as_csv, as_json, as_text, notes
from overlap_widget.app.option_readers import short
from overlap_widget.app.standard_streams import answer, tell
from overlap_widget.model.measurement import default_step, measure
from overlap_widget.model.measurement_rows import Measurement, StepRow, TotalRow
from overlap_widget.model.quoted import quoted
from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import TraceError, load

SUMMARY = "read profiler traces and say what is hidden and what is exposed"
ALL = "all"
WRONG_FILE = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The traces, which step, what counts, and the form of the answer."""
    parser.add_argument(
        "traces", nargs="+", metavar="TRACE", help="a profiler's file; one a rank"
    )
    parser.add_argument(
        "--step", metavar="NAME", help="one step, or all; else a complete, steady one"
    )
    parser.add_argument(
        "--count-peer-copies",
        action="store_true",
        help="take copies between GPUs for communication",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--json", action="store_true", help="answer in JSON, in seconds and bytes"
    )
    form.add_argument(
        "--csv", action="store_true", help="answer with a row a step, in seconds"
    )


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; raises TraceError or ValueError with one sentence.

    Of several files, those that can't be read are named and the others measured.
    """
    recordings, failures = _readable(arguments)
    for failure in failures:
        tell(str(failure))
    if not recordings:
        return WRONG_FILE
    measurement = measure(recordings)
    told: Sequence[StepRow | TotalRow] = _steady(recordings, measurement)
    if arguments.step is not None:
        measurement = _only(arguments.step, measurement)
        told = measurement.steps
    if arguments.json:
        answer(as_json(measurement))
    elif arguments.csv:
        answer(as_csv(measurement))
        for note in notes(measurement):
            tell(note)
    else:
        answer(as_text(measurement, told))
    return WRONG_FILE if failures else 0


def _readable(
    arguments: argparse.Namespace,
) -> tuple[list[Recording], list[TraceError]]:
    """The recordings, and why other files are none."""
    recordings: list[Recording] = []
    failures: list[TraceError] = []
    for path in arguments.traces:
        try:
            recordings.append(load(path, arguments.count_peer_copies))
        except TraceError as error:
            failures.append(error)
    return recordings, failures


def _only(step: str, measurement: Measurement) -> Measurement:
    """Without the rows of other steps; the totals stay those of the whole files."""
    if step == ALL:
        return measurement
    names = dict.fromkeys(row.step for row in measurement.steps)
    if step not in names:
        files = ", ".join(file.path for file in measurement.files)
        known = ", ".join(map(short, names))
        raise ValueError(
            f"{files}: there is no step {quoted(step)}; the steps are {known}"
        )
    return replace(
        measurement,
        steps=tuple(row for row in measurement.steps if row.step == step),
        transfers=tuple(row for row in measurement.transfers if row.step == step),
    )


def _steady(
    recordings: Sequence[Recording], measurement: Measurement
) -> list[StepRow | TotalRow]:
    """The rows to tell of first: each file's default step, else the whole file."""
    rows: list[StepRow | TotalRow] = []
    for recording in recordings:
        index = default_step(recording)
        if index is None:
            rows += [row for row in measurement.totals if row.file == recording.path]
            continue
        name = recording.steps[index].name
        rows += [
            row
            for row in measurement.steps
            if (row.file, row.step) == (recording.path, name)
        ]
    return rows
