"""Reading the traces that a command line names: how far it has come, what failed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from overlap_widget.app.progress_line import progress_line
from overlap_widget.app.standard_streams import tell
from overlap_widget.app.trace_paths import trace_files
from overlap_widget.model.classes import Classes
from overlap_widget.model.kernel_table import KernelRow, kernel_rows
from overlap_widget.model.measured_file import MeasuredFile, measured_file
from overlap_widget.model.recording import Recording
from overlap_widget.model.traces import Options, TraceError, load_all

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


def recordings(names: Sequence[str], classes: Classes) -> Readings[Recording]:
    """Everything in files and folders."""
    return _each(names, classes, lambda one: one)


def measured_files(names: Sequence[str], classes: Classes) -> Readings[MeasuredFile]:
    """What is measured of files and folders."""
    return _each(names, classes, measured_file)


def kernels(names: Sequence[str], classes: Classes) -> Readings[Iterable[KernelRow]]:
    """The tables of kernel names in files and folders."""
    return _each(names, classes, kernel_rows)


def _each(
    names: Sequence[str], classes: Classes, made: Callable[[Recording], Of]
) -> Readings[Of]:
    found, failures = trace_files(names)
    results: list[Of] = []
    with progress_line(len(found.paths)) as line:
        options = Options(progress=line.heard)
        for path in found.paths:
            try:
                results += map(made, load_all(path, classes, options))
            except TraceError as failure:
                failures.append(failure)
            line.file_done()
    return Readings(tuple(results), found.notes, tuple(failures))
