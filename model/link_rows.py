"""Rows of sizes and times from the lines of a CSV or of the output of nccl-tests.

What the formats are stands in `link_file.py`. Launchers put a tag before each line of
a log, which goes before anything is read:

    [1,0]<stdout>:          mpirun --tag-output, with or without a space after it
    [prterun-host@1,0]<stdout>:     the same of PRRTE
    0:                      srun --label
"""

import csv
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from overlap_widget.model.quoted import quoted
from overlap_widget.model.units import PER_SECOND

SIZES = ("size_bytes", "size")
TIMES = {
    "time_us_out_of_place": PER_SECOND["us"],
    "time_us": PER_SECOND["us"],
    "time_s": PER_SECOND["s"],
}
"""Columns of times, with what makes seconds of them, the first found first."""
EXPECTED = "a CSV such as size_bytes,time_us or the output of all_reduce_perf"

_SEPARATORS = (",", ";", "\t")
_BYTES = "a number of bytes above 0"
_TIME = "a time above 0"
_TAG = re.compile(
    r"\s*(?:\[[^\]\s]*\d+,\d+\]<std(?:out|err|diag)>:|\d+:(?=\s|$))?\s*", re.A
)
_NUMBER = re.compile(r"[0-9.]+(?:e[-+]?[0-9]+)?", re.I | re.A)
_STARTS = re.compile(r"#\s*Collective test starting:\s*(\S+)")
_PROGRAM = re.compile(r"\b([a-z_]+)_perf(?:_mpi)?\b", re.A)
_ALL_REDUCE = "all_reduce"
_OTHERS = {"all_gather", "alltoall", "broadcast", "gather", "hypercube", "reduce"}
_OTHERS |= {"reduce_scatter", "scatter", "sendrecv"}  # tests of nccl-tests too

Row = tuple[float, float]
"""Bytes and seconds."""


class LinkError(ValueError):
    """One sentence for the user: which file, which place in it, what it expects."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Where a row has its size and its time, and what the header calls them.

    root: where it has the rank that keeps the result, which is -1 where all do
    """

    size: int
    time: int
    size_name: str
    time_name: str
    root: int | None = None

    def row(self, fields: list[str], number: int) -> Row:
        """The size and the time in line `number`, or LinkError."""
        size_bytes = _number(fields[self.size :], self.size_name, _BYTES, number)
        time = _number(fields[self.time :], self.time_name, _TIME, number)
        return size_bytes, time / TIMES.get(self.time_name, PER_SECOND["us"])


def rows_in(lines: list[str]) -> Iterator[Row]:
    """All rows of the table, in their order; LinkError for what is none."""
    untagged = [_TAG.sub("", line, count=1) for line in lines]
    if any(_test_columns(line) for line in untagged):
        return _test_rows(untagged)
    return _csv_rows(lines)


# --- The output of nccl-tests ------------------------------------------------------


def _test_rows(lines: list[str]) -> Iterator[Row]:
    """Lines that begin with a whole number, once a header has named the columns."""
    _check_programs(lines)
    columns: Columns | None = None
    for number, line in enumerate(lines, start=1):
        columns = _test_columns(line) or columns
        fields = line.split()
        if columns and fields and re.fullmatch("[0-9]+", fields[0]):
            _check_reduction(fields, columns.root, number)
            yield columns.row(fields, number)


def _test_columns(line: str) -> Columns | None:
    """Where the header of nccl-tests puts the size and the first time, out of place."""
    names = line.lstrip("#").split()
    if line.startswith("#") and "size" in names and "time" in names:
        root = names.index("root") if "root" in names else None
        size, time = names.index("size"), names.index("time")
        return Columns(size, time, "size", "time", root)
    return None


def _check_programs(lines: list[str]) -> None:
    """Refuse the log of another test: its reductions look like those of an all-reduce.

    Newer releases say which one starts; older ones are known by the command in the log.
    """
    numbered = list(enumerate(lines, start=1))
    for number, line in numbered:
        starts = _STARTS.match(line)
        if starts and not starts[1].startswith(_ALL_REDUCE):
            raise _other_test(starts[1], number)
    named = [(name, at) for at, line in numbered for name in _PROGRAM.findall(line)]
    others = [(name, at) for name, at in named if name in _OTHERS]
    if others and _ALL_REDUCE not in dict(named):
        name, number = others[0]
        raise _other_test(f"{name}_perf", number)


def _other_test(name: str, number: int) -> LinkError:
    return LinkError(
        f"line {number}: is the output of {quoted(name)}, expected an all-reduce; "
        "run all_reduce_perf"
    )


def _check_reduction(fields: list[str], root: int | None, number: int) -> None:
    """Refuse a row that no all-reduce has."""
    if "none" in fields:
        raise LinkError(
            f"line {number}: reduces nothing, expected an all-reduce; "
            "run all_reduce_perf"
        )
    if root is not None and root < len(fields) and fields[root] != "-1":
        raise LinkError(
            f"line {number}: root is {quoted(fields[root])}, expected -1, an "
            "all-reduce; run all_reduce_perf"
        )


# --- CSV ---------------------------------------------------------------------------


def _csv_rows(lines: Iterable[str]) -> Iterator[Row]:
    """Each line on its own: a quote that isn't closed would take others with it."""
    columns: Columns | None = None
    separator = ","
    for number, line in enumerate(lines, start=1):
        if line.lstrip().startswith("#"):
            continue
        if columns is None:
            separator = next((one for one in _SEPARATORS if one in line), ",")
        fields = _fields(line, separator, number)
        if not any(fields):
            continue
        if columns:
            yield columns.row(fields, number)
        else:
            columns = _csv_columns(fields, number)
    if columns is None:
        raise LinkError(f"holds no table; expected {EXPECTED}")


def _fields(line: str, separator: str, number: int) -> list[str]:
    if line.count('"') % 2:
        raise LinkError(
            f"line {number}: a quote isn't closed in {quoted(line.strip())}; "
            "close it or take it out"
        )
    try:
        rows = list(csv.reader([line], delimiter=separator, skipinitialspace=True))
    except csv.Error as error:
        raise LinkError(
            f"line {number}: not CSV ({error}); expected {EXPECTED}"
        ) from error
    return [field.strip() for row in rows for field in row]


def _csv_columns(header: list[str], number: int) -> Columns:
    """Where a CSV puts the size and the time."""
    found = []
    for names in (SIZES, tuple(TIMES)):
        name = next((name for name in names if name in header), None)
        if name is None:
            raise LinkError(
                f"line {number}: names no column {' or '.join(names)} but "
                f"{quoted(', '.join(header))}; expected {EXPECTED}"
            )
        found.append(name)
    size, time = found
    return Columns(header.index(size), header.index(time), size, time)


def _number(fields: list[str], name: str, expected: str, number: int) -> float:
    """The number in the first field; a line that is too short has none left."""
    text = fields[0].strip() if fields else ""
    try:
        value = float(text) if _NUMBER.fullmatch(text) else math.nan
    except ValueError:  # two points, say
        value = math.nan
    if 0 < value < math.inf:
        return value
    raise LinkError(
        f"line {number}: {name} is {quoted(text) if text else 'missing'}, "
        f"expected {expected}; correct the line or take it out"
    )
