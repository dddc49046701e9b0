"""The trace files that a command line names: files, and those of folders."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from overlap_widget.model.traces import TraceError, load_all
from overlap_widget.model.traces.nothing_found import gzip_fault, is_broken_json
from overlap_widget.model.traces.recognise import starts_as_trace
from overlap_widget.model.traces.rocprof_csv_siblings import kernels_beside
from overlap_widget.model.traces.sentences import counted
from overlap_widget.model.traces.starts import head_of

MOST_NAMED = 3
"""Of the files of a folder that are none, in a note."""
MOST_LOOKED_INTO = 10_000
"""Files in the folders of a folder: more are those of a system, not of a run."""
_NUMBER = re.compile(r"(\d+)")
_PACKED = (".gz", ".zip")
_ENDINGS = (".json", ".csv", ".sqlite", ".trace", ".pt", *_PACKED)
"""What traces are mostly named like; it counts only where a file can't be read."""


@dataclass(frozen=True, slots=True)
class Found:
    """Files to read, each once, in the order of their names; and what was skipped.

    failures: a sentence on each file that seems to be missing among those
    """

    paths: tuple[str, ...]
    notes: tuple[str, ...] = ()
    failures: tuple[TraceError, ...] = ()


def trace_files(names: Sequence[str]) -> tuple[Found, list[TraceError]]:
    """The files of several names, and a sentence on each that can't be had.

    A file that is named stays, whatever it holds: its reader says what is wrong.
    """
    paths: dict[str, str] = {}
    notes: list[str] = []
    failures: list[TraceError] = []
    for name in names:
        try:
            found = files_at(name)
        except TraceError as failure:
            failures.append(failure)
            continue
        notes += found.notes
        failures += found.failures
        for path in found.paths:
            place = os.path.realpath(path)
            if place in paths:
                notes.append(f"{path} is named twice and measured once")
            paths.setdefault(place, path)
    return Found(tuple(paths.values()), tuple(notes)), failures


def files_at(name: str) -> Found:
    """A file, or the traces in a folder; rank 2 before rank 10.

    Where a folder holds none itself, those of the folders in it. TraceError where
    there is none at all.
    """
    if not name:
        raise TraceError("'': the name is empty; name a trace file or a folder of them")
    if not os.path.isdir(name):
        return Found((name,))
    files, folders = _entries(name)
    failures: list[TraceError] = []
    traces = [path for path in files if _may_be_trace(path)]
    if not traces:
        inner = _inside(name, folders, failures)
        traces = [path for path in inner if _may_be_trace(path)]
        files += inner
    if not traces:
        broken = _broken([path for path in files if _ends_like_trace(path)])
        raise TraceError(f"{name}: {_why_none(files, folders, broken)}")
    read = set(traces)
    others = [path for path in files if path not in read and not kernels_beside(path)]
    kinds = {_kind(path) for path in traces} - {""}
    missing = _broken([path for path in others if _kind(path) in kinds])
    failures += missing.values()
    notes = _note(name, [path for path in others if path not in missing])
    return Found(tuple(traces), tuple(notes), tuple(failures))


def _inside(name: str, folders: list[str], failures: list[TraceError]) -> list[str]:
    """The files in the folders of a folder; a folder that can't be read is a failure.

    TraceError where there are more than a run writes.
    """
    inner: list[str] = []
    for folder in folders:
        try:
            inner += _entries(folder)[0]
        except TraceError as failure:
            failures.append(failure)
        if len(inner) > MOST_LOOKED_INTO:
            raise TraceError(
                f"{name}: holds more than {MOST_LOOKED_INTO:,} files in its folders, "
                "too many to look into; name the folder that the profiler wrote to"
            )
    return inner


def _broken(paths: list[str]) -> dict[str, TraceError]:
    """Files that end before they tell what they are, and why: ranks that are missing.

    Pipes have no start either, so only plain files count.
    """
    failures = {path: _failure(path) for path in paths if os.path.isfile(path)}
    return {path: failure for path, failure in failures.items() if failure}


def _failure(path: str) -> TraceError | None:
    try:
        head = head_of(path)
        fault = gzip_fault(path)
        if fault:
            return TraceError(f"{path}: {fault}")
        if is_broken_json(head):
            load_all(path)  # refuses it, and says where it breaks off
    except TraceError as failure:
        return failure
    return None


def _kind(path: str) -> str:
    """The ending of a name, whether it is packed or not: `.json` of `rank0.json.gz`."""
    stem, ending = os.path.splitext(os.path.basename(path).casefold())
    return (os.path.splitext(stem)[1] or ending) if ending in _PACKED else ending


def _entries(folder: str) -> tuple[list[str], list[str]]:
    """The files and the folders in it, hidden ones aside, numbers in their order."""
    try:
        names = sorted(os.listdir(folder), key=_natural)
    except OSError as error:
        raise TraceError(
            f"{folder}: the folder can't be read ({error.strerror}); make it readable "
            "for this user"
        ) from None
    paths = [os.path.join(folder, name) for name in names if name[:1] != "."]
    folders = [path for path in paths if os.path.isdir(path)]
    return [path for path in paths if path not in set(folders)], folders


def _natural(name: str) -> tuple[list[tuple[int, str]], str]:
    """For sorting: numbers by their value, letters whatever their case."""
    parts = _NUMBER.split(name.casefold())
    numbers = [
        (int(part), "") if at % 2 else (0, part) for at, part in enumerate(parts)
    ]
    return numbers, name


def _may_be_trace(path: str) -> bool:
    """Whether it is one by its start, or by its name where it can't be opened.

    Pipes and other things that are no plain files are none, and files without a size:
    those of a system may never answer.
    """
    if not os.path.exists(path) or not os.access(path, os.R_OK):
        return _ends_like_trace(path)  # a link to nowhere, say
    if not os.path.isfile(path):
        return False
    return os.path.getsize(path) > 0 and starts_as_trace(path)


def _ends_like_trace(path: str) -> bool:
    return path.casefold().endswith(_ENDINGS)


def _why_none(
    files: list[str], folders: list[str], broken: dict[str, TraceError]
) -> str:
    if not files and not folders:
        return "is an empty folder; name the one that the profiler wrote to"
    among = f" among its {counted(len(files), 'file')}" if files else ""
    if broken:
        return f"holds no trace that can be read{among}: {next(iter(broken.values()))}"
    return (
        f"holds no trace{among}, not in the folders in it either; "
        "name the folder that the profiler wrote to"
    )


def _note(folder: str, others: list[str]) -> Iterator[str]:
    if not others:
        return
    named = ", ".join(os.path.relpath(path, folder) for path in others[:MOST_NAMED])
    more = ", ..." if len(others) > MOST_NAMED else ""
    verb = "is" if len(others) == 1 else "are"
    kind = (
        "no trace and was skipped" if len(others) == 1 else "no traces and were skipped"
    )
    yield f"{folder}: {counted(len(others), 'file')} {verb} {kind} ({named}{more})"
