"""A measured link from a file: a table of sizes and times of one's own.

Two formats are read, told apart by the header:

    size_bytes,time_us                CSV. The size: `size_bytes` or `size`. The time:
    1048576,96.6                      the first of `time_us_out_of_place`, `time_us`
    2097152,127.5                     and `time_s`. Other columns are left alone.

    # size count type redop root time ...     The output of nccl-tests' all_reduce_perf,
    1048576 262144 float sum -1 96.6 ...      with or without `root`: bytes, and the
                                              first time, out of place, in microseconds.

Rows may come in any order. A size with several rows, of a test that ran several times
say, gets the mean of their times.
"""

import csv
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from overlap_widget.model.fit import FEWEST, HIGH_BYTES, LOW_BYTES, Fit, fit
from overlap_widget.model.link import MeasuredLink
from overlap_widget.model.units import PER_SECOND

MOST_ROWS = 10_000
MOST_BYTES = 16 * 2**20  # room for a test among the log lines of its cluster

SIZES = ("size_bytes", "size")
TIMES = {
    "time_us_out_of_place": PER_SECOND["us"],
    "time_us": PER_SECOND["us"],
    "time_s": PER_SECOND["s"],
}
"""Columns of times, with what makes seconds of them, the first found first."""

_EXPECTED = "a CSV such as size_bytes,time_us or the output of all_reduce_perf"
_BYTES = "a number of bytes above 0"
_TIME = "a time above 0"
_TAG = re.compile(r"^\[\d+,\d+\]<std(?:out|err)>:")  # of mpirun --tag-output
_LONGEST = 40  # characters of a wrong text that its sentence quotes

Row = tuple[float, float]
"""Bytes and seconds."""


class LinkError(ValueError):
    """One sentence for the user: which file, which place in it, what it expects."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Where a row has its size and its time, and what the header calls them."""

    size: int
    time: int
    size_name: str
    time_name: str

    def row(self, fields: list[str], number: int) -> Row:
        """The size and the time in line `number`, or LinkError."""
        size_bytes = _number(fields[self.size :], self.size_name, _BYTES, number)
        time = _number(fields[self.time :], self.time_name, _TIME, number)
        return size_bytes, time / TIMES.get(self.time_name, PER_SECOND["us"])


def load_link(path: str | Path) -> MeasuredLink:
    """The link whose sizes and times a file holds, with the line fitted to them.

    The line is fitted to the sizes that buckets have, or to all where fewer than three
    are of that kind. Raises LinkError for a file that can't be read, doesn't hold a
    table, or holds one that no link can have.
    """
    try:
        return _link(_rows(_text(Path(path)).splitlines()))
    except LinkError as fault:
        raise LinkError(f"{path}: {fault}") from fault


def _text(path: Path) -> str:
    content = _content(path)
    if not content.strip():
        raise LinkError(f"is empty; expected {_EXPECTED}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LinkError(
            f"byte {error.start}: not text; expected {_EXPECTED}, in UTF-8"
        ) from error


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except IsADirectoryError:
        raise LinkError("is a directory; name a file in it") from None
    except FileNotFoundError:
        raise LinkError("there is no such file; check the path") from None
    except (OSError, ValueError) as error:  # a path with a null byte, for one
        reason = getattr(error, "strerror", None) or error
        raise LinkError(f"can't be read ({reason})") from error
    if len(content) > MOST_BYTES:
        raise LinkError(
            f"is larger than {MOST_BYTES // 2**20} MiB, more than a link needs; "
            "keep the table alone"
        )
    return content


def _rows(lines: list[str]) -> list[Row]:
    """All rows of the table, in the order of the file."""
    untagged = [_TAG.sub("", line) for line in lines]
    is_test = any(_test_columns(line) for line in untagged)
    rows: list[Row] = []
    for row in _test_rows(untagged) if is_test else _csv_rows(lines):
        rows.append(row)
        if len(rows) > MOST_ROWS:
            raise LinkError(
                f"holds more than {MOST_ROWS:,} rows; keep the mean of each size"
            )
    return rows


def _test_rows(lines: Iterable[str]) -> Iterator[Row]:
    """Lines that begin with a whole number, once a header has named the columns."""
    columns: Columns | None = None
    for number, line in enumerate(lines, start=1):
        columns = _test_columns(line) or columns
        fields = line.split()
        if not (columns and fields and fields[0].isdecimal()):
            continue
        if "none" in fields:
            raise LinkError(
                f"line {number}: reduces nothing, expected an all-reduce; "
                "run all_reduce_perf"
            )
        yield columns.row(fields, number)


def _test_columns(line: str) -> Columns | None:
    """Where the header of nccl-tests puts the size and the first time, out of place."""
    names = line.lstrip("#").split()
    if line.startswith("#") and "size" in names and "time" in names:
        return Columns(names.index("size"), names.index("time"), "size", "time")
    return None


def _csv_rows(lines: Iterable[str]) -> Iterator[Row]:
    columns: Columns | None = None
    reader = csv.reader(lines, skipinitialspace=True)
    try:
        for fields in reader:
            if columns and any(fields):
                yield columns.row(fields, reader.line_num)
            elif any(fields):
                columns = _csv_columns([*map(str.strip, fields)], reader.line_num)
    except csv.Error as error:
        raise LinkError(
            f"line {reader.line_num}: not CSV ({error}); expected {_EXPECTED}"
        ) from error


def _csv_columns(header: list[str], number: int) -> Columns:
    """Where a CSV puts the size and the time."""
    found = []
    for names in (SIZES, tuple(TIMES)):
        name = next((name for name in names if name in header), None)
        if name is None:
            raise LinkError(
                f"line {number}: names no column {' or '.join(names)}; "
                f"expected {_EXPECTED}"
            )
        found.append(name)
    size, time = found
    return Columns(header.index(size), header.index(time), size, time)


def _number(fields: list[str], name: str, expected: str, number: int) -> float:
    """The number in the first field; a line that is too short has none left."""
    text = fields[0].strip() if fields else ""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if 0 < value < math.inf:
        return value
    shown = repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")
    raise LinkError(
        f"line {number}: {name} is {shown if text else 'missing'}, "
        f"expected {expected}; correct the line or take it out"
    )


def _link(rows: list[Row]) -> MeasuredLink:
    times_s: dict[float, list[float]] = defaultdict(list)
    for size_bytes, time_s in rows:
        times_s[size_bytes].append(time_s)
    if len(times_s) < FEWEST:
        raise LinkError(
            f"holds too few sizes ({len(times_s)}), expected {FEWEST} or more; "
            "measure others"
        )
    sizes = tuple(sorted(times_s))
    means_s = tuple(_mean(times_s[size]) for size in sizes)
    try:
        return MeasuredLink(sizes, means_s, line_through(sizes, means_s).link)
    except ValueError as error:
        raise LinkError(f"{error}; measure it again") from error


def _mean(times_s: list[float]) -> float:
    return math.fsum(time_s / len(times_s) for time_s in times_s)


def line_through(sizes: tuple[float, ...], times_s: tuple[float, ...]) -> Fit:
    """The line fitted to the rising sizes of a table, and its errors.

    To those that buckets have, or to all where fewer than three are of that kind.
    Raises ValueError where no line fits.
    """
    inside = [size for size in sizes if LOW_BYTES <= size <= HIGH_BYTES]
    if len(inside) >= FEWEST:
        return fit(sizes, times_s)
    return fit(sizes, times_s, sizes[0], sizes[-1])
