"""Rows of a table of separated values, which may stand between other lines.

Command lines print sentences before a table, and several tables one after the other.
"""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import chain

from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.list_end import CUT_OFF, ENDS_EARLY, NO_LINE_END
from overlap_widget.model.traces.opening import opened
from overlap_widget.model.traces.options import Options
from overlap_widget.model.traces.source import plain_text
from overlap_widget.model.traces.unpacking import (
    GZIP_DAMAGED,
    GZIP_ENDS_EARLY,
    limited,
)

SEPARATORS = (",", ";", "\t")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),  # what PowerShell redirects to a file
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# an object, or a list of them
_JSON = re.compile(rb"(?:\xef\xbb\xbf)?[\s\x00]*(?:\{|\[[\s\x00]*\{)")
_GROUPED = re.compile(r"\s*\d{1,3}(?:[.,]\d{3})+\s*")
_DECIMAL = re.compile(r"(\s*-?\d+),(\d+\s*)")
_MOST_LINES = 1000  # before a header
_LONGEST = 1 << 24
_FIELD_BYTES = 1 << 20  # names of kernels grow to many thousand characters

Row = list[str]


def table_rows(
    path: str,
    options: Options,
    is_header: Callable[[Sequence[str]], bool],
    damage: Counter[str],
) -> Generator[Row, None, None]:
    """The rows of a file from its first header on, whatever separates them.

    `damage` counts what a gzip stream lost, and a last row that is cut off. Raises
    TraceError where the file can't be read, or isn't a table from some line on.
    """
    with opened(path) as file:
        packed = plain_text(path, file, damage, options.progress)
        lines = _lines(limited(path, packed, options.limit_bytes), damage)
        first, separator = _until_header(lines, is_header)
        limit_bytes = csv.field_size_limit(_FIELD_BYTES)  # of all tables there are
        rows = csv.reader(chain(first, lines), delimiter=separator)
        try:
            yield from rows if separator != ";" else _with_points(rows)
        except csv.Error as error:
            raise TraceError(
                f"{path}: is no table at line {rows.line_num} of it, the header being "
                f"line 1 ({error}); export it again"
            ) from None
        finally:
            csv.field_size_limit(limit_bytes)


def has_header(head: bytes, is_header: Callable[[Sequence[str]], bool]) -> bool:
    """Whether the start of a file holds the header of such a table.

    What starts as JSON isn't searched, since its lines are many or long.
    """
    if _JSON.match(head):
        return False
    first, _ = _until_header(_lines(iter([head]), Counter()), is_header)
    return bool(first)


def plain(column: str) -> str:
    """A column's name without what versions spell differently.

    >>> plain("Kernel_Name"), plain("gpu-id"), plain("Start (ns)")
    ('kernelname', 'gpuid', 'start')
    """
    return re.sub(r"[\W_]+", "", column.partition("(")[0]).lower()


def _with_points(rows: Iterable[Row]) -> Iterator[Row]:
    """Rows as of a country where `;` stands between cells and a comma in a number.

    Whole nanoseconds have no decimals, so what stands in them is between thousands.
    """
    whole: list[bool] = []
    for row in rows:
        whole = whole or ["(ns" in cell.lower() for cell in row]
        yield [
            _number(cell, at < len(whole) and whole[at]) for at, cell in enumerate(row)
        ]


def _number(cell: str, is_whole: bool) -> str:
    if is_whole:
        return re.sub("[.,]", "", cell) if _GROUPED.fullmatch(cell) else cell
    decimal = _DECIMAL.fullmatch(cell)
    return f"{decimal[1]}.{decimal[2]}" if decimal else cell


def _lines(pieces: Iterable[bytes], damage: Counter[str]) -> Iterator[str]:
    """Lines with their ends; one that is cut off is counted instead, the last one.

    That is known where it stops inside quotation marks, or the gzip stream before its
    end; without a line end it is only likely. A line too long for any table ends the
    text.
    """
    decoder, rest = None, ""
    for piece in pieces:
        if decoder is None:
            code = next((code for mark, code in _MARKS if piece.startswith(mark)), None)
            decoder = codecs.getincrementaldecoder(code or "utf-8")(errors="replace")
        *lines, rest = (rest + decoder.decode(piece)).split("\n")
        yield from (f"{line}\n" for line in lines)
        if len(rest) > _LONGEST:
            return
    is_cut = damage[GZIP_ENDS_EARLY] or damage[GZIP_DAMAGED]
    if rest.count('"') % 2 or (rest and is_cut):
        damage.update((ENDS_EARLY, CUT_OFF))
    elif rest:
        damage[NO_LINE_END] += bool(rest.strip())
        yield rest


def _until_header(
    lines: Iterator[str], is_header: Callable[[Sequence[str]], bool]
) -> tuple[list[str], str]:
    """The line of the header, and what separates it; no line if there is none."""
    for line, _ in zip(lines, range(_MOST_LINES), strict=False):
        for separator in SEPARATORS:
            row = _cells(line, separator)
            if len(row) > 1 and is_header(row):
                return [line], separator
    return [], SEPARATORS[0]


def _cells(line: str, separator: str) -> Row:
    """The fields of a line that may be of any file; none where it is no row."""
    if separator not in line:
        return []
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []
