"""Reading the traces that a command line names: how far it has come, what failed."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from overlap_widget.app.cluster import cluster
from overlap_widget.app.measurement_report_notes import (
    notes,
    notes_text,
    on_unfitted,
)
from overlap_widget.app.option_readers import whole_number
from overlap_widget.app.progress_line import ProgressLine, progress_line
from overlap_widget.app.standard_streams import remark, tell
from overlap_widget.app.trace_paths import Found, trace_files
from overlap_widget.model.classes import Classes
from overlap_widget.model.classified import unfitted
from overlap_widget.model.kernel_table import KernelRow, kernel_rows
from overlap_widget.model.measured_file import MeasuredFile
from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import Options, TraceError, load_all
from overlap_widget.model.traces.batch import measure_paths
from overlap_widget.model.traces.measuring import failures_named

Of = TypeVar("Of")


@dataclass(frozen=True, slots=True)
class Readings(Generic[Of]):
    """What was made of each process in the files, in their order.

    notes:    on the files that were found
    failures: why other files are none
    """

    all: tuple[Of, ...]
    notes: tuple[str, ...]
    failures: tuple[TraceError, ...]

    def tell_failures(self) -> None:
        """Write each on stderr."""
        for failure in self.failures:
            tell(str(failure))


def measured_files(
    names: Sequence[str],
    classes: Classes,
    jobs: int | None = None,
    scheduler: str | None = None,
) -> Readings[MeasuredFile]:
    """What is measured of files and folders, in so many processes or on a cluster."""
    place = nullcontext() if scheduler is None else cluster(scheduler)
    with place as executor, _reading(names) as (found, failures, line):
        results: list[MeasuredFile] = []
        options = Options(progress=line.heard)
        for _, outcome in measure_paths(found.paths, classes, options, executor, jobs):
            if isinstance(outcome, TraceError):
                failures.append(outcome)
            else:
                results += outcome
            line.file_done()
    rules = on_unfitted([one.unfitted for one in results])
    return Readings(tuple(results), (*found.notes, *rules), tuple(failures))


def recordings(names: Sequence[str], classes: Classes) -> list[Recording]:
    """Everything in files and folders, with what is to be said of it on stderr.

    Files that can't be read are named and the others opened. TraceError where none can.
    """
    found = _loaded(names, classes, lambda one: one)
    if found.failures and not found.all:
        *_, last = found.failures
        replace(found, failures=found.failures[:-1]).tell_failures()
        raise last
    found.tell_failures()
    remark(notes_text(notes(found.notes, found.all)))
    return list(found.all)


def kernels(names: Sequence[str], classes: Classes) -> Readings[tuple[KernelRow, ...]]:
    """The tables of kernel names in files and folders."""
    return _loaded(names, classes, kernel_rows)


def _loaded(
    names: Sequence[str], classes: Classes, made: Callable[[Recording], Of]
) -> Readings[Of]:
    """One file after the other, so that the events of one are held at a time."""
    with _reading(names) as (found, failures, line):
        results: list[Of] = []
        patterns: list[tuple[str, ...]] = []
        for at, path in enumerate(found.paths):
            options = Options(progress=_part(line, at, len(found.paths)))
            try:
                with failures_named(path):
                    opened = load_all(path, classes, options)
                    patterns += map(unfitted, opened)
                    results += map(made, opened)
            except TraceError as failure:
                failures.append(failure)
            line.file_done()
    notes = (*found.notes, *on_unfitted(patterns))
    return Readings(tuple(results), notes, tuple(failures))


@contextmanager
def _reading(
    names: Sequence[str],
) -> Iterator[tuple[Found, list[TraceError], ProgressLine]]:
    """The files of the names, a list for what fails, and the line of progress."""
    found, failures = trace_files(names)
    with progress_line(len(found.paths)) as line:
        yield found, failures, line


def _part(line: ProgressLine, at: int, count: int) -> Callable[[float], None]:
    return lambda share: line.heard((at + share) / count)


def add_reading_arguments(parser: argparse.ArgumentParser) -> None:
    """How many files are read at once, and where."""
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--jobs",
        type=whole_number,
        metavar="N",
        help="files to read at once, each in a process of its own; by default as many "
        "as there are processors, where that is worth while",
    )
    place.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="of a Dask cluster that reads the files, which its workers must see under "
        "the same paths: tcp://host:8786",
    )
