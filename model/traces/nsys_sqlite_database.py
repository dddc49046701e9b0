"""Tables of an Nsight Systems export, whatever its version calls them, as integers.

Exports differ by version: tables are made only for what was recorded, some carry the
version in their name (NVTX_EVENTS_V3) or are views, and columns came over the years.
"""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from overlap_widget.model.traces.errors import TraceError
from overlap_widget.model.traces.nsys_sqlite_told import STEPS_BETWEEN, Told
from overlap_widget.model.traces.options import Progress

MAGIC = b"SQLite format 3\x00"
WINDOW_ROWS = 50_000
"""Rows that are read at once, between two words to the progress."""
MOST_VALUE_BYTES = 1 << 28
"""Of one value: all rows of a column, where a view gives them in one piece."""

_MOST_WINDOWS = 4000  # where row numbers have wide gaps
_NUMBER = "coalesce(CAST({} AS INTEGER), {})"
_AGAIN = "export it again with `nsys export --type sqlite`"

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view by the name it has here, and its columns by lower case."""

    name: str
    columns: dict[str, str]

    def column(self, *names: str) -> str | None:
        """The first of the names that the table has, quoted; None if it has none."""
        for name in names:
            if name.lower() in self.columns:
                return _quoted(self.columns[name.lower()])
        return None

    def number(self, *names: str, default: int) -> str:
        """An expression for a column as an integer; `default` where there is none."""
        column = self.column(*names)
        # the smallest integer can't be written as one number
        value = f"({default + 1} - 1)" if default < 0 else str(default)
        return value if column is None else _NUMBER.format(column, value)


@dataclass(frozen=True, slots=True)
class Database:
    """An open export: its tables and views by lower case."""

    path: str
    connection: sqlite3.Connection
    tables: dict[str, str]

    def table(self, name: str) -> Table | None:
        """The table with rows of this name, or of its latest version; None if empty."""
        versions = sorted(
            (
                found
                for found in self.tables
                if re.fullmatch(rf"{name.lower()}(?:_?v?\d+)?", found)
            ),
            key=lambda found: (found != name.lower(), -_version(found)),
        )
        for found in versions:
            table = _quoted(self.tables[found])
            if self.connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():
                rows = self.connection.execute(f"PRAGMA table_info({table})").fetchall()
                return Table(table, {row[1].lower(): row[1] for row in rows})
        return None

    def count(self, table: Table) -> int:
        """How many rows a table has."""
        query = f"SELECT count(*) FROM {table.name}"
        return int(self.connection.execute(query).fetchone()[0])


class Reading:
    """How far the reading is; tells the progress, which may end it by raising."""

    def __init__(self, rows: int, progress: Progress | None) -> None:
        self._rows, self._done, self._progress = max(rows, 1), 0, progress

    def advance(self, rows: int) -> None:
        """So many more rows were read."""
        self._done += rows
        if self._progress is not None:
            self._progress(min(self._done / self._rows, 1.0))


@contextmanager
def database(file: str, path: str, told: Told | None = None) -> Iterator[Database]:
    """The export in `file`, read-only; `path` is what its errors are about.

    Raises TraceError for what SQLite can't read, also while it is used, and what
    `told` raises.
    """
    told = told or Told(None)
    _refuse_cut_off(file, path)
    uri = Path(file).absolute().as_uri() + "?mode=ro"
    if not _has_rows(file + "-wal"):
        uri += "&immutable=1"  # needs no lock, nor the right to write beside the file
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            _distrust(connection)
            connection.set_progress_handler(told.again, STEPS_BETWEEN)
            connection.text_factory = lambda text: text.decode(errors="replace")
            query = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
            names = [str(row[0]) for row in connection.execute(query)]
            yield Database(path, connection, {name.lower(): name for name in names})
    except (
        sqlite3.Error,
        UnicodeDecodeError,
    ) as error:  # SQLite's words may be damaged
        if told.error is not None:
            raise told.error from None
        raise TraceError(f"{path}: {_reason(str(error), file)}") from None


def _distrust(connection: sqlite3.Connection) -> None:
    """What SQLite advises for databases of others, whose views may hold anything."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_VALUE_BYTES)


def integers(
    source: Database,
    table: Table,
    expressions: Sequence[str],
    reading: Reading,
    where: str = "1",
) -> Iterator[Integers]:
    """The rows of a table in pieces: int64[expressions, n] each.

    SQLite joins each column to one text, which numpy splits: half the time of a
    tuple for each row.
    """
    columns = ", ".join(f"group_concat({expression})" for expression in expressions)
    for condition, rows in windows(source, table):
        query = f"SELECT {columns} FROM {table.name} WHERE {condition} AND ({where})"
        found = source.connection.execute(query).fetchone()
        if found[0] is not None:
            yield np.array([np.fromstring(text, np.int64, sep=",") for text in found])
        reading.advance(rows)


def windows(source: Database, table: Table) -> Iterator[tuple[str, int]]:
    """Conditions that take a table apart, and about how many rows each covers.

    Views have no row numbers: they come in one piece.
    """
    try:
        query = f"SELECT min(rowid), max(rowid), count(*) FROM {table.name}"
        first, last, count = source.connection.execute(query).fetchone()
    except sqlite3.OperationalError:
        first = None
    if first is None:
        yield "1", source.count(table)
        return
    step = max(WINDOW_ROWS, (last - first) // _MOST_WINDOWS + 1)
    share = count / (last - first + 1)
    for low in range(first, last + 1, step):
        high = min(low + step - 1, last)
        yield f"rowid BETWEEN {low} AND {high}", round((high - low + 1) * share)


def texts(source: Database, ids: Sequence[int]) -> dict[int, str]:
    """What StringIds holds for these numbers; it may hold millions of others."""
    table = source.table("StringIds")
    key = table and table.column("id", "_id_")
    value = table and table.column("value", "string", "name")
    if not table or not key or not value:
        return {}
    found: dict[int, str] = {}
    for at in range(0, len(ids), WINDOW_ROWS):
        wanted = ",".join(str(one) for one in ids[at : at + WINDOW_ROWS])
        query = f"SELECT {key}, {value} FROM {table.name} WHERE {key} IN ({wanted})"
        rows = source.connection.execute(query)
        found.update((int(one), str(text)) for one, text in rows)
    return found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _version(name: str) -> int:
    digits = re.search(r"\d+$", name)
    return int(digits[0]) if digits else 0


def _has_rows(file: str) -> bool:
    path = Path(file)
    return path.exists() and path.stat().st_size > 0


def _refuse_cut_off(file: str, path: str) -> None:
    """SQLite notes its number of pages in the header, where it can be trusted."""
    with open(file, "rb") as start:
        header = start.read(100)
    size = Path(file).stat().st_size
    page_bytes = int.from_bytes(header[16:18], "big")
    page_bytes = 65536 if page_bytes == 1 else page_bytes
    pages = int.from_bytes(header[28:32], "big")
    if header[24:28] == header[92:96] and size < pages * page_bytes:
        raise TraceError(
            f"{path}: the SQLite database is cut off at byte {size:,} of "
            f"{pages * page_bytes:,}; copy it again, or {_AGAIN}"
        )


def _reason(error: str, file: str) -> str:
    if "not a database" in error:
        return f"starts like SQLite but is encrypted or damaged; {_AGAIN}"
    if _has_rows(file + "-wal") or _has_rows(file + "-journal"):
        return f"is still being written ({error}); wait until nsys has finished"
    said = " ".join(error.partition("(")[0].split())  # it may quote what is damaged
    return f"the SQLite database is damaged ({said}); {_AGAIN}"
