"""`overlap measure`: what profiler traces say of hidden and exposed communication."""

import argparse
from collections.abc import Sequence

from overlap_widget.app import comparison_report, kernel_report
from overlap_widget.app.class_options import add_class_arguments, classes_of
from overlap_widget.app.comparison_pairs import pairs
from overlap_widget.app.measurement_report import Report, as_text
from overlap_widget.app.measurement_report_data import as_csv, as_json
from overlap_widget.app.measurement_report_notes import notes
from overlap_widget.app.measurement_report_rows import only, told
from overlap_widget.app.measuring import (
    Readings,
    add_reading_arguments,
    kernels,
    measured_files,
)
from overlap_widget.app.standard_streams import answer, tell
from overlap_widget.model.kernel_table import merged
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.measurement import measure_files
from overlap_widget.model.ranks_compared import compare_ranks

SUMMARY = "read profiler traces and say what is hidden and what is exposed"
WRONG_FILE = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The traces, which step, what counts, and the form of the answer."""
    parser.add_argument(
        "traces",
        nargs="+",
        metavar="TRACE",
        help="a profiler's file, one a rank, or a folder with them",
    )
    _add_step_arguments(parser)
    parser.add_argument(
        "--kernels",
        action="store_true",
        help="list the names of kernels with what each counts as",
    )
    add_class_arguments(parser)
    add_reading_arguments(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--json", action="store_true", help="answer in JSON, in seconds and bytes"
    )
    form.add_argument(
        "--csv", action="store_true", help="answer with a row a step, in seconds"
    )


def _add_step_arguments(parser: argparse.ArgumentParser) -> None:
    """Which step, and what it is compared with."""
    parser.add_argument(
        "--step", metavar="NAME", help="one step, or all; else a complete, steady one"
    )
    parser.add_argument(
        "--against",
        metavar="TRACE",
        help="a file or folder to compare with, as it was before",
    )
    parser.add_argument(
        "--against-step",
        metavar="NAME",
        help="the step to compare with, there or in the same traces",
    )


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; raises TraceError or ValueError with one sentence.

    Of several files, those that can't be read are named and the others measured.
    """
    compares = arguments.against is not None or arguments.against_step is not None
    if arguments.kernels:
        _require_no_other(arguments)
        return _list_kernels(arguments)
    found = _measured(arguments, arguments.traces)
    found.tell_failures()
    if not found.all:
        return WRONG_FILE
    failed = bool(found.failures)
    failed |= _compare(arguments, found) if compares else _report(arguments, found)
    return WRONG_FILE if failed else 0


def _require_no_other(arguments: argparse.Namespace) -> None:
    names = ("step", "against", "against_step", "jobs", "scheduler")
    given = [name for name in names if getattr(arguments, name) is not None]
    if given:
        others = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise ValueError(
            f"--kernels is of whole files, one after the other; leave out {others}"
        )


def _list_kernels(arguments: argparse.Namespace) -> int:
    found = kernels(arguments.traces, classes_of(arguments))
    found.tell_failures()
    if not found.all:
        return WRONG_FILE
    rows = merged(found.all)
    if arguments.json:
        answer(kernel_report.as_json(rows))
    elif arguments.csv:
        answer(kernel_report.as_csv(rows))
    else:
        answer(kernel_report.as_text(rows))
    _tell_all(found.notes)
    return WRONG_FILE if found.failures else 0


def _tell_all(notes: Sequence[str]) -> None:
    """What has no place in the answer goes to stderr."""
    for note in notes:
        tell(note)


def _measured(
    arguments: argparse.Namespace, names: Sequence[str]
) -> Readings[MeasuredFile]:
    if arguments.jobs is not None and arguments.jobs < 1:
        raise ValueError(f"--jobs {arguments.jobs}: at least 1 file is read at once")
    return measured_files(
        names, classes_of(arguments), arguments.jobs, arguments.scheduler
    )


def _report(arguments: argparse.Namespace, found: Readings[MeasuredFile]) -> bool:
    """Print what was measured; whether anything failed."""
    files, step = found.all, arguments.step
    ranks = compare_ranks(files)
    measurement = measure_files(files, ranks)
    report = Report(
        files=files,
        measurement=measurement,
        told=tuple(told(files, measurement, step)),
        ranks=ranks,
        notes=found.notes,
        is_whole=step is None,
    )
    if arguments.json:
        answer(as_json(only(measurement, step)))
        _tell_all(found.notes)
    elif arguments.csv:
        answer(as_csv(only(measurement, step)))
        _tell_all(report.all_notes)
    else:
        answer(as_text(report))
    return False


def _compare(arguments: argparse.Namespace, after: Readings[MeasuredFile]) -> bool:
    """Print what differs from another run or step; whether anything failed."""
    before = after
    if arguments.against is not None:
        before = _measured(arguments, [arguments.against])
        before.tell_failures()
    if not before.all:
        return True
    both = [measure_files(one.all, compare_ranks(one.all)) for one in (before, after)]
    found = pairs(
        (before.all, both[0]),
        (after.all, both[1]),
        arguments.against_step,
        arguments.step,
    )
    sides = 1 if before is after else 2
    said = notes(
        [note for one in (before, after)[:sides] for note in one.notes],
        [file for one in both[:sides] for file in one.files],
    )
    if arguments.json:
        answer(comparison_report.as_json(found, said))
    elif arguments.csv:
        answer(comparison_report.as_csv(found))
        _tell_all(said)
    else:
        answer(comparison_report.as_text(found, said))
    return bool(before.failures)
