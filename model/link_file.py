"""A measured link from a file: a table of sizes and times of one's own.

Two formats are read, told apart by the header:

    size_bytes,time_us                CSV. The size: `size_bytes` or `size`. The time:
    1048576,96.6                      the first of `time_us_out_of_place`, `time_us`
    2097152,127.5                     and `time_s`. Other columns are left alone.

    # size count type redop root time ...     The output of nccl-tests' all_reduce_perf,
    1048576 262144 float sum -1 96.6 ...      with or without `root`: bytes, and the
                                              first time, out of place, in microseconds.

A CSV may have semicolons or tabs in place of commas, and lines of remarks after a `#`;
the output may stand among other lines of a log, with the tags of a launcher. Rows may
come in any order. A size with several rows, of a test that ran several times say, gets
the mean of their times.
"""

import itertools
import math
from collections import defaultdict
from pathlib import Path

from overlap_widget.model.fit import FEWEST, HIGH_BYTES, LOW_BYTES, Fit, fit
from overlap_widget.model.link import MeasuredLink
from overlap_widget.model.link_rows import EXPECTED, LinkError, Row, rows_in
from overlap_widget.model.small_file import content_of

MOST_ROWS = 10_000
MOST_BYTES = 16 * 2**20  # room for a test among the log lines of its cluster
_TOO_LARGE = "more than a link needs; keep the table alone"


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
        raise LinkError(f"is empty; expected {EXPECTED}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LinkError(
            f"byte {error.start}: not text; expected {EXPECTED}, in UTF-8"
        ) from error


def _content(path: Path) -> bytes:
    try:
        return content_of(path, MOST_BYTES, "a file", _TOO_LARGE)
    except ValueError as fault:
        raise LinkError(str(fault)) from fault


def _rows(lines: list[str]) -> list[Row]:
    """All rows of the table, in the order of the file."""
    rows = list(itertools.islice(rows_in(lines), MOST_ROWS + 1))
    if len(rows) > MOST_ROWS:
        raise LinkError(
            f"holds more than {MOST_ROWS:,} rows; keep the mean of each size"
        )
    return rows


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
